"""The conditions of a study: cases, flown in every setting of their block."""

from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import Condition
from soliton_encirclement_ros.core.scenario.scenario_sections import with_absolute_paths
from soliton_encirclement_ros.sim.law_study.file_checks import changes, mapping, merged, named
from soliton_encirclement_ros.sim.sweeps.design import Values, nested

KEYS = ('settings', 'cases')


def read_conditions(content: Any, source: str, folder: Path) -> dict[Condition, Values]:
    """Return the changes of the scenario by condition, in the order of the file.

    Args:
        content: One block of settings and cases, or a list of them.
        source: Their location, named in errors.
        folder: Folder of the study; files that changes name are looked for there first.

    Raises:
        ScenarioError: A block is invalid, or two conditions have one name.
    """
    blocks = content if isinstance(content, list) else [content]
    if not blocks:
        raise ScenarioError(f'{source}: is empty: give at least one block')
    found: dict[Condition, Values] = {}
    for number, block in enumerate(blocks, 1):
        where = source if len(blocks) == 1 else f'{source}: block {number}'
        for condition, values in _block(block, where, folder).items():
            if condition in found:
                raise ScenarioError(f'{where}: {shown(condition.label)} is there twice')
            found[condition] = values
    return found


def _block(content: Any, source: str, folder: Path) -> dict[Condition, Values]:
    content = mapping(content, source, KEYS)
    cases = named(content.get('cases'), f'{source}: cases')
    settings = {'': None}
    if 'settings' in content:
        settings = named(content['settings'], f'{source}: settings')
    found = {}
    for setting, around in settings.items():
        for case, own in cases.items():
            parts = {
                f'setting {setting}': changes(around, f'{source}: settings: {setting}'),
                f'case {case}': changes(own, f'{source}: cases: {case}'),
            }
            values = merged(parts, f'{source}: {Condition(case, setting).label}')
            found[Condition(case, setting)] = _with_files(values, folder)
    return found


def _with_files(values: Values, folder: Path) -> Values:
    """Return values with absolute paths of the files that lie beside the study."""
    sections = with_absolute_paths(nested(values), folder)
    return {
        f'{section}.{key}': value
        for section, content in sections.items()
        for key, value in content.items()
    }
