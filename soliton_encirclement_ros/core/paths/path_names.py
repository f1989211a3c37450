"""Which member flies which path, by the names that section ``paths`` gives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.trajectory.path_files import READERS

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.path_parameters import (
    MemberPath,
    PathChoices,
    PathParameters,
)
from soliton_encirclement_ros.core.schedules.agents_by_file import (
    agents_by_file,
    with_absolute_files,
)
from soliton_encirclement_ros.core.schedules.member_names import to_member
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

AGENTS = 'paths.agent_paths'
MEMBER = '#'
"""Sign between a recorded run and the name of the member whose flight is repeated."""


def member_paths(choices: PathChoices, members: Sequence[str]) -> dict[str, MemberPath]:
    """Return the paths of the members that fly one.

    Args:
        choices: Section ``paths``.
        members: Names of all members.

    Raises:
        ScenarioError: A text is not understood, there is no such member, or one has two paths.
    """
    found: dict[str, MemberPath] = {}
    how = {one.name: getattr(choices, one.name) for one in fields(PathParameters)}
    for member, name in _chosen(choices, members):
        if member in found:
            raise ScenarioError(f'{AGENTS}: {member} has two paths; give it one')
        found[member] = MemberPath(**how, path=name)
    return found


def _chosen(choices: PathChoices, members: Sequence[str]) -> Iterator[tuple[str, str]]:
    for member in (TARGET, ADVERSARY):
        name = getattr(choices, f'{member}_path').strip()
        if name and member in members:
            yield member, name
    for name, words in _by_agents(choices.agent_paths).items():
        for word in words:
            yield to_member(word, members, AGENTS), name


def _by_agents(text: str) -> dict[str, list[str]]:
    return agents_by_file(text, AGENTS, 'path file', 'survey.csv: 2 3')


def parameter_of(member: str) -> str:
    """Return the parameter that gives a member its path."""
    return f'paths.{member}_path' if member in (TARGET, ADVERSARY) else AGENTS


def path_files(choices: PathChoices) -> list[Path]:
    """Return the path files of a scenario; recordings are none."""
    names = (choices.target_path, choices.adversary_path, *_by_agents(choices.agent_paths))
    paths = (Path(name.strip()) for name in names if name.strip())
    return [path for path in paths if path.suffix.lower() in READERS]


def with_absolute_paths(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the values of section ``paths`` with absolute paths of what is in a folder."""
    names = ('target_path', 'adversary_path')
    return with_absolute_files(values, names, 'agent_paths', partial(_absolute, folder))


def _absolute(folder: Path, name: str) -> str:
    file, sign, member = name.partition(MEMBER)
    is_there = bool(file) and (folder / file).exists()
    return f'{(folder / file).resolve()}{sign}{member}' if is_there else name
