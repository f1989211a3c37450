"""Normalizes the data of a bag: one clock, one frame, no implausible values."""

from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.frames import ned_to_enu, ned_to_enu_yaw

from soliton_encirclement_ros.analysis.bag.assembly import outliers, track_assembly
from soliton_encirclement_ros.analysis.bag.assembly.clocks import Clock, timed
from soliton_encirclement_ros.analysis.bag.assembly.command_frames import CommandFrames
from soliton_encirclement_ros.analysis.bag.assembly.members import WHOSE, Found
from soliton_encirclement_ros.analysis.bag.assembly.position_checks import (
    Begun,
    doubtful_positions,
    origins_apart,
)
from soliton_encirclement_ros.analysis.bag.assembly.track_assembly import TrackSegment
from soliton_encirclement_ros.analysis.bag.decoding import (
    px4_messages,
    state_columns,
    vehicle_messages,
)
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import (
    NO_VELOCITY,
    last_part,
)
from soliton_encirclement_ros.analysis.bag.topics import topic_roles
from soliton_encirclement_ros.analysis.bag.topics.conventions import words
from soliton_encirclement_ros.analysis.bag.topics.topic_map import (
    CMD_VEL,
    ODOM,
    TELEMETRY,
    TRUTH,
    TopicMap,
)
from soliton_encirclement_ros.analysis.velocity_consistency import (
    is_along_other_axes,
    is_inconsistent,
)
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.scenario.scenario import Scenario

POSITION, VELOCITY, YAW, OTHER_VELOCITY = slice(0, 3), slice(3, 6), 6, slice(7, 10)
STATE_POSITION = slice(state_columns.BODY.index('x'), state_columns.BODY.index('x') + 3)
STATE_VELOCITY = slice(state_columns.BODY.index('vx'), state_columns.BODY.index('vx') + 3)
COMMAND = slice(0, len(vehicle_messages.COMMAND))
YAW_RATE = vehicle_messages.COMMAND.index('yaw_rate')
FRAME = len(vehicle_messages.COMMAND)

NO_ORIGIN = 'the origins of positions are not known'
"""Why there is no verdict on vehicles that have one each."""


class NormalizedTrack(NamedTuple):
    """Known data of a bag besides its messages: a map of names, and the scenario."""

    names: TopicMap | None
    scenario: Scenario | None


