"""Check of the parameters that a design changes."""

from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import SEED
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS


def check_name(name: Any, source: str) -> None:
    """Refuse a name that is not ``section.key``, and the seed, which has its own key.

    Raises:
        ScenarioError: The name is invalid; the message begins with ``source``.
    """
    section, dot, key = name.partition('.') if isinstance(name, str) else ('', '', '')
    if not (dot and key) or section not in SECTIONS:
        raise ScenarioError(
            f'{source}: unknown parameter {shown(name)}: write section.key with a section among '
            f'{", ".join(SECTIONS)}'
        )
    if name == SEED:
        raise ScenarioError(f'{source}: {SEED} cannot be in a design: use seeds: at the top level')
