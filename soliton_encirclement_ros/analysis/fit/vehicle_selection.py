"""Whom of a recording to fit."""

import difflib
from collections.abc import Sequence

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.analysis.recording import Member, Recording
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

LOSSES = ('left out', 'not used', 'cannot be decoded')
"""What problems say of messages that are there and count for nothing."""

ALIKE = 0.85
"""Share of letters in common from which another agent was meant: their names are all alike."""

MAX_LOSSES = 3
"""So many of them stand in one line."""


def chosen(recording: Recording, names: Sequence[str]) -> list[Member]:
    """Return the members to fit.

    Args:
        recording: Who there is.
        names: Requested agents; empty: every agent with commands and odometry.

    Raises:
        RunError: An agent does not exist, or has no commands or no odometry.
    """
    if names:
        return [_wanted(recording, name) for name in dict.fromkeys(names)]
    agents = [one for one in recording.members.values() if one.name not in (TARGET, ADVERSARY)]
    found = [one for one in agents if not _lacking(one)]
    if not found:
        lacking = '; '.join(f'{one.name} has no {_lacking(one)}' for one in agents[:3])
        raise RunError(
            f'{recording.path}: nobody has both cmd_vel and odom ({lacking or "there is nobody"});'
            ' name other topics with --map; bags of swarm simulate hold no commands, those of '
            f'swarm run do{_losses(recording)}'
        )
    return found


def _wanted(recording: Recording, name: str) -> Member:
    member = recording.members.get(name)
    if member is None:
        close = difflib.get_close_matches(name, recording.members, 1, ALIKE)
        there = ', '.join(recording.members) or 'nobody'
        hint = f'did you mean {close[0]!r}?' if close else f'there are {there}'
        raise RunError(f'{recording.path}: no agent {shown(name)}; {hint}')
    if _lacking(member):
        raise RunError(
            f'{recording.path}: {name} has no {_lacking(member)}; name its topics with --map'
            + _losses(recording)
        )
    return member


def _losses(recording: Recording) -> str:
    """Return what of the recording could not be used, which may be what is lacking."""
    found = [line for line in recording.problems if any(word in line for word in LOSSES)]
    return ''.join(f'; {line}' for line in found[:MAX_LOSSES])


def _lacking(member: Member) -> str:
    """Return what a member has no messages of, empty for nothing."""
    if member.track is None or not len(member.track.time):
        return 'odom'
    return '' if member.commands is not None and len(member.commands.time) else 'cmd_vel'
