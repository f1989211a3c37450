"""Differences between the scenarios of two runs, beside the controller and the seed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.parameters.control_parameters import (
    PREDICTIVE_PRESET, ControlParameters
)
from soliton_encirclement_ros.core.run.finished_run import FinishedRun
from velocity_mobility_ros.core.parameter_declaration import declarations

CONTROLLER = ('control', 'controller')
FREE = (('name',), CONTROLLER, ('run', 'seed'))
"""Values that may differ between runs that are compared; the name groups them."""

LAW = 'control'
OF_ALL_LAWS = frozenset(declarations(ControlParameters)) - PREDICTIVE_PRESET.keys()
"""Names of the parameters that every law has, with one default in all."""

MISSING = object()


def refuse_differences(runs: Sequence[FinishedRun]) -> None:
    """Refuse runs with different conditions.

    Raises:
        RunError: Parameters other than controller and seed differ; all of them are named.
    """
    for run in runs[1:]:
        keys = differences(runs[0].scenario, run.scenario)
        if keys:
            raise RunError(
                f'{runs[0].name} and {run.name} are not comparable: they differ in '
                f'{", ".join(keys)}; name runs that differ in controller and seed only'
            )


def differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """Return the differences of two scenarios as ``section.key``, controller and seed aside."""
    flat_a, flat_b = dict(_flat(a)), dict(_flat(b))
    keys = [key for key in {**flat_a, **flat_b} if key not in FREE]
    # A law has its own parameters; those of two laws may share a name and nothing else.
    shared = flat_a.get(CONTROLLER) == flat_b.get(CONTROLLER)
    keys = [
        key for key in keys
        if key[0] != LAW or (key in flat_a and key in flat_b and (shared or key[1] in OF_ALL_LAWS))
    ]  # fmt: skip
    return ['.'.join(key) for key in keys if flat_a.get(key, MISSING) != flat_b.get(key, MISSING)]


def _flat(scenario: Mapping[str, Any]) -> Iterable[tuple[tuple[str, ...], Any]]:
    for section, content in scenario.items():
        if isinstance(content, Mapping):
            yield from (((section, key), value) for key, value in content.items())
        else:
            yield (section,), content
