"""Parameter files of a launch: which of its nodes get them, checked before any of them starts."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from velocity_mobility_ros.core.environment.parameter_files import (
    NODE_NAMES,
    no_section,
    read_sections,
    section_warnings,
    why_unread,
)

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files.package_share import find_file
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import BRIDGES
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import Fleet


class NodeFiles(NamedTuple):
    """Parameter files of the nodes of a plan.

    Attributes:
        of: Paths for each node, in the order of the plan.
        warnings: What of the files has no effect.
    """

    of: tuple[tuple[str, ...], ...] = ()
    warnings: tuple[str, ...] = ()


def node_files(
    plan: Sequence[NodeSpec],
    within: Fleet,
    params_file: str = '',
    bridge_file: str = '',
    is_bridged: bool = True,
) -> NodeFiles:
    """Return which nodes get which file.

    Args:
        plan: The nodes.
        within: The namespace of the plan.
        params_file: Path of the file of the first node; empty: none.
        bridge_file: Path, or name of an included one, of the file of all bridges; empty: none.
        is_bridged: Whether bridges are wanted; a file for them is in vain if there are none.

    Raises:
        ScenarioError: There is no such file, or it has no section for any of its nodes.
        ParameterError: A file cannot be read.
    """
    names = [full_name(spec, within) for spec in plan]
    bridges = [i for i, spec in enumerate(plan) if spec.executable in BRIDGES.values()]
    found: list[tuple[str, ...]] = [()] * len(plan)
    warnings: list[str] = []
    if params_file and not Path(params_file).is_file():
        raise ScenarioError(f'params_file:={why_unread(params_file)}')
    given = [
        (f'params_file:={params_file}', params_file, range(len(plan))[:1]),
        (f'bridge_file:={bridge_file}', bridge_file and find_file('bridge', bridge_file), bridges),
    ]
    for argument, path, places in given:
        if not path or not places:
            continue
        users, lines = _checked(argument, Path(path), [names[place] for place in places], names)
        warnings += lines
        for place in places:
            found[place] += (str(path),) if names[place] in users else ()
    if bridge_file and is_bridged and not bridges:
        warnings.append(f'bridge_file:={bridge_file} has no effect: no bridge is started')
    return NodeFiles(tuple(found), tuple(warnings))


def full_name(spec: NodeSpec, within: Fleet) -> str:
    """Return the full name of a node of a plan in a namespace."""
    return f'{within.namespace_of(spec.namespace).rstrip("/")}/{NODE_NAMES[spec.executable]}'


def _checked(
    argument: str, path: Path, whose: Sequence[str], names: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return which nodes a file is for, of those to which it is given, and warnings.

    Raises:
        ScenarioError: It is for none of them.
    """
    sections = read_sections(path)
    if fault := no_section(argument, sections, whose):
        raise ScenarioError(fault)
    users = [name for name in whose if not no_section(argument, sections, [name])]
    warnings = section_warnings(argument, sections, names)
    warnings += [
        f'{argument} has no section for {name}, which keeps the values of the scenario'
        for name in whose
        if name not in users
    ]
    warnings += [
        f'{argument}: section {section.name} has no effect: the file is for {", ".join(whose)}'
        for section in sections
        if any(map(section.is_for, names)) and not any(map(section.is_for, whose))
    ]
    return users, warnings


__all__ = ['NodeFiles', 'full_name', 'node_files']
