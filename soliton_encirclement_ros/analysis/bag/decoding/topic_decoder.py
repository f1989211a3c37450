"""Decodes all messages of a relevant topic into rows, of one form for all types of vehicles.

PX4's frames (NED, FRD) are converted to those of ROS (ENU, FLU). A message may list the poses of
several bodies: frames of /tf, rigid bodies of motion capture.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag import topic_roles
from soliton_encirclement_ros.analysis.bag.decoding.joint_states import JointStateDecoder
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    Group, MessageRows, Numbers, TopicRows, TopicTimes, Types, groups
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers, MessageBatch
from soliton_encirclement_ros.analysis.bag.topic_names import FIXED_FRAMES, last_part
from velocity_mobility_ros.core.cdr_readers import BatchReader
from velocity_mobility_ros.core.coordinate_frames import (
    bodies_to_world, frd_ned_to_flu_enu, frd_to_flu, ned_to_enu, ned_to_enu_yaw, yaws
)

BODY = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'yaw')
"""Columns of a body: position [m] and velocity [m/s] in map, heading [rad]; NaN if missing."""

POSITION, VELOCITY, YAW, OTHER_VELOCITY = slice(0, 3), slice(3, 6), 6, slice(7, 10)

OTHER = ('vx_other', 'vy_other', 'vz_other')
"""Columns behind those of a body by an Odometry: its velocity [m/s] in map if the twist is not in
the frame that it names, but in the other of the two."""

COMMAND = ('vx', 'vy', 'vz', 'yaw_rate')
"""Columns of a command: velocity [m/s], yaw rate [rad/s]; its frame follows them."""

NO_FRAME, IN_MAP, IN_BODY, NO_VELOCITY, NAMED_FRAME = -1.0, 0.0, 1.0, 2.0, 3.0
"""Frames of a command: not given, the map, the levelled body; no velocity at all; or a name that
alone does not tell the kind of frame."""

BODY_FRAMES = ('base_link', 'base_footprint')
"""Last parts of names that are those of a body (REP-105)."""

VECTOR, QUATERNION = ('x', 'y', 'z'), ('x', 'y', 'z', 'w')
POSE, TWIST = 'pose.pose', 'twist.twist'

UNTRACKED = np.inf
"""Replaces the heading where position and quaternion are all 0: so motion capture marks a body
that it does not see."""

NO_UNIT = 0.01
"""Maximum deviation of a quaternion's length from 1."""

Extractor = Callable[[Group], Numbers]


def odometry(group: Group) -> Numbers:
    """Return ``BODY`` and ``OTHER`` of nav_msgs/Odometry, whose velocity is in the child's frame.

    What would have to be turned by an attitude that is no rotation is NaN; one of zeros, as of a
    message that nobody filled, turns nothing.
    """
    position = _vector(group, f'{POSE}.position')
    attitude = _vector(group, f'{POSE}.orientation', QUATERNION)
    twist = _vector(group, f'{TWIST}.linear')
    yaw = _headings(position, attitude)
    turned = bodies_to_world(attitude, twist)
    turned[np.isnan(yaw) & attitude.any(axis=1)] = np.nan
    texts = group.layout.texts
    of_body = texts['child_frame_id'] not in (('',), texts['header.frame_id'])
    velocity, other = (turned, twist) if of_body else (twist, turned)
    return np.column_stack([position, velocity, yaw, other])


def body_columns(position: Numbers, attitude: Numbers) -> Numbers:
    """Return ``BODY`` of positions [m], (M, 3), and attitudes, (M, 4), without velocities."""
    velocity, yaw = np.full_like(position, np.nan), _headings(position, attitude)
    return np.column_stack([position, velocity, yaw])


def pose_in(position: str, attitude: str) -> Extractor:
    """Return the extractor of ``BODY`` from a message with a pose and no velocity."""
    return lambda group: body_columns(
        _vector(group, position), _vector(group, attitude, QUATERNION)
    )


def twist_stamped(group: Group) -> Numbers:
    """Return ``COMMAND`` and frame of geometry_msgs/TwistStamped."""
    (frame,) = group.layout.texts['header.frame_id']
    return _command(group, 'twist.', frame_kind(frame))


def frame_kind(frame: str) -> float:
    """Return the kind of a command's frame, by its name alone."""
    name = last_part(frame)
    if name in BODY_FRAMES:
        return IN_BODY
    return IN_MAP if name in FIXED_FRAMES else NAMED_FRAME if frame else NO_FRAME


def _command(group: Group, path: str, frame: float) -> Numbers:
    turn = group.numbers(f'{path}angular.z')
    return np.column_stack([_vector(group, f'{path}linear'), turn, np.full(len(turn), frame)])


