"""Assignment of topics to members by a map file: read, and written to be edited."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from soliton_encirclement_ros.analysis.recording import Source
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.user_files import read_text, read_yaml
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from velocity_mobility_ros.core.environment import parameter_files
from velocity_mobility_ros.core.environment.parameter_files import kind_hint
from velocity_mobility_ros.core.user_errors import closest, shown

ODOM, CMD_VEL, TELEMETRY, FRAME = 'odom', 'cmd_vel', 'telemetry', 'cmd_vel_frame'
TRUTH = 'ground_truth'
ROLES = (ODOM, CMD_VEL, TELEMETRY, TRUTH)
KEYS = (*ROLES, FRAME)
EXAMPLE = 'agents: {uav_1: {odom: /drone7/odometry}}'
FRAMES = MAP, BODY = ('map', 'base_link')
"""Frames of a command without a header, or in one that is not known: that of the map, or the
levelled body's."""

TOPIC = re.compile(r'/[^\s:;,"\']*[^\s:;,"\'/](:.+)?')


class TopicMap(NamedTuple):
    """Content of a map file.

    Attributes:
        path: The file, named in errors.
        topics: Topics by role (``odom``, ``cmd_vel``, ``telemetry``, ``ground_truth``) by member;
            of a topic that tells of several bodies with the name of one, as ``/tf:cf1``.
        frames: Frame of the commands by member, where it is given.
    """

    path: Path
    topics: Mapping[str, Mapping[str, str]]
    frames: Mapping[str, str]


def load_topic_map(path: Path) -> TopicMap:
    """Read a map file.

    Raises:
        RunError: The file cannot be read or is not a map; one line names the remedy.
    """
    try:
        content = read_yaml(read_text(path, 'map'), path)
    except ScenarioError as error:
        raise RunError(str(error)) from None
    if content is None:
        raise RunError(f'{path}: is empty; write for example {EXAMPLE}')
    if not isinstance(content, Mapping):
        raise RunError(
            f'{path}: a map must be a mapping, not {shown(content, 40)}; write for example '
            f'{EXAMPLE}'
        )
    other = kind_hint(content, parameter_files.MAP)
    _refuse_unknown(content, ('agents', TARGET, ADVERSARY), f'{path}: ', other)
    members = dict(_mapping(content.get('agents', {}), f'{path}: agents'))
    for name in (TARGET, ADVERSARY):
        if name in members:
            raise RunError(f'{path}: agents.{name}: {name} is no agent; put it beside agents')
        if name in content:
            members[name] = content[name]
    return _naming(path, members)


def map_text(sources: Sequence[Source], frames: Mapping[str, str], name: str) -> str:
    """Return the text of a map file with the topics in use; the others stand in comments.

    Frames are those of commands by member, where a map has given them.
    """
    lines = [
        f'# Topics of {name} by vehicle. Edit them, and give this file back with --map:',
        '# then only these topics are used. A body in /tf is /tf:FRAME, or /tf:FIXED_FRAME.FRAME.',
        'agents:',
    ]
    members = dict.fromkeys(source.member for source in sources)
    for member in (name for name in members if name not in (TARGET, ADVERSARY)):
        lines += [f'  {line}' for line in _member_lines(member, sources, frames)]
    for member in (name for name in (TARGET, ADVERSARY) if name in members):
        lines += _member_lines(member, sources, frames)
    return '\n'.join([*lines, ''])


def _member_lines(
    member: str, sources: Sequence[Source], frames: Mapping[str, str]
) -> Iterator[str]:
    own = [source for source in sources if source.member == member]
    yield f'{"" if any(source.used for source in own) else "# "}{_scalar(member)}:'
    for source in sorted(own, key=lambda source: not source.used):
        note = ', '.join(filter(None, (source.role, source.type.rpartition('/')[2])))
        line = f'{source.quantity}: {_scalar(source.topic)}  # {note}'
        yield f'  {line}' if source.used else f'  # {line}'
    if member in frames:
        yield f'  {FRAME}: {frames[member]}'


def _scalar(text: str) -> str:
    return str(yaml.safe_dump(text, width=10**9, allow_unicode=True)).splitlines()[0]


def _naming(path: Path, members: Mapping[str, Any]) -> TopicMap:
    topics: dict[str, dict[str, str]] = {}
    frames: dict[str, str] = {}
    for name, entry in members.items():
        where = f'{path}: {name}'
        if name is None or isinstance(name, bool):
            raise RunError(
                f'{where} is no name: YAML reads no, off, yes and on as truth values, and ~ as '
                "none; quote it, as 'no'"
            )
        entry = _mapping(entry, where)
        _refuse_unknown(entry, KEYS, f'{where}: ')
        topics[str(name)] = {role: _topic(entry, role, where) for role in ROLES if role in entry}
        if not topics[str(name)]:
            raise RunError(f'{where} names no topic; write for example {EXAMPLE}')
        if FRAME in entry:
            frames[str(name)] = frame = entry[FRAME]
            if frame not in FRAMES:
                raise RunError(f'{where}.{FRAME} = {shown(frame)} must be {MAP!r} or {BODY!r}')
    if not topics:
        raise RunError(f'{path}: names no topic; write for example {EXAMPLE}')
    _refuse_shared(path, topics)
    return TopicMap(path, topics, frames)


def _topic(entry: Mapping[str, Any], role: str, where: str) -> str:
    topic = entry[role]
    if not isinstance(topic, str) or not TOPIC.fullmatch(topic):
        raise RunError(
            f'{where}.{role} = {shown(topic)} must be a topic such as /drone7/odometry, or a '
            'body in one such as /tf:cf1'
        )
    return topic


def _refuse_shared(path: Path, topics: Mapping[str, Mapping[str, str]]) -> None:
    owners: dict[str, str] = {}
    for name, roles in topics.items():
        for role, topic in roles.items():
            owner = owners.setdefault(topic, f'{name}.{role}')
            if owner != f'{name}.{role}':
                raise RunError(f'{path}: {topic} cannot be {owner} and {name}.{role} at once')


def _mapping(content: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise RunError(f'{what} must be a mapping, not {shown(content, 40)}')
    return content


def _refuse_unknown(
    content: Mapping[str, Any], allowed: Iterable[str], where: str, other: str = ''
) -> None:
    for key in content:
        if key not in allowed:
            near = closest(key, allowed)
            hint = f'; did you mean {near!r}?' if near else ''
            hint = other or f'{hint} (allowed are {", ".join(allowed)})'
            raise RunError(f'{where}unknown key {shown(key)}{hint}')
