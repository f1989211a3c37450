"""Turns commands into the map frame, from that which a name, a map file or the motion tells."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.frames import levelled_to_world

from soliton_encirclement_ros.analysis.bag.assembly.members import WHOSE, FrameNames
from soliton_encirclement_ros.analysis.bag.assembly.track_assembly import TrackSegment
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import (
    COMMAND,
    IN_BODY,
    IN_MAP,
    NAMED,
    UNTOLD,
    frame_kind,
    last_part,
)
from soliton_encirclement_ros.analysis.bag.topics.topic_map import BODY, CMD_VEL, ODOM
from soliton_encirclement_ros.analysis.velocity_consistency import (
    FITTING,
    fitting_commands,
)

VALUES, VELOCITY = slice(0, len(COMMAND)), slice(0, 3)
FRAME = len(COMMAND)
BODY_VELOCITY, YAW = slice(3, 6), 6


class FramedCommands(NamedTuple):
    """Commands, in map, and a line for each thing that is doubtful about their frame."""

    part: TrackSegment
    problems: list[str]


class CommandFrames:
    """Knows in which frames the commands of a bag are."""

    def __init__(
        self, named: Mapping[WHOSE, FrameNames], given: Mapping[str, str], is_foreign: bool
    ) -> None:
        """Store what is known.

        Args:
            named: Frames that messages name.
            given: Frame of the commands by member, where a map file gives it.
            is_foreign: Whether nobody of this package's nodes published, whose commands are in
                map; else the frame of commands that name none is found by the motion.
        """
        self._named, self._given, self._is_foreign = named, given, is_foreign

    def in_map(self, member: str, part: TrackSegment, body: TrackSegment | None) -> FramedCommands:
        """Return the commands; those in the body's frame are rotated by its heading.

        Args:
            member: The vehicle.
            part: Its commands, with their frames as last column.
            body: Its odometry, None without any.
        """
        part, problems = self._in_known_frame(member, part)
        frames, values = part.values[:, FRAME], part.values[:, VALUES].copy()
        untold = frames == UNTOLD
        in_body = (frames == IN_BODY) | (untold & (self._given.get(member) == BODY))
        known = [] if body is None else np.flatnonzero(np.isfinite(body.values[:, YAW]))
        if body is None or not len(known):
            if not in_body.any():
                return FramedCommands(part._replace(values=values), problems)
            problems.append(f'{np.count_nonzero(in_body)} commands in the frame of a body '
                            'whose heading is not known: left out')  # fmt: skip
            left = part._replace(times=part.times[~in_body], values=values[~in_body])
            return FramedCommands(left, problems)
        yaw = np.interp(part.times, body.times[known], np.unwrap(body.values[known, YAW]))
        turned = levelled_to_world(yaw, values[:, VELOCITY])
        if self._is_foreign and member not in self._given and untold.any():
            told = part._replace(times=part.times[untold], values=values[untold, VELOCITY])
            fit = _fit(told, turned[untold], body)
            problems += _lines(fit)
            in_body |= untold & (fit == IN_BODY)
        values[in_body, VELOCITY] = turned[in_body]
        return FramedCommands(part._replace(values=values), problems)

    def _in_known_frame(self, member: str, part: TrackSegment) -> FramedCommands:
        """Return the commands whose frame is known, by its name or by an odometry."""
        unclear = part.values[:, FRAME] == NAMED
        if not unclear.any():
            return FramedCommands(part, [])
        headers = self._named[CMD_VEL, member].headers
        frames = {name for name in headers if frame_kind(name) == NAMED}
        kind = self._kind_of(member, set(map(last_part, frames)))
        if kind == NAMED:
            names, count = ', '.join(map(repr, sorted(frames))), np.count_nonzero(unclear)
            line = (f'{count} commands in {names}, which is not known: left out; cmd_vel_frame '
                    'in a map file (--map) says whether it is base_link or map')  # fmt: skip
            left = part._replace(times=part.times[~unclear], values=part.values[~unclear])
            return FramedCommands(left, [line])
        values = part.values.copy()
        values[unclear, FRAME] = kind
        return FramedCommands(part._replace(values=values), [])

    def _kind_of(self, member: str, names: set[str]) -> float:
        """Return what frames of these names are by the map file and the odometries."""
        if member in self._given:
            return IN_BODY if self._given[member] == BODY else IN_MAP
        own = self._named.get((ODOM, member))
        if own is not None and names <= set(map(last_part, own.children)):
            return IN_BODY
        fixed = {
            name for whose, one in self._named.items() if whose[0] == ODOM for name in one.headers
        }
        return IN_MAP if names <= set(map(last_part, fixed)) else NAMED


def _fit(told: TrackSegment, turned: Numbers, body: TrackSegment) -> float | None:
    """Return which frame of commands the velocity of their vehicle fits.

    Args:
        told: The commands as they are told.
        turned: The same velocities, turned by the heading of the body.
        body: The odometry of the vehicle.

    Returns:
        ``IN_MAP``, ``IN_BODY``, ``UNTOLD`` if both fit as well or as badly, None if they hardly
        differ.
    """
    velocity = body.values[:, BODY_VELOCITY]
    sound = np.isfinite(velocity).all(axis=1)
    begun = int(min(body.times[0], told.times[0]))
    at, given = ((times - begun) / 1e9 for times in (body.times[sound], told.times))
    found = fitting_commands(at, velocity[sound], given, (told.values, turned))
    return found if found is None else (IN_MAP, IN_BODY, UNTOLD)[found]


def _lines(fit: float | None) -> Iterator[str]:
    """Iterate over what is said of commands that name no frame."""
    if fit == IN_BODY:
        yield (
            f'commands name no frame; its velocity fits them {FITTING:g} times better or more in '
            'that of the body (base_link) than in map: taken so; cmd_vel_frame: map in a map file '
            '(--map) takes them for those in map'
        )
    elif fit == UNTOLD:
        yield (
            'commands name no frame, and its velocity fits neither map nor base_link clearly '
            'better: taken for those in map; cmd_vel_frame: base_link in a map file (--map) '
            'takes them for those of the body'
        )
