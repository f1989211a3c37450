"""Selects the agents of a recording to fit."""

import difflib
from collections.abc import Sequence

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.analysis.fit.flown_commands import with_flown_commands
from soliton_encirclement_ros.analysis.recording import Member, Recording
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

LOSSES = ('left out', 'not used', 'cannot be decoded')
"""Parts of problem lines about unused messages."""

MIN_SIMILARITY = 0.85
"""Similarity of a suggested name; high, because the names of agents are similar."""

MAX_LOSSES = 3
"""Upper limit of such lines in one error."""


def chosen(recording: Recording, names: Sequence[str]) -> list[Member]:
    """Return the members to fit, with the commands that bridges to autopilots passed on.

    Args:
        recording: The recording.
        names: Requested agents; empty: every agent with commands and odometry.

    Raises:
        RunError: An agent does not exist, or has no commands or no odometry.
    """
    if names:
        found = [_wanted(recording, name) for name in dict.fromkeys(names)]
    else:
        found = _agents(recording)
    return [with_flown_commands(one, recording.bridges) for one in found]


def _agents(recording: Recording) -> list[Member]:
    """Return every agent with commands and odometry."""
    agents = [one for one in recording.members.values() if one.name not in (TARGET, ADVERSARY)]
    found = [one for one in agents if not _missing(one)]
    if not found:
        missing = '; '.join(f'{one.name} has no {_missing(one)}' for one in agents[:3])
        raise RunError(
            f'{recording.path}: no agent has both cmd_vel and odom ({missing or "no agents"}); '
            'name other topics with --map; bags of swarm simulate contain no commands, those of '
            f'swarm run do{_losses(recording)}'
        )
    return found


def _wanted(recording: Recording, name: str) -> Member:
    member = recording.members.get(name)
    if member is None:
        close = difflib.get_close_matches(name, recording.members, 1, MIN_SIMILARITY)
        there = ', '.join(recording.members) or 'none'
        hint = f'did you mean {close[0]!r}?' if close else f'members are {there}'
        raise RunError(f'{recording.path}: no agent {shown(name)}; {hint}')
    if _missing(member):
        raise RunError(
            f'{recording.path}: {name} has no {_missing(member)}; name its topics with --map'
            + _losses(recording)
        )
    return member


def _losses(recording: Recording) -> str:
    """Return the problem lines about unused messages, which may be the missing ones."""
    found = [line for line in recording.problems if any(word in line for word in LOSSES)]
    return ''.join(f'; {line}' for line in found[:MAX_LOSSES])


def _missing(member: Member) -> str:
    """Return the topic that a member lacks, empty for none."""
    if member.flown is None or not len(member.flown.time):
        return 'odom'
    return '' if member.commands is not None and len(member.commands.time) else 'cmd_vel'