class Normalizer:
    """Normalizes all data of one bag; what was removed is added to its problems.

    Attributes:
        parts: All data over time.
        is_foreign: Whether the bag is of no swarm of this package.
        has_unknown_distances: As in a recording.
        doubts: Why positions cannot be judged, in words.
        doubtful: Members whose positions are not theirs, or not in metres.
    """

    def __init__(self, found: Found, clock: Clock, origin_ns: int, given: NormalizedTrack) -> None:
        """Store the data.

        Args:
            found: Rows in the order of the bag; its problems are extended.
            clock: The clock of the recording.
            origin_ns: Its approximate start.
            given: Known data besides.
        """
        self._found, self._clock, self._origin_ns = found, clock, origin_ns
        self._hardest = _hardest(given.scenario)
        self._of_px4: set[WHOSE] = set()
        self.parts: dict[WHOSE, TrackSegment] = {}
        self.has_unknown_distances = False
        self.is_foreign = not found.is_ours(given.scenario)
        frames = given.names.frames if given.names else {}
        self._command_frames = CommandFrames(found.frames, frames, self.is_foreign)
        self.doubts: list[str] = []
        self.doubtful: set[str] = set()

    def run(self) -> dict[WHOSE, TrackSegment]:
        """Return all data over time."""
        for whose in list(self._found.rows):
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
                lines = outliers.claims(part, STATE_POSITION, STATE_VELOCITY, self._hardest)
                self._report(whose, lines)
        return self.parts

    def _report(self, whose: WHOSE, lines: list[str]) -> None:
        self._found.problems.extend(f'{self._found.topics[whose]}: {line}' for line in lines)

    def _timed(self, whose: WHOSE) -> TrackSegment:
        when = timed(self._clock, self._found.rows.pop(whose))
        self._report(whose, when.problems)
        names = self._found.names.get(whose, ())
        part = TrackSegment(when.times, when.rows.values, names).sorted()
        if whose[0] not in (ODOM, TRUTH) or names == px4_messages.ORIGIN:
            return part
        judged = outliers.tracked(part, YAW, self._origin_ns)
        self._report(whose, judged.problems)
        self._report_positions(whose, judged.part)
        return self._in_enu(whose, judged.part)

    def _in_enu(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        """Return a body whose frame has "ned" in its name in east, north, up."""
        frames = self._found.frames[whose].headers
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
        columns = (POSITION, VELOCITY) if part.names == vehicle_messages.OTHER else (POSITION,)
        times, place, *told = _columns(part, *columns)
        children = self._found.frames[whose].children
        doubt = doubtful_positions(times, place, told[0] if told else None, children)
        if doubt is None:
            return
        self._report(whose, [doubt.line])
        if whose[0] == TRUTH or (TRUTH, whose[1]) not in self._found.topics:
            self.doubtful.add(whose[1])
            self._doubt_distances(doubt.reason)

    def _report_origins(self) -> None:
        """Say that vehicles begin at one place of a frame that each of them may have alone."""
        bodies = []
        for whose, part in self.parts.items():
            frames = self._found.frames.get(whose)
            if whose[0] != ODOM or part.names == px4_messages.ORIGIN or frames is None:
                continue
            if whose[1] in self.doubtful or (TRUTH, whose[1]) in self.parts:
                continue
            sound = np.isfinite(part.values[:, POSITION]).all(axis=1)
            if sound.any():
                values = part.values[sound, : YAW + 1]
                known = part._replace(times=part.times[sound], values=values)
                flown = track_assembly.track(known, self._origin_ns)
                bodies += [Begun(whose[1], frame, flown) for frame in frames.headers]
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
                if whose[0] in (ODOM, TRUTH) and part.names == px4_messages.ORIGIN}  # fmt: skip
        self._of_px4.update(of_px4)
        names = {whose: f'{whose[1]}, {TRUTH}' if whose[0] == TRUTH else whose[1]
                 for whose in of_px4}  # fmt: skip
        bodies, problems, is_common = px4_messages.moved(
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
        if whose[0] == TELEMETRY:
            judged = outliers.coordinates(part, slice(0, 6))
        else:
            part = self._with_known_velocity(whose, part)
            judged = outliers.coordinates(part, slice(0, YAW + 1), YAW)
        self._report(whose, judged.problems)
        judged = outliers.motion(judged.part, POSITION, VELOCITY, self._hardest, self._origin_ns)
        self._report(whose, judged.problems)
        return judged.part

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
        if part.names == vehicle_messages.OTHER:
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
            frames = self._found.frames[whose]
            of_body = not frames.children <= {'', *frames.headers}
            told, true = ('body', 'pose') if of_body else ('pose', 'body')
            line = (f'its twist is in the frame of the {true}, not of the {told} as '
                    'child_frame_id says, by its displacements: taken so')  # fmt: skip
            self._report(whose, [line])
        return part._replace(values=values[:, columns], names=())

    def _command(self, whose: WHOSE, part: TrackSegment) -> TrackSegment:
        other = part.values[:, FRAME] == NO_VELOCITY
        if other.any():
            count = np.count_nonzero(other)
            line = f'{count} setpoints of positions or of part of a velocity: left out'
            self._report(whose, [line])
            part = part._replace(times=part.times[~other], values=part.values[~other])
        judged = outliers.coordinates(part, COMMAND, YAW_RATE)
        self._report(whose, judged.problems)
        body = self.parts.get((ODOM, whose[1]))
        found = self._command_frames.in_map(whose[1], judged.part, body)
        self._report(whose, found.problems)
        return found.part


def _hardest(scenario: Scenario | None) -> float:
    """Return the maximum acceleration of a body [m/s2]: twice its vehicle's, or a default."""
    if scenario is None:
        return outliers.HARDEST
    body = scenario.mobility
    return max(outliers.HARDEST, 2.0 * body.max_acc_xy, 2.0 * body.max_acc_z)


def _with_velocity(part: TrackSegment, missing: outliers.Flags) -> TrackSegment:
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