def _headings(position: Numbers, attitude: Numbers) -> Numbers:
    """Return headings; NaN where the attitude is not a rotation, or ``UNTRACKED``."""
    norm = np.sqrt((attitude * attitude).sum(axis=1))
    headings = np.where(np.abs(norm - 1.0) <= NO_UNIT, yaws(attitude), np.nan)
    return np.where(position.any(axis=1) | attitude.any(axis=1), headings, UNTRACKED)


def _vector(group: Group, path: str, axes: tuple[str, ...] = VECTOR) -> Numbers:
    return group.numbers(*(f'{path}.{axis}' for axis in axes)).astype(float)


NED = 1
BODY_FRD = 3
"""Values of ``pose_frame`` and ``velocity_frame``."""

ORIGIN = ('ref_lat', 'ref_lon', 'ref_alt')
"""Columns behind those of a body: origin [deg, deg, m], NaN where it is not known."""


def local_position(group: Group) -> Numbers:
    """Return a body and its origin from VehicleLocalPosition; NaN for values invalid in PX4."""
    position = _column(group, 'x', 'y', 'z')
    velocity = _column(group, 'vx', 'vy', 'vz')
    valid = {name: _column(group, f'{name}_valid')[:, 0] != 0.0 for name in VALIDITIES}
    position[~(valid['xy'] & valid['z'])] = np.nan
    velocity[~(valid['v_xy'] & valid['v_z'])] = np.nan
    yaw, origin = ned_to_enu_yaw(_column(group, 'heading')[:, 0]), _column(group, *ORIGIN)
    origin[(_column(group, 'xy_global', 'z_global') == 0.0).any(axis=1)] = np.nan
    return np.column_stack([ned_to_enu(position), ned_to_enu(velocity), yaw, origin])


def vehicle_odometry(group: Group) -> Numbers:
    """Return a body from VehicleOdometry, without an origin."""
    position, reported = ned_to_enu(_column(group, 'position')), _column(group, 'velocity')
    attitude = frd_ned_to_flu_enu(_column(group, 'q')[:, [1, 2, 3, 0]])
    pose_frame = _column(group, 'pose_frame')[:, 0]
    velocity_frame = _column(group, 'velocity_frame')[:, 0]
    velocity, in_body = ned_to_enu(reported), velocity_frame == BODY_FRD
    velocity[in_body] = bodies_to_world(attitude[in_body], frd_to_flu(reported[in_body]))
    position[pose_frame != NED] = np.nan
    velocity[~in_body & (velocity_frame != NED)] = np.nan
    unknown = np.full((len(position), len(ORIGIN)), np.nan)
    return np.column_stack([position, velocity, yaws(attitude), unknown])


def setpoint(group: Group) -> Numbers:
    """Return a command from TrajectorySetpoint; NaN for an open turn rate.

    With a position setpoint, the velocity is only a feed-forward, usually zero.
    """
    position, velocity = _column(group, 'position'), _column(group, 'velocity')
    is_other = np.isfinite(position).any(axis=1) | np.isnan(velocity).any(axis=1)
    frame = np.where(is_other, NO_VELOCITY, IN_MAP)
    return np.column_stack([ned_to_enu(velocity), -_column(group, 'yawspeed'), frame])


VALIDITIES = ('xy', 'z', 'v_xy', 'v_z')


def _column(group: Group, *names: str) -> Numbers:
    return np.column_stack([group.numbers(name).astype(float) for name in names])


class ListFields(NamedTuple):
    """Fields of a message with a list of poses.

    Attributes:
        items: The list.
        name: Name of an item's body; empty where only its place in the list tells it.
        frame: Frame of an item's pose, of which the message has one if this is empty.
        position: Its position.
        attitude: Its attitude.
    """

    items: str
    name: str
    frame: str
    position: str
    attitude: str


FIELDS = {
    topic_roles.FRAMES: ListFields(
        'transforms', 'child_frame_id', 'header', 'transform.translation', 'transform.rotation'
    ),
    topic_roles.POSE_ARRAY: ListFields('poses', '', '', 'position', 'orientation'),
    topic_roles.NAMED_POSES: ListFields('poses', 'name', '', 'pose.position', 'pose.orientation'),
    topic_roles.RIGID_BODIES: ListFields(
        'rigidbodies', 'rigid_body_name', '', 'pose.position', 'pose.orientation'
    ),
}


class Entry(NamedTuple):
    """Name of a body in a list, and the frame of its pose."""

    name: str
    frame: str


