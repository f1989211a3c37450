"""Normalizes the data of a bag: one clock, one frame, no implausible values.

Commands are turned into the map frame by what a name, a map file or the motion tells of theirs.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from velocity_mobility_ros.core.coordinate_frames import (
    levelled_to_world,
    ned_to_enu,
    ned_to_enu_yaw,
)

from soliton_encirclement_ros.analysis.bag import topic_roles, tracks
from soliton_encirclement_ros.analysis.bag.bag_clock import Clock, timed
from soliton_encirclement_ros.analysis.bag.bag_members import WHOSE, Found
from soliton_encirclement_ros.analysis.bag.decoding import joint_states
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import (
    COMMAND,
    IN_BODY,
    IN_MAP,
    NAMED,
    NO_VELOCITY,
    ORIGIN,
    OTHER,
    UNTOLD,
    frame_kind,
)
from soliton_encirclement_ros.analysis.bag.position_checks import (
    FITTING,
    Begun,
    doubtful_positions,
    fitting_commands,
    is_along_other_axes,
    is_inconsistent,
    origins_apart,
)
from soliton_encirclement_ros.analysis.bag.topic_map import BODY, CMD_VEL, ODOM, TELEMETRY, TRUTH
from soliton_encirclement_ros.analysis.bag.topic_names import last_part, words
from soliton_encirclement_ros.analysis.bag.tracks import Judged, TrackSegment
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario


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
    velocity = body.values[:, VELOCITY]
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


POSITION, VELOCITY, YAW, OTHER_VELOCITY = slice(0, 3), slice(3, 6), 6, slice(7, 10)
STATE_POSITION = slice(joint_states.STATE.index('x'), joint_states.STATE.index('x') + 3)
STATE_VELOCITY = slice(joint_states.STATE.index('vx'), joint_states.STATE.index('vx') + 3)
COMMAND_VALUES, COMMAND_VELOCITY = slice(0, len(COMMAND)), slice(0, 3)
YAW_RATE, COMMAND_FRAME = COMMAND.index('yaw_rate'), len(COMMAND)

NO_ORIGIN = 'the origins of positions are not known'
"""Why there is no verdict on vehicles that have one each."""


class Normalizer:
    """Normalizes all data of one bag; what was removed is added to its problems.

    Attributes:
        parts: All data over time.
        is_foreign: Whether the bag is of no swarm of this package.
        has_unknown_distances: As in a recording.
        doubts: Why positions cannot be judged, in words.
        doubtful: Members whose positions are not theirs, or not in metres.
    """

    def __init__(
        self, found: Found, clock: Clock, origin_ns: int, frames: Mapping[str, str],
        scenario: FlownScenario | None,
    ) -> None:  # fmt: skip
        """Store the data.

        Args:
            found: Rows in the order of the bag; its problems are extended.
            clock: The clock of the recording.
            origin_ns: Its approximate start.
            frames: Frame of the commands by member, where a map file gives it.
            scenario: What was flown, if it is known.
        """
        self._found, self._clock, self._origin_ns = found, clock, origin_ns
        self._hardest = _hardest(scenario)
        self._of_px4: set[WHOSE] = set()
        self.parts: dict[WHOSE, TrackSegment] = {}
        self.has_unknown_distances = False
        self.is_foreign = not found.is_ours(scenario)
        self._given = frames
        self.doubts: list[str] = []
        self.doubtful: set[str] = set()

    def run(self) -> dict[WHOSE, TrackSegment]:
        """Return all data over time."""
        for whose in self._found.told:
            if whose[0] != topic_roles.TIME:
                self.parts[whose] = self._timed(whose)
        self._join_origins()
        self._report_origins()
        for whose, part in self.parts.items():
            if whose[0] in (ODOM, TELEMETRY, TRUTH):
                self.parts[whose] = self._body(whose, part)
        for whose, part in self.parts.items():
            if whose[0] == CMD_VEL:
                self.parts[whose] = self._command(whose, part)
            elif whose[0] == topic_roles.WORDS:
                lines = tracks.claims(part, STATE_POSITION, STATE_VELOCITY, self._hardest)
                self._report(whose, lines)
        return self.parts

    def _report(self, whose: WHOSE, lines: list[str]) -> None:
        topic = self._found.told[whose].topic
        self._found.problems.extend(f'{topic}: {line}' for line in lines)

    def _judged(self, whose: WHOSE, judged: Judged) -> TrackSegment:
        """Return what is left of a member, and report what is not."""
        part, lines = judged
        self._report(whose, lines)
        return part

    def _timed(self, whose: WHOSE) -> TrackSegment:
        times, rows, lines = timed(self._clock, self._found.taken(whose))
        self._report(whose, lines)
        names = self._found.told[whose].names
        part = TrackSegment(times, rows.values, names).sorted()
        if whose[0] not in (ODOM, TRUTH) or names == ORIGIN:
            return part
        part = self._judged(whose, tracks.tracked(part, YAW, self._origin_ns))
        self._report_positions(whose, part)
        return self._in_enu(whose, part)

    def _in_enu(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        """Return a body whose frame has "ned" in its name in east, north, up."""
        frames = self._found.told[whose].frames
        if not frames or not all('ned' in words(last_part(frame)) for frame in frames):
            return part
        self._report(whose, [f'{", ".join(map(repr, sorted(frames)))} is north, east, down by '
                             'its name: turned to east, north, up'])  # fmt: skip
        values = part.values.copy()
        width = values.shape[1]
        for columns in (POSITION, VELOCITY, OTHER_VELOCITY)[: 3 if width > YAW + 1 else 2]:
            values[:, columns] = ned_to_enu(values[:, columns])
        values[:, YAW] = ned_to_enu_yaw(values[:, YAW])
        return part._replace(values=values)

    def _report_positions(self, whose: WHOSE, part: TrackSegment) -> None:
        """Say that positions cannot be those of one body in metres."""
        columns = (POSITION, VELOCITY) if part.names == OTHER else (POSITION,)
        times, place, *told = _columns(part, *columns)
        children = self._found.told[whose].children
        doubt = doubtful_positions(times, place, told[0] if told else None, children)
        if doubt is None:
            return
        line, reason = doubt
        self._report(whose, [line])
        if whose[0] == TRUTH or (TRUTH, whose[1]) not in self._found.told:
            self.doubtful.add(whose[1])
            self._doubt_distances(reason)

    def _report_origins(self) -> None:
        """Say that vehicles begin at one place of a frame that each of them may have alone."""
        bodies = []
        for whose, part in self.parts.items():
            if whose[0] != ODOM or part.names == ORIGIN:
                continue
            if whose[1] in self.doubtful or (TRUTH, whose[1]) in self.parts:
                continue
            sound = np.isfinite(part.values[:, POSITION]).all(axis=1)
            if sound.any():
                known = part._replace(values=part.values[:, : YAW + 1]).some(sound)
                flown = tracks.track(known, self._origin_ns)
                frames = self._found.told[whose].frames
                bodies += [Begun(whose[1], frame, flown) for frame in frames]
        lines = [*origins_apart(bodies, self.is_foreign)]
        self._found.problems.extend(lines)
        if lines:
            self._doubt_distances(NO_ORIGIN)

    def _doubt_distances(self, reason: str) -> None:
        self.has_unknown_distances = True
        self.doubts.append(reason)

    def _join_origins(self) -> None:
        """Refer the positions of all PX4 vehicles to one origin."""
        of_px4 = {whose: part for whose, part in self.parts.items()
                   if whose[0] in (ODOM, TRUTH)
                   and part.names == ORIGIN}  # fmt: skip
        self._of_px4.update(of_px4)
        names = {whose: f'{whose[1]}, {TRUTH}' if whose[0] == TRUTH else whose[1]
                 for whose in of_px4}  # fmt: skip
        bodies, problems, is_common = tracks.moved(
            {names[whose]: part.values for whose, part in of_px4.items()}
        )
        self._found.problems.extend(problems)
        if self.is_foreign and is_common and len(bodies) > 1:
            line = 'places count from the origin of the first, by the origins that PX4 tells'
            self._found.problems.append(f'{named([*bodies])}: {line}')
        if not is_common:
            self._doubt_distances(NO_ORIGIN)
        for whose, part in of_px4.items():
            self.parts[whose] = part._replace(values=bodies[names[whose]], names=())

    def _body(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        columns, heading = slice(0, 6), None
        if whose[0] != TELEMETRY:
            part = self._with_known_velocity(whose, part)
            columns, heading = slice(0, YAW + 1), YAW
        part = self._judged(whose, tracks.coordinates(part, columns, heading))
        moved = tracks.motion(part, POSITION, VELOCITY, self._hardest, self._origin_ns)
        return self._judged(whose, moved)

    def _with_known_velocity(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        """Return a body with its velocity: as told, in the frame that it is in; or of its path."""
        values = part.values
        missing = np.isnan(values[:, VELOCITY]).all(axis=1)
        lost = np.isnan(values[:, YAW]) & np.isfinite(values[:, POSITION]).all(axis=1)
        if whose in self._of_px4:
            missing &= missing.all()
        elif lost.any():
            line = (f'{np.count_nonzero(lost)} attitudes are no rotations: headings left out, '
                    'velocities that they turn are those of the path')  # fmt: skip
            self._report(whose, [line])
        if part.names == OTHER:
            part = self._in_right_frame(whose, part)
            told = _columns(part, POSITION, VELOCITY)
            if not told[2].any() and is_inconsistent(*told):
                missing[:] = True
                line = 'its twist is 0 although it moves: velocities are those of the path'
                self._report(whose, [line])
            elif not lost.all() or is_inconsistent(*told):  # else nothing had to be turned
                missing |= lost
        return _with_velocity(part, missing) if missing.any() else part

    def _in_right_frame(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        """Return a body by an Odometry, its twist in the frame that its displacements tell."""
        columns, values = [*range(YAW + 1)], part.values
        if is_along_other_axes(*_columns(part, POSITION, VELOCITY, OTHER_VELOCITY)):
            columns[VELOCITY] = range(YAW + 1, YAW + 4)
            told = self._found.told[whose]
            of_body = not {*told.children} <= {'', *told.frames}
            wrong, true = ('body', 'pose') if of_body else ('pose', 'body')
            line = (f'its twist is in the frame of the {true}, not of the {wrong} as '
                    'child_frame_id says, by its displacements: taken so')  # fmt: skip
            self._report(whose, [line])
        return part._replace(values=values[:, columns], names=())

    def _command(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        other = part.values[:, COMMAND_FRAME] == NO_VELOCITY
        if other.any():
            count = np.count_nonzero(other)
            line = f'{count} setpoints of positions or of part of a velocity: left out'
            self._report(whose, [line])
            part = part.some(~other)
        part = self._judged(whose, tracks.coordinates(part, COMMAND_VALUES, YAW_RATE))
        body = self.parts.get((ODOM, whose[1]))
        return self._judged(whose, self._in_map(whose[1], part, body))

    def _in_map(self, member: str, part: TrackSegment, body: TrackSegment | None) -> Judged:
        """Return the commands; those in the body's frame are rotated by its heading.

        Args:
            member: The vehicle.
            part: Its commands, with their frames as last column.
            body: Its odometry, None without any.
        """
        part, problems = self._in_known_frame(member, part)
        frames, values = part.values[:, COMMAND_FRAME], part.values[:, COMMAND_VALUES].copy()
        untold = frames == UNTOLD
        in_body = (frames == IN_BODY) | (untold & (self._given.get(member) == BODY))
        known = [] if body is None else np.flatnonzero(np.isfinite(body.values[:, YAW]))
        if body is None or not len(known):
            if not in_body.any():
                return part._replace(values=values), problems
            problems.append(f'{np.count_nonzero(in_body)} commands in the frame of a body '
                            'whose heading is not known: left out')  # fmt: skip
            return part._replace(values=values).some(~in_body), problems
        yaw = np.interp(part.times, body.times[known], np.unwrap(body.values[known, YAW]))
        turned = levelled_to_world(yaw, values[:, COMMAND_VELOCITY])
        if self.is_foreign and member not in self._given and untold.any():
            told = part._replace(values=values[:, COMMAND_VELOCITY]).some(untold)
            fit = _fit(told, turned[untold], body)
            problems += _lines(fit)
            in_body |= untold & (fit == IN_BODY)
        values[in_body, COMMAND_VELOCITY] = turned[in_body]
        return part._replace(values=values), problems

    def _in_known_frame(self, member: str, part: TrackSegment) -> Judged:
        """Return the commands whose frame is known, by its name or by an odometry."""
        unclear = part.values[:, COMMAND_FRAME] == NAMED
        if not unclear.any():
            return part, []
        told = self._found.told[CMD_VEL, member].frames
        frames = {name for name in told if frame_kind(name) == NAMED}
        kind = self._kind_of(member, set(map(last_part, frames)))
        if kind == NAMED:
            names, count = ', '.join(map(repr, sorted(frames))), np.count_nonzero(unclear)
            line = (f'{count} commands in {names}, which is not known: left out; cmd_vel_frame '
                    'in a map file (--map) says whether it is base_link or map')  # fmt: skip
            return part.some(~unclear), [line]
        values = part.values.copy()
        values[unclear, COMMAND_FRAME] = kind
        return part._replace(values=values), []

    def _kind_of(self, member: str, names: set[str]) -> float:
        """Return what frames of these names are by the map file and the odometries."""
        if member in self._given:
            return IN_BODY if self._given[member] == BODY else IN_MAP
        own = self._found.told.get((ODOM, member))
        if own is not None and names <= set(map(last_part, own.children)):
            return IN_BODY
        fixed = {name for whose, one in self._found.told.items() if whose[0] == ODOM
                 for name in one.frames}  # fmt: skip
        return IN_MAP if names <= set(map(last_part, fixed)) else NAMED


def _hardest(scenario: FlownScenario | None) -> float:
    """Return the maximum acceleration of a body [m/s2]: twice its vehicle's, or a default."""
    if scenario is None:
        return tracks.HARDEST
    body = scenario.mobility
    return max(tracks.HARDEST, 2.0 * body.max_acc_xy, 2.0 * body.max_acc_z)


def _with_velocity(part: TrackSegment, missing: tracks.Flags) -> TrackSegment:
    """Return a body with the derivative of its positions as velocity, where that is missing."""
    times, first = np.unique(part.times, return_index=True)
    values, missing = part.values[first], missing[first]
    if len(times) > 1:
        seconds = (times - times[0]) / 1e9
        along = np.gradient(values[:, POSITION], seconds, axis=0)
        values[missing, VELOCITY] = along[missing]
    return part._replace(times=times, values=values)


def _columns(part: TrackSegment, *columns: slice) -> tuple[Numbers, ...]:
    """Return times [s] and columns of those rows in which all of them are numbers."""
    found = [part.values[:, one] for one in columns]
    sound = np.isfinite(np.column_stack(found)).all(axis=1)
    return (part.times[sound] - part.times[:1]) / 1e9, *(one[sound] for one in found)
