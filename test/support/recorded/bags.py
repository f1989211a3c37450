"""For tests of reading bags: flights, messages of vehicles, and every form that a bag may have."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import yaml
from mcap.writer import Writer as McapWriter
from rosbags.rosbag2 import CompressionFormat, CompressionMode, Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sinks.bag_sink import BagSink
from support.chunks import fly_into, lively
from velocity_mobility_ros.core.coordinate_frames import quaternion_from_yaw

TYPES = get_typestore(Stores.LATEST)

PX4_DEFINITIONS = {
    'px4_msgs/msg/VehicleLocalPosition': (
        'uint32 MESSAGE_VERSION = 1\nuint64 timestamp # microseconds\nuint64 timestamp_sample\n'
        'bool xy_valid\nbool z_valid\nbool v_xy_valid\nbool v_z_valid\n'
        'float32 x\nfloat32 y\nfloat32 z\nfloat32[2] delta_xy\nuint8 xy_reset_counter\n'
        'float32 vx\nfloat32 vy\nfloat32 vz\nfloat32 heading\nbool xy_global\nbool z_global\n'
        'uint64 ref_timestamp\nfloat64 ref_lat\nfloat64 ref_lon\nfloat32 ref_alt\n'
    ),
    'px4_msgs/msg/VehicleOdometry': (
        'uint64 timestamp\nuint64 timestamp_sample\nuint8 POSE_FRAME_NED = 1\nuint8 pose_frame\n'
        'float32[3] position\nfloat32[4] q\nuint8 velocity_frame\nfloat32[3] velocity\n'
        'float32[3] angular_velocity\nuint8 reset_counter\nint8 quality\n'
    ),
    'px4_msgs/msg/TrajectorySetpoint': (
        'uint64 timestamp\nfloat32[3] position\nfloat32[3] velocity\nfloat32[3] acceleration\n'
        'float32[3] jerk\nfloat32 yaw\nfloat32 yawspeed\n'
    ),
}
"""Fields as the vehicles publish them, with some of those left out that nobody reads."""


def px4_types() -> Any:
    """Return a store of types that knows PX4's."""
    types = get_typestore(Stores.LATEST)
    for name, text in PX4_DEFINITIONS.items():
        types.register(get_types_from_msg(text, name))
    return types


class Raw(NamedTuple):
    """A message as it lies in a bag."""

    topic: str
    type: str
    time_ns: int
    data: bytes


class Form(NamedTuple):
    """How a bag is written."""

    storage: StoragePlugin = StoragePlugin.MCAP
    compression: CompressionMode = CompressionMode.NONE
    version: int = 9


FORMS = {
    f'{storage.name.lower()}-{compression.name.lower()}-{version}': Form(
        storage, compression, version
    )
    for storage in StoragePlugin
    for compression in CompressionMode
    for version in (8, 9)
    if (storage, compression) != (StoragePlugin.SQLITE3, CompressionMode.STORAGE)
}
"""Everything that the library writes."""


def raw_messages(bag: Path) -> Iterator[Raw]:
    """Iterate over the messages of a bag."""
    with Reader(bag) as reader:
        for connection, time_ns, data in reader.messages():
            yield Raw(connection.topic, connection.msgtype, time_ns, bytes(data))


def write_bag(
    folder: Path,
    messages: Iterable[Raw],
    form: Form = FORMS['mcap-none-9'],
    types: Any = TYPES,
    empty: Iterable[tuple[str, str]] = (),
) -> Path:
    """Write a bag, also with topics of some names and types but no messages; return its folder."""
    writer = Writer(folder, version=form.version, storage_plugin=form.storage)
    if form.compression is not CompressionMode.NONE:
        writer.set_compression(form.compression, CompressionFormat.ZSTD)
    connections: dict[str, Any] = {}
    with writer:
        for topic, kind in empty:
            writer.add_connection(topic, kind, typestore=types)
        for topic, kind, time_ns, data in messages:
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=types)
            writer.write(connections[topic], time_ns, data)
    return folder


def read_messages(folder: Path, messages: Iterable[Raw], *given: Any) -> Recording:
    """Write a bag into a folder, and read it."""
    return read_recording(write_bag(folder / 'bag', messages), *given)