class ListDecoder:
    """Gathers the poses of every body in the messages of a topic.

    Attributes:
        sizes: Number of poses of every body.
        lengths: Numbers of items in the messages.
    """

    def __init__(self, fields: ListFields, times: TopicTimes) -> None:
        """Begin with none of a topic's messages; invalid stamps of items count in its times."""
        self._fields, self._times = fields, times
        self._pending: dict[Entry, TopicRows] = {}
        self.sizes: Counter[Entry] = Counter()
        self.lengths: set[int] = set()

    def add(self, group: Group, places: Integers) -> None:
        """Take some messages; items without a needed name are left out.

        Raises:
            KeyError: The type lacks a field.
        """
        count = 0
        items, position = self._fields.items, self._fields.position
        while f'{items}[{count}].{position}.x' in group.layout.fields:
            self._take(group, places, count)
            count += 1
        self.lengths.add(count)

    def pop_all(self) -> dict[Entry, MessageRows]:
        """Return the rows of all bodies, positions [m] and quaternions, and release them."""
        pending, self._pending = self._pending, {}
        rows_of = {entry: rows.pop_all()[1] for entry, rows in pending.items()}
        return {entry: rows for entry, rows in rows_of.items() if len(rows.logged)}

    def _take(self, group: Group, places: Integers, k: int) -> None:
        item, fields = f'{self._fields.items}[{k}]', self._fields
        header = f'{item}.{fields.frame}' if fields.frame else 'header'
        (name,) = group.layout.texts[f'{item}.{fields.name}'] if fields.name else (str(k),)
        (frame,) = group.layout.texts[f'{header}.frame_id']
        if not name:
            return
        stamps = []
        if fields.frame:
            sec, nanosec = (group.numbers(f'{header}.stamp.{unit}')[:, 0].astype(np.int64)
                            for unit in ('sec', 'nanosec'))  # fmt: skip
            stamps = [self._times.tally.times(sec, nanosec)]
        position = _vector(group, f'{item}.{fields.position}')
        attitude = _vector(group, f'{item}.{fields.attitude}', QUATERNION)
        self.sizes[Entry(name, frame)] += len(places)
        rows = self._pending.setdefault(Entry(name, frame), TopicRows(self._times))
        rows.add(places, np.column_stack([position, attitude]), *stamps)


EXTRACTORS: dict[str, Extractor] = {
    topic_roles.CLOCK_TYPE: lambda group: np.zeros((len(group.rows), 0)),
    topic_roles.ODOMETRY: odometry,
    topic_roles.POSE: pose_in('pose.position', 'pose.orientation'),
    topic_roles.POSE_COVARIANCE: pose_in('pose.pose.position', 'pose.pose.orientation'),
    topic_roles.TRANSFORM: pose_in('transform.translation', 'transform.rotation'),
    topic_roles.TWIST: lambda group: _command(group, '', NO_FRAME),
    topic_roles.TWIST_STAMPED: twist_stamped,
    topic_roles.LOCAL_POSITION: local_position,
    topic_roles.VEHICLE_ODOMETRY: vehicle_odometry,
    topic_roles.SETPOINT: setpoint,
}
"""Function that converts a group of messages into rows, by type; JointState and lists of poses
go by names."""


FURTHER_COLUMNS: dict[str, tuple[str, ...]] = {
    topic_roles.ODOMETRY: OTHER,
    topic_roles.LOCAL_POSITION: ORIGIN,
    topic_roles.VEHICLE_ODOMETRY: ORIGIN,
}
"""Columns behind those of a body, by type."""


class TopicDecoder:
    """Decodes the messages of one topic.

    Attributes:
        decoded_count: Number of messages that could be decoded.
    """

    def __init__(self, types: Types, type_name: str, times: TopicTimes) -> None:
        """Store the type, and the times of the messages."""
        self._reader = BatchReader(types.fields[type_name])
        self.further_columns = FURTHER_COLUMNS.get(type_name, ())
        self._extract = EXTRACTORS.get(type_name)
        self.joints = JointStateDecoder(times)
        self.bodies = ListDecoder(FIELDS[type_name], times) if type_name in FIELDS else None
        self.frames: set[str] = set()
        self.children: set[str] = set()
        self._rows = TopicRows(times)
        self._count = self.decoded_count = 0
        self._missing_field = ''

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        for group in groups(self._reader, batch):
            places = group.rows + self._count
            self.frames.update(group.layout.texts.get('header.frame_id', ()))
            self.children.update(group.layout.texts.get('child_frame_id', ()))
            try:
                if self.bodies is not None:
                    self.bodies.add(group, places)
                elif self._extract is not None:
                    self._rows.add(places, self._extract(group))
                else:
                    self.joints.add(group, places)
                self.decoded_count += len(places)
            except (KeyError, ValueError) as error:
                self._missing_field = f'its type lacks the field {error}'
        self._count += len(batch.starts)

    @property
    def decode_error(self) -> str:
        """The messages that could not be decoded, empty if all were."""
        if self._missing_field:
            return f'cannot be decoded: {self._missing_field}'
        odd, unequal = self._reader.odd, self.joints.unequal
        if odd:
            return f'{odd} of {self._count} messages are damaged or of another type: left out'
        return f'{unequal} messages with lists of different lengths: left out' if unequal else ''

    def rows(self) -> MessageRows | None:
        """Return all rows and release them; None if there are none."""
        rows = self._rows.pop_all()[1] if self.decoded_count and self._extract else None
        return rows if rows is not None and len(rows.logged) else None
