"""Normalizes the data of a bag: one clock, one frame, no implausible values.

Commands are turned into the map frame; their own follows from a name, a map file or the motion.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from soliton_encirclement_ros.analysis.bag import topic_roles, tracks
from soliton_encirclement_ros.analysis.bag.bag_clock import Clock, assign_times
from soliton_encirclement_ros.analysis.bag.bag_members import BagData, DataKey
from soliton_encirclement_ros.analysis.bag.decoding import joint_states
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import (
    COMMAND, IN_BODY, IN_MAP, NAMED_FRAME, NO_FRAME, NO_VELOCITY, ORIGIN, OTHER, OTHER_VELOCITY,
    POSITION, VELOCITY, YAW, frame_kind
)
from soliton_encirclement_ros.analysis.bag.position_checks import (
    FramedTrack, doubtful_positions, origins_apart
)
from soliton_encirclement_ros.analysis.bag.topic_map import BODY, CMD_VEL, ODOM, TELEMETRY, TRUTH
from soliton_encirclement_ros.analysis.bag.topic_names import last_part, name_words
from soliton_encirclement_ros.analysis.bag.tracks import Checked, TrackSegment
from soliton_encirclement_ros.analysis.bag.velocity_checks import (
    FITTING, fitting_commands, is_along_other_axes, is_inconsistent
)
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario
from velocity_mobility_ros.core.coordinate_frames import (
    levelled_to_world, ned_to_enu, ned_to_enu_yaw
)


def _best_frame(commands: TrackSegment, turned: Numbers, body: TrackSegment) -> float | None:
    """Return which frame of commands the velocity of their vehicle fits.

    ``turned`` are the same velocities, turned by the heading of the body.

    Returns:
        ``IN_MAP``, ``IN_BODY``, ``NO_FRAME`` if both fit as well or as badly, None if they hardly
        differ.
    """
    velocity = body.values[:, VELOCITY]
    sound = np.isfinite(velocity).all(axis=1)
    start = int(min(body.times[0], commands.times[0]))
    at, command_times = ((times - start) / 1e9 for times in (body.times[sound], commands.times))
    reading = fitting_commands(at, velocity[sound], command_times, (commands.values, turned))
    return reading if reading is None else (IN_MAP, IN_BODY, NO_FRAME)[reading]


def _lines(fit: float | None) -> Iterator[str]:
    """Iterate over a line on commands that name no frame."""
    if fit == IN_BODY:
        yield (
            f'commands name no frame; its velocity fits them {FITTING:g} times better or more in '
            'that of the body (base_link) than in map: taken so; cmd_vel_frame: map in a map file '
            '(--map) takes them for those in map'
        )
    elif fit == NO_FRAME:
        yield (
            'commands name no frame, and its velocity fits neither map nor base_link clearly '
            'better: taken for those in map; cmd_vel_frame: base_link in a map file (--map) '
            'takes them for those of the body'
        )


STATE_POSITION = slice(joint_states.STATE.index('x'), joint_states.STATE.index('x') + 3)
STATE_VELOCITY = slice(joint_states.STATE.index('vx'), joint_states.STATE.index('vx') + 3)
COMMAND_VALUES, COMMAND_VELOCITY = slice(0, len(COMMAND)), slice(0, 3)
YAW_RATE, COMMAND_FRAME = COMMAND.index('yaw_rate'), len(COMMAND)

NO_ORIGIN = 'the origins of positions are not known'
"""Reason for no verdict on vehicles with an origin each."""


class Normalizer:
    """Normalizes all data of one bag; what was removed is added to its problems.

    Attributes:
        parts: All data over time.
        is_foreign: Whether the bag is of no swarm of this package.
        has_unknown_distances: As in a recording.
        doubts: Reasons why positions cannot be judged.
        doubtful: Members whose positions are not theirs, or not in metres.
        origin: As in a recording.
    """

    def __init__(
        self, data: BagData, clock: Clock, origin_ns: int, frames: Mapping[str, str],
        scenario: FlownScenario | None,
    ) -> None:  # fmt: skip
        """Store rows in the order of the bag, and what is known of them.

        Args:
            data: The rows; its problems are extended.
            clock: The clock of the recording.
            origin_ns: Its approximate start.
            frames: Frame of the commands by member, where a map file gives it.
            scenario: What was flown, if it is known.
        """
        self._data, self._clock, self._origin_ns = data, clock, origin_ns
        self._max_acceleration = _max_acceleration(scenario)
        self._of_px4: set[DataKey] = set()
        self.parts: dict[DataKey, TrackSegment] = {}
        self.has_unknown_distances = False
        self.is_foreign = not data.is_ours(scenario)
        self._given_frames = frames
        self.doubts: list[str] = []
        self.doubtful: set[str] = set()
        self.origin: tuple[float, float, float] | None = None

    def run(self) -> dict[DataKey, TrackSegment]:
        """Return all data over time."""
        for key in self._data.topics:
            if key[0] != topic_roles.TIME:
                self.parts[key] = self._assign_times(key)
        self._join_origins()
        self._report_origins()
        for key, segment in self.parts.items():
            if key[0] in (ODOM, TELEMETRY, TRUTH):
                self.parts[key] = self._body(key, segment)
        for key, segment in self.parts.items():
            if key[0] == CMD_VEL:
                self.parts[key] = self._command(key, segment)
            elif key[0] == topic_roles.STATES:
                lines = tracks.spike_lines(
                    segment, STATE_POSITION, STATE_VELOCITY, self._max_acceleration
                )
                self._report(key, lines)
        return self.parts

    def _report(self, key: DataKey, lines: list[str]) -> None:
        topic = self._data.topics[key].topic
        self._data.problems.extend(f'{topic}: {line}' for line in lines)

    def _accept(self, key: DataKey, judged: Checked) -> TrackSegment:
        """Return the remaining data of a member, and report the problems."""
        segment, lines = judged
        self._report(key, lines)
        return segment

    def _assign_times(self, key: DataKey) -> TrackSegment:
        times, rows, lines = assign_times(self._clock, self._data.pop_rows(key))
        self._report(key, lines)
        names = self._data.topics[key].names
        segment = TrackSegment(times, rows.values, names).sorted()
        if key[0] not in (ODOM, TRUTH) or names == ORIGIN:
            return segment
        segment = self._accept(key, tracks.drop_untracked(segment, YAW, self._origin_ns))
        self._report_positions(key, segment)
        return self._in_enu(key, segment)

    def _in_enu(self, key: DataKey, segment: TrackSegment) -> TrackSegment:
        """Return a body whose frame has "ned" in its name in east, north, up."""
        frames = self._data.topics[key].frames
        if not frames or not all('ned' in name_words(last_part(frame)) for frame in frames):
            return segment
        self._report(key, [f'{", ".join(map(repr, sorted(frames)))} is north, east, down by '
                             'its name: turned to east, north, up'])  # fmt: skip
        values = segment.values.copy()
        width = values.shape[1]
        for columns in (POSITION, VELOCITY, OTHER_VELOCITY)[: 3 if width > YAW + 1 else 2]:
            values[:, columns] = ned_to_enu(values[:, columns])
        values[:, YAW] = ned_to_enu_yaw(values[:, YAW])
        return segment._replace(values=values)

    def _report_positions(self, key: DataKey, segment: TrackSegment) -> None:
        """Report positions that cannot be those of one body in metres."""
        columns = (POSITION, VELOCITY) if segment.names == OTHER else (POSITION,)
        times, place, *velocity = _columns(segment, *columns)
        children = self._data.topics[key].children
        doubt = doubtful_positions(times, place, velocity[0] if velocity else None, children)
        if doubt is None:
            return
        line, reason = doubt
        self._report(key, [line])
        if key[0] == TRUTH or (TRUTH, key[1]) not in self._data.topics:
            self.doubtful.add(key[1])
            self._doubt_distances(reason)

    def _report_origins(self) -> None:
        """Report vehicles that begin at one place of a frame that may be each one's own."""
        bodies = []
        for key, segment in self.parts.items():
            if key[0] != ODOM or segment.names == ORIGIN:
                continue
            if key[1] in self.doubtful or (TRUTH, key[1]) in self.parts:
                continue
            sound = np.isfinite(segment.values[:, POSITION]).all(axis=1)
            if sound.any():
                known = segment._replace(values=segment.values[:, : YAW + 1]).select(sound)
                flown = tracks.track(known, self._origin_ns)
                frames = self._data.topics[key].frames
                bodies += [FramedTrack(key[1], frame, flown) for frame in frames]
        lines = [*origins_apart(bodies, self.is_foreign)]
        self._data.problems.extend(lines)
        if lines:
            self._doubt_distances(NO_ORIGIN)

    def _doubt_distances(self, reason: str) -> None:
        self.has_unknown_distances = True
        self.doubts.append(reason)

    def _join_origins(self) -> None:
        """Refer the positions of all PX4 vehicles to one origin."""
        of_px4 = {key: segment for key, segment in self.parts.items()
                   if key[0] in (ODOM, TRUTH)
                   and segment.names == ORIGIN}  # fmt: skip
        self._of_px4.update(of_px4)
        names = {key: f'{key[1]}, {TRUTH}' if key[0] == TRUTH else key[1]
                 for key in of_px4}  # fmt: skip
        bodies, problems, is_common = tracks.align_origins(
            {names[key]: segment.values for key, segment in of_px4.items()}
        )
        self.origin = tracks.first_origin(segment.values for segment in of_px4.values())
        self._data.problems.extend(problems)
        if self.is_foreign and is_common and len(bodies) > 1:
            line = 'places count from the origin of the first, by the origins that PX4 tells'
            self._data.problems.append(f'{named([*bodies])}: {line}')
        if not is_common:
            self._doubt_distances(NO_ORIGIN)
        for key, segment in of_px4.items():
            self.parts[key] = segment._replace(values=bodies[names[key]], names=())

    def _body(self, key: DataKey, segment: TrackSegment) -> TrackSegment:
        columns, heading = slice(0, 6), None
        if key[0] != TELEMETRY:
            segment = self._with_known_velocity(key, segment)
            columns, heading = slice(0, YAW + 1), YAW
        segment = self._accept(key, tracks.coordinates(segment, columns, heading))
        moved = tracks.motion(segment, POSITION, VELOCITY, self._max_acceleration, self._origin_ns)
        return self._accept(key, moved)

    def _with_known_velocity(self, key: DataKey, segment: TrackSegment) -> TrackSegment:
        """Return a body with its velocity: as recorded, in the right frame, else of its path."""
        values = segment.values
        missing = np.isnan(values[:, VELOCITY]).all(axis=1)
        has_no_attitude = np.isnan(values[:, YAW]) & np.isfinite(values[:, POSITION]).all(axis=1)
        if key in self._of_px4:
            missing &= missing.all()
        elif has_no_attitude.any():
            count = np.count_nonzero(has_no_attitude)
            line = (f'{count} attitudes are no rotations: headings left out, velocities that '
                    'they turn are those of the path')  # fmt: skip
            self._report(key, [line])
        if segment.names == OTHER:
            segment = self._in_right_frame(key, segment)
            columns = _columns(segment, POSITION, VELOCITY)
            if not columns[2].any() and is_inconsistent(*columns):
                missing[:] = True
                line = 'its twist is 0 although it moves: velocities are those of the path'
                self._report(key, [line])
            elif not has_no_attitude.all() or is_inconsistent(*columns):  # else nothing was turned
                missing |= has_no_attitude
        return _with_velocity(segment, missing) if missing.any() else segment

    def _in_right_frame(self, key: DataKey, segment: TrackSegment) -> TrackSegment:
        """Return a body by an Odometry, its twist in the frame that fits its displacements."""
        columns, values = [*range(YAW + 1)], segment.values
        if is_along_other_axes(*_columns(segment, POSITION, VELOCITY, OTHER_VELOCITY)):
            columns[VELOCITY] = range(YAW + 1, YAW + 4)
            data = self._data.topics[key]
            of_body = not {*data.children} <= {'', *data.frames}
            wrong, true = ('body', 'pose') if of_body else ('pose', 'body')
            line = (f'its twist is in the frame of the {true}, not of the {wrong} as '
                    'child_frame_id says, by its displacements: taken so')  # fmt: skip
            self._report(key, [line])
        return segment._replace(values=values[:, columns], names=())

    def _command(self, key: DataKey, segment: TrackSegment) -> TrackSegment:
        other = segment.values[:, COMMAND_FRAME] == NO_VELOCITY
        if other.any():
            count = np.count_nonzero(other)
            line = f'{count} setpoints of positions or of part of a velocity: left out'
            self._report(key, [line])
            segment = segment.select(~other)
        segment = self._accept(key, tracks.coordinates(segment, COMMAND_VALUES, YAW_RATE))
        body = self.parts.get((ODOM, key[1]))
        return self._accept(key, self._in_map(key[1], segment, body))

    def _in_map(self, member: str, segment: TrackSegment, body: TrackSegment | None) -> Checked:
        """Turn the commands whose frame, the last column, is that of the body by its heading."""
        segment, problems = self._in_known_frame(member, segment)
        frames, values = segment.values[:, COMMAND_FRAME], segment.values[:, COMMAND_VALUES].copy()
        no_frame = frames == NO_FRAME
        in_body = (frames == IN_BODY) | (no_frame & (self._given_frames.get(member) == BODY))
        known = [] if body is None else np.flatnonzero(np.isfinite(body.values[:, YAW]))
        if body is None or not len(known):
            if not in_body.any():
                return segment._replace(values=values), problems
            problems.append(f'{np.count_nonzero(in_body)} commands in the frame of a body '
                            'whose heading is not known: left out')  # fmt: skip
            return segment._replace(values=values).select(~in_body), problems
        yaw = np.interp(segment.times, body.times[known], np.unwrap(body.values[known, YAW]))
        turned = levelled_to_world(yaw, values[:, COMMAND_VELOCITY])
        if self.is_foreign and member not in self._given_frames and no_frame.any():
            commands = segment._replace(values=values[:, COMMAND_VELOCITY]).select(no_frame)
            fit = _best_frame(commands, turned[no_frame], body)
            problems += _lines(fit)
            in_body |= no_frame & (fit == IN_BODY)
        values[in_body, COMMAND_VELOCITY] = turned[in_body]
        return segment._replace(values=values), problems

    def _in_known_frame(self, member: str, segment: TrackSegment) -> Checked:
        """Return the commands whose frame is known, by its name or by an odometry."""
        unclear = segment.values[:, COMMAND_FRAME] == NAMED_FRAME
        if not unclear.any():
            return segment, []
        frame_names = self._data.topics[CMD_VEL, member].frames
        frames = {name for name in frame_names if frame_kind(name) == NAMED_FRAME}
        kind = self._kind_of(member, set(map(last_part, frames)))
        if kind == NAMED_FRAME:
            names, count = ', '.join(map(repr, sorted(frames))), np.count_nonzero(unclear)
            line = (f'{count} commands in {names}, which is not known: left out; cmd_vel_frame '
                    'in a map file (--map) says whether it is base_link or map')  # fmt: skip
            return segment.select(~unclear), [line]
        values = segment.values.copy()
        values[unclear, COMMAND_FRAME] = kind
        return segment._replace(values=values), []

    def _kind_of(self, member: str, names: set[str]) -> float:
        """Return the kind of frames of these names, by the map file and the odometries."""
        if member in self._given_frames:
            return IN_BODY if self._given_frames[member] == BODY else IN_MAP
        own = self._data.topics.get((ODOM, member))
        if own is not None and names <= set(map(last_part, own.children)):
            return IN_BODY
        fixed = {name for key, data in self._data.topics.items() if key[0] == ODOM
                 for name in data.frames}  # fmt: skip
        return IN_MAP if names <= set(map(last_part, fixed)) else NAMED_FRAME


def _max_acceleration(scenario: FlownScenario | None) -> float:
    """Return the maximum acceleration of a body [m/s2]: twice its vehicle's, or a default."""
    if scenario is None:
        return tracks.HARDEST
    body = scenario.mobility
    return max(tracks.HARDEST, 2.0 * body.max_acc_xy, 2.0 * body.max_acc_z)


def _with_velocity(segment: TrackSegment, missing: tracks.Flags) -> TrackSegment:
    """Return a body with the derivative of its positions as velocity, where that is missing."""
    times, first = np.unique(segment.times, return_index=True)
    values, missing = segment.values[first], missing[first]
    if len(times) > 1:
        seconds = (times - times[0]) / 1e9
        along = np.gradient(values[:, POSITION], seconds, axis=0)
        values[missing, VELOCITY] = along[missing]
    return segment._replace(times=times, values=values)


def _columns(segment: TrackSegment, *columns: slice) -> tuple[Numbers, ...]:
    """Return times [s] and columns of those rows in which all of them are numbers."""
    selected = [segment.values[:, column] for column in columns]
    sound = np.isfinite(np.column_stack(selected)).all(axis=1)
    seconds = (segment.times[sound] - segment.times[:1]) / 1e9
    return seconds, *(values[sound] for values in selected)