def circle(count: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Return positions and velocities on a circle of 5 m, at 5 m/s, at 50 Hz."""
    t = np.arange(count) * 0.02
    position = np.column_stack([5 * np.cos(t), 5 * np.sin(t), 0 * t])
    return position, np.column_stack([-position[:, 1], position[:, 0], 0 * t])


def fly_bag(folder: Path, scenario: Scenario) -> Path:
    """Fly a scenario and leave its bag, as a simulation does."""
    fly_into(BagSink(folder, scenario), scenario)
    return folder


@cache
def flown_messages() -> tuple[Raw, ...]:
    """Return the messages of a simulated flight, flown once."""
    with TemporaryDirectory() as folder:
        return tuple(raw_messages(fly_bag(Path(folder) / 'flown', lively())))


def beside_a_flight(folder: Path, *messages: Raw, form: str = 'mcap-none-9') -> Path:
    """Write a bag of a simulated flight with further messages and return its folder."""
    everything = sorted([*flown_messages(), *messages], key=lambda one: one.time_ns)
    return write_bag(folder, everything, FORMS[form])


def as_humble(bag: Path, version: int = 5) -> None:
    """Turn a bag in sqlite3 into one of Humble: no definitions, no hashes, older metadata."""
    path = bag / 'metadata.yaml'
    content = yaml.safe_load(path.read_text(encoding='utf-8'))
    told = content['rosbag2_bagfile_information']
    told['version'] = version
    told.pop('ros_distro')
    if version < 6:
        told.pop('custom_data')
    for topic in told['topics_with_message_count']:
        topic['topic_metadata'].pop('type_description_hash')
        topic['topic_metadata']['offered_qos_profiles'] = ''
    path.write_text(yaml.safe_dump(content), encoding='utf-8')
    (file,) = bag.glob('*.db3')
    with sqlite3.connect(file) as database:
        database.execute('DROP TABLE message_definitions')
        database.execute('DROP TABLE schema')
        database.execute('ALTER TABLE topics DROP COLUMN type_description_hash')
    database.close()


class Scribe:
    """Serializes messages of vehicles."""

    def __init__(self, types: Any = TYPES, little_endian: bool = True) -> None:
        self.types, self._little = types, little_endian

    def make(self, kind: str, **fields: Any) -> Any:
        return self.types.types[kind](**fields)

    def bytes(self, kind: str, **fields: Any) -> bytes:
        message = self.make(kind, **fields)
        return bytes(self.types.serialize_cdr(message, kind, little_endian=self._little))

    def stamp(self, time_ns: int) -> Any:
        sec, nanosec = divmod(time_ns, 10**9)
        return self.make('builtin_interfaces/msg/Time', sec=sec, nanosec=nanosec)

    def header(self, time_ns: int, frame: str = 'map') -> Any:
        return self.make('std_msgs/msg/Header', stamp=self.stamp(time_ns), frame_id=frame)

    def vector(self, kind: str, values: Sequence[float]) -> Any:
        named = dict(zip('xyzw', values, strict=False))
        return self.make(f'geometry_msgs/msg/{kind}', **named)

    def pose(self, position: Sequence[float], attitude: Sequence[float]) -> Any:
        point, quaternion = self.vector('Point', position), self.vector('Quaternion', attitude)
        return self.make('geometry_msgs/msg/Pose', position=point, orientation=quaternion)

    def twist(self, velocity: Sequence[float], yaw_rate: float = 0.0) -> Any:
        linear, turn = self.vector('Vector3', velocity), self.vector('Vector3', (0, 0, yaw_rate))
        return self.make('geometry_msgs/msg/Twist', linear=linear, angular=turn)

    def odometry(
        self, time_ns: int, position: Sequence[float], velocity: Sequence[float],
        attitude: Sequence[float] = (0.0, 0.0, 0.0, 1.0), child: str = 'base_link',
        frame: str = 'map',
    ) -> bytes:  # fmt: skip
        posed, covariance = self.pose(position, attitude), np.zeros(36)
        pose_type = 'geometry_msgs/msg/PoseWithCovariance'
        twist_type = 'geometry_msgs/msg/TwistWithCovariance'
        return self.bytes(
            'nav_msgs/msg/Odometry',
            header=self.header(time_ns, frame),
            child_frame_id=child,
            pose=self.make(pose_type, pose=posed, covariance=covariance),
            twist=self.make(twist_type, twist=self.twist(velocity), covariance=covariance),
        )

    def cmd_vel(self, velocity: Sequence[float], yaw_rate: float = 0.0) -> bytes:
        twist = self.twist(velocity, yaw_rate)
        return self.bytes('geometry_msgs/msg/Twist', linear=twist.linear, angular=twist.angular)

    def cmd_vel_stamped(self, time_ns: int, velocity: Sequence[float], frame: str) -> bytes:
        kind = 'geometry_msgs/msg/TwistStamped'
        return self.bytes(kind, header=self.header(time_ns, frame), twist=self.twist(velocity))

    def pose_stamped(
        self, time_ns: int, position: Sequence[float], attitude: Sequence[float]
    ) -> bytes:
        kind, posed = 'geometry_msgs/msg/PoseStamped', self.pose(position, attitude)
        return self.bytes(kind, header=self.header(time_ns), pose=posed)

    def frames(
        self, time_ns: int, *links: tuple[str, str, Sequence[float], float | None]
    ) -> bytes:
        """Serialize a TFMessage: of each frame its parent, name, position [m] and yaw [rad].

        A yaw of None is a quaternion of zeros.
        """
        kind = 'geometry_msgs/msg/Transform'
        transforms = [
            self.make(
                'geometry_msgs/msg/TransformStamped', header=self.header(time_ns, parent),
                child_frame_id=child,
                transform=self.make(
                    kind, translation=self.vector('Vector3', position),
                    rotation=self.vector(
                        'Quaternion', (0.0,) * 4 if yaw is None else quaternion_from_yaw(yaw)
                    ),
                ),
            )
            for parent, child, position, yaw in links
        ]  # fmt: skip
        return self.bytes('tf2_msgs/msg/TFMessage', transforms=transforms)

    def pose_array(self, time_ns: int, positions: Iterable[Sequence[float]]) -> bytes:
        poses = [self.pose(position, (0.0, 0.0, 0.0, 1.0)) for position in positions]
        kind = 'geometry_msgs/msg/PoseArray'
        return self.bytes(kind, header=self.header(time_ns), poses=poses)

    def clock(self, time_ns: int) -> bytes:
        return self.bytes('rosgraph_msgs/msg/Clock', clock=self.stamp(time_ns))

    def joints(
        self, time_ns: int, names: list[str], positions: Sequence[float],
        velocities: Sequence[float] = (),
    ) -> bytes:  # fmt: skip
        lists = [np.array(values, float) for values in (positions, velocities, ())]
        named = dict(zip(('position', 'velocity', 'effort'), lists, strict=True))
        kind = 'sensor_msgs/msg/JointState'
        return self.bytes(kind, header=self.header(time_ns), name=names, **named)


def flight(
    scribe: Scribe, namespace: str = '/uav_1', start_ns: int = 1_700_000_000 * 10**9,
    count: int = 100, period_ns: int = 20_000_000, latency_ns: int = 1_000_000,
) -> list[Raw]:  # fmt: skip
    """Return odometry and commands of a vehicle that flies a circle of 5 m at 1 rad/s."""
    messages = []
    for k in range(count):
        at = start_ns + k * period_ns
        t = k * period_ns / 1e9
        position = (5 * np.cos(t), 5 * np.sin(t), 2.0)
        velocity = (-5 * np.sin(t), 5 * np.cos(t), 0.0)
        odometry = scribe.odometry(at, position, velocity, child='map')
        logged = at + latency_ns
        messages.append(Raw(f'{namespace}/odom', 'nav_msgs/msg/Odometry', logged, odometry))
        command = scribe.cmd_vel(velocity, 1.0)
        messages.append(Raw(f'{namespace}/cmd_vel', 'geometry_msgs/msg/Twist', logged, command))
    return messages


VALUED = ('states', 'telemetry')
"""Parts of a member whose last field holds columns by name."""


def samples(recording: Recording) -> dict[tuple[str, str], np.ndarray]:
    """Return all samples of a recording by member and kind, a row each."""
    found: dict[tuple[str, str], np.ndarray] = {}
    for name, member in recording.members.items():
        for kind in ('track', 'commands', 'states', 'telemetry'):
            part = getattr(member, kind)
            if part is not None:
                columns = [column for column in part if isinstance(column, np.ndarray)]
                extra = [*part[-1].values()] if kind in VALUED else []
                found[name, kind] = np.column_stack([*columns, *extra]).astype(float)
    return found


def same(one: Recording, other: Recording) -> bool:
    """Say whether two recordings hold the same samples, bit for bit."""
    first, second = samples(one), samples(other)
    return list(first) == list(second) and all(
        np.array_equal(first[key], second[key], equal_nan=True) for key in first
    )


def with_mcap(path: Path, messages: Iterable[Raw], **how: Any) -> Path:
    """Write a file with the library of the format itself; ``how`` are options of its writer."""
    with path.open('wb') as file:
        writer = McapWriter(file, **{'chunk_size': 20_000, **how})
        writer.start('ros2', 'other')
        channels: dict[str, int] = {}
        for topic, kind, time_ns, data in messages:
            if topic not in channels:
                text = TYPES.generate_msgdef(kind, ros_version=2)[0].encode()
                schema = writer.register_schema(kind, 'ros2msg', text)
                channels[topic] = writer.register_channel(topic, 'cdr', schema)
            writer.add_message(channels[topic], time_ns, data, time_ns)
        writer.finish()
    return path
