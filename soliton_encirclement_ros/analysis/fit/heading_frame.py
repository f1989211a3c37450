"""Vehicles that drive along their heading, as cars and robots with two wheels do.

Such a vehicle turns its velocity with itself, at once; only its speed lags behind the command. In
map the turning would look like a response without any lag, and even ahead of commands that are
held while it turns. Along its heading it follows the law.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from velocity_mobility_ros.core.frames import levelled_to_world

from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.core.files.name_list import named

ACROSS = 0.05
"""Largest share of commands and velocity across the heading, in RMS."""

TURNED = 0.5
"""A vehicle that turns by less [rad] is the same in any frame."""


def along_heading(member: Member) -> Member:
    """Return a vehicle that drives along its heading with velocities along and across it.

    Others are returned as they are: in map, a command and its lag do not turn with the vehicle.
    """
    track, commands = member.flown, member.commands
    known = [] if track is None else np.flatnonzero(np.isfinite(track.yaw))
    if commands is None or not len(known):
        return member
    yaw = np.unwrap(track.yaw[known])
    if np.ptp(yaw) < TURNED:
        return member
    velocity = levelled_to_world(-track.yaw, track.velocity)
    wanted = levelled_to_world(-np.interp(commands.time, track.time[known], yaw),
                               commands.velocity)  # fmt: skip
    if not (_is_along(velocity) and _is_along(wanted)):
        return member
    turned = track._replace(velocity=velocity)
    return member._replace(
        **{'track' if member.truth is None else 'truth': turned},
        commands=commands._replace(velocity=wanted),
    )


def heading_lines(members: Sequence[Member], fitted: Sequence[Member]) -> Iterator[str]:
    """Iterate over a line on vehicles that are fitted along their heading."""
    names = [one.name for one, other in zip(members, fitted, strict=True) if one is not other]
    if names:
        yield (
            f'{named(names)}: driven along the heading, with which the velocity turns at once: '
            'fitted along it; the mobility law, in map, turns the velocity with its lag'
        )


def _is_along(velocity: Floats) -> bool:
    """Return whether velocities (K, 3) are along the first axis, horizontally."""
    known = velocity[np.isfinite(velocity).all(axis=1)]
    along, across = np.sqrt((known[:, :2] ** 2).sum(axis=0))
    return bool(across < ACROSS * along)
