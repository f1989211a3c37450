"""Messages from and to bytes are those of ROS, and what is wrong with them is refused."""

import math
import random
import struct

import pytest
from geometry_msgs.msg import Point, Quaternion, Twist, TwistStamped
from hypothesis import given, strategies as some
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message, serialize_message
from rosbags.typesys import Stores, get_typestore
from sensor_msgs.msg import JointState

from support.ros.bodies import level_message
from support.ros.damaged_bytes import damaged
from support.ros.sent_messages import (
    command_to_stamped, command_to_twist, odometry_message, odometry_values, values_to_joint_state
)
from velocity_mobility_ros.core import cdr, cdr_readers
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.message_conversion import level_odometry
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CommandReader, CommandWriter, CoordinateReader, Coordinates, CoordinateWriter, OdometryWriter,
    SerializedOdometry
)
from velocity_mobility_ros.ros_io.node_time import time_to_ns

STAMP = 1_234_567_890_123_456_789

TEXTS = some.text(some.characters(exclude_characters='\0', exclude_categories=['Cs']), max_size=9)
FLOATS = some.lists(some.floats(width=64), max_size=9)


def bits(found):
    """Return coordinates so that NaN equals NaN."""
    stamp_ns, frame, names, positions, velocities = found
    numbers = [struct.pack(f'{len(each)}d', *each) for each in (positions, velocities)]
    return stamp_ns, frame, tuple(names), *numbers


def coordinates(message):
    """Return what stands in a JointState."""
    return Coordinates(
        time_to_ns(message.header.stamp), message.header.frame_id, tuple(message.name),
        message.position, message.velocity,
    )  # fmt: skip


def as_ros_writes(message, fields):
    """Return a message as ROS serializes it, with zeros where it leaves what was in memory."""
    data = serialize_message(message)
    layout = cdr.Layout(fields, data)
    return layout.write(layout.read(data))


@pytest.fixture
def learnt(monkeypatch):
    """Return the messages from which readers learnt a layout."""
    seen, learn = [], cdr_readers.MessageReader._learn
    monkeypatch.setattr(
        cdr_readers.MessageReader,
        '_learn',
        lambda self, data: seen.append(data) or learn(self, data),
    )
    return seen


@given(some.lists(TEXTS, max_size=9), FLOATS, FLOATS, TEXTS)
def test_coordinates_there_and_back(names, positions, velocities, frame):
    data = CoordinateWriter().write(STAMP, names, positions, velocities, frame)
    expected = values_to_joint_state(STAMP, names, positions, velocities, frame)
    assert bits(coordinates(deserialize_message(data, JointState))) == bits(coordinates(expected))
    reader = CoordinateReader()
    for _ in range(2):  # learnt, then known
        assert bits(reader.read(data)) == bits(coordinates(expected))


def test_efforts_are_no_velocities():
    message = values_to_joint_state(STAMP, ['a', 'b'], [1.0, 2.0], [3.0, 4.0])
    message.effort = [5.0, 6.0]
    data, reader = serialize_message(message), CoordinateReader()
    for _ in range(2):
        assert bits(reader.read(data)) == bits(coordinates(message))


def test_a_layout_is_learnt_once(learnt):
    reader, writer = CoordinateReader(), CoordinateWriter()
    for k in (1, 2, 3):
        for i in range(5):
            data = writer.write(STAMP + i, [f'uav_{k}/x', f'uav_{k}/seq'], [i, k], [0.5, math.nan])
            found = reader.read(data)
            assert (found.stamp_ns, found.names[0]) == (STAMP + i, f'uav_{k}/x')
            assert list(found.positions) == [i, k]
    assert len(learnt) == 3


def test_what_stands_between_the_values_does_not_matter(learnt):
    """ROS leaves there what the memory held before."""
    names = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
    clean = CoordinateWriter().write(STAMP, names, [1.0] * 5, [2.0] * 5)
    reader = CoordinateReader()
    sound = reader.read(clean)
    fillers = [at for at in range(12, len(clean)) if reads_as(clean, at, sound)]
    assert len(fillers) > 5
    for value in (0x90, 0xFF, 0x90):
        dirty = bytearray(clean)
        for at in fillers:
            dirty[at] = value
        assert bits(reader.read(bytes(dirty))) == bits(sound)
    assert len(learnt) == 1


def reads_as(data, at, sound):
    """Return whether another byte in one place leaves a message as it is."""
    changed = bytearray(data)
    changed[at] ^= 0x5A
    try:
        return bits(coordinates(deserialize_message(bytes(changed), JointState))) == bits(sound)
    except Exception:
        return False


def test_the_other_byte_order_is_read():
    types = get_typestore(Stores.LATEST)
    message = values_to_joint_state(STAMP, ['x', 'yy'], [1.5, -2.5], [0.25, 4.0])
    names, positions, velocities = message.name, message.position, message.velocity
    own = CoordinateWriter().write(STAMP, names, positions, velocities)
    theirs = types.deserialize_cdr(own, 'sensor_msgs/msg/JointState')
    data = bytes(types.serialize_cdr(theirs, 'sensor_msgs/msg/JointState', little_endian=False))
    reader = CoordinateReader()
    for _ in range(2):
        assert bits(reader.read(data)) == bits(coordinates(message))


def test_odometry_is_read_as_ros_reads_it(learnt):
    draw, reader = random.Random(3), SerializedOdometry()
    for _ in range(50):
        message = level_message(
            STAMP + draw.randrange(10**12), 'uav_7/base_link', (draw.random(), 2.0, 3.0),
            draw.uniform(-3.0, 3.0), (0.1, draw.random(), 0.3), 0.2, draw.choice(['map', 'odom']),
        )  # fmt: skip
        message.pose.covariance = [draw.random() for _ in range(36)]
        message.twist.covariance = [draw.random() for _ in range(36)]
        found = reader.read(serialize_message(message))
        assert found == odometry_values(message)
    assert len(learnt) == 2
    assert isinstance(message.pose.pose.position, Point)
    assert isinstance(message.pose.pose.orientation, Quaternion)


def test_odometry_is_written_as_ros_writes_it():
    draw, writer = random.Random(4), OdometryWriter()
    for _ in range(20):
        values = level_odometry(
            STAMP + draw.randrange(10**12), draw.choice(['b', 'uav_1/base_link']),
            (draw.random(), -2.0, 3.0), draw.uniform(-3.0, 3.0), (0.1, draw.random(), 0.3), 0.2,
        )  # fmt: skip
        message, data = odometry_message(values), writer.write(values)
        assert data == as_ros_writes(message, cdr.ODOMETRY), 'without covariances: zeros'
        assert SerializedOdometry().read(data) == values
        both = [[draw.uniform(-1.0, 9.0) for _ in range(36)] for _ in range(2)]
        message.pose.covariance, message.twist.covariance = both
        assert writer.write(values, tuple(both)) == as_ros_writes(message, cdr.ODOMETRY)


@pytest.mark.parametrize('is_stamped', [False, True])
def test_commands_are_written_and_read_as_ros_does(is_stamped):
    draw, writer = random.Random(6), CommandWriter(is_stamped)
    reader = CommandReader(is_stamped)
    for _ in range(20):
        velocity = tuple(draw.uniform(-9.0, 9.0) for _ in range(3))
        stamp_ns = draw.randrange(2**60)
        data = writer.write(velocity, 0.5, stamp_ns)
        if is_stamped:
            message = command_to_stamped(velocity, 0.5, stamp_ns)
            assert data == as_ros_writes(message, cdr.TWIST_STAMPED)
            assert reader.read(data) == (stamp_ns, 'map', velocity, 0.5)
        else:
            assert data == serialize_message(command_to_twist(velocity, 0.5))
            assert reader.read(data) == (None, None, velocity, 0.5)


@pytest.mark.parametrize('kind', [Odometry, JointState, Twist, TwistStamped])
def test_damaged_messages_are_refused_or_read_as_ros_reads_them(kind):
    draw, refused = random.Random(5), 0
    motion = level_message(STAMP, 'b', (1.0, 2.0, 3.0), 0.1, (1.0, 0.0, 0.0), 0.0)
    names, numbers = [[f'uav_{k}/{x}' for x in 'xyz'] for k in range(1, 12)], [1.0, 2.0, 3.0]
    sound = {
        Odometry: [serialize_message(motion)],
        JointState: [CoordinateWriter().write(STAMP, n, numbers, numbers) for n in names],
        Twist: [CommandWriter(False).write((1.0, 2.0, 3.0), 0.1, STAMP)],
        TwistStamped: [CommandWriter(True, 'b').write((1.0, 2.0, 3.0), 0.1, STAMP)],
    }[kind]
    read = {
        Odometry: SerializedOdometry, JointState: CoordinateReader,
        Twist: lambda: CommandReader(False), TwistStamped: lambda: CommandReader(True),
    }[kind]().read  # fmt: skip
    for _ in range(1500):
        data = damaged(draw, draw.choice(sound))
        try:
            expected = deserialize_message(data, kind)
            is_time = kind is Twist or expected.header.stamp.nanosec < 10**9
        except Exception:
            is_time = False
        try:
            found = read(data)
        except MalformedMessageError:
            refused += 1
            continue
        assert is_time and repr(plain(found)) == repr(plain(as_read(expected)))
    assert 100 < refused < 1450


@pytest.mark.parametrize('is_little', [True, False])
def test_a_stamp_with_more_than_a_second_in_nanosec_is_refused(is_little):
    kind, types = 'nav_msgs/msg/Odometry', get_typestore(Stores.LATEST)
    data = serialize_message(level_message(STAMP, 'b', (1.0, 2.0, 3.0), 0.1, (1.0, 0.0, 0.0), 0.0))
    told, reader = types.deserialize_cdr(data, kind), SerializedOdometry()
    for nanosec in (2**32 - 1, 10**9 - 1, 10**9):  # the last one in a known layout
        told.header.stamp.nanosec = nanosec
        data = bytes(types.serialize_cdr(told, kind, little_endian=is_little))
        if nanosec < 10**9:
            assert reader.read(data).stamp_ns % 10**9 == nanosec
            continue
        with pytest.raises(MalformedMessageError, match=f'nanosec = {nanosec} must be below 10'):
            reader.read(data)


def as_read(message):
    """Return what a reader should find in a message."""
    if isinstance(message, JointState):
        return coordinates(message)
    if isinstance(message, Odometry):
        return odometry_values(message)
    twist = message if isinstance(message, Twist) else message.twist
    header = None if twist is message else message.header
    linear = twist.linear
    return (
        None if header is None else time_to_ns(header.stamp),
        None if header is None else header.frame_id,
        (linear.x, linear.y, linear.z), twist.angular.z,
    )  # fmt: skip


def plain(found):
    """Return what a reader found so that its text is the same for the same."""
    return bits(found) if len(found) == 5 else tuple(found)


@pytest.mark.parametrize('most', [cdr_readers.FEW_LAYOUTS, cdr_readers.MAX_LAYOUTS])
def test_a_stranger_does_not_fill_the_memory(most):
    """Of a topic with one sender few layouts are kept: a monitor reads one for each agent."""
    reader, writer = CoordinateReader(most), CoordinateWriter()
    for k in range(3 * most):
        name = f'name_{k}'
        assert reader.read(writer.write(k, [name], [float(k)])).names == (name,)
        assert reader._reader._count <= most
    assert len(writer._layouts) <= cdr_readers.MAX_LAYOUTS


def test_readers_of_one_sender_keep_few_layouts():
    readers = CoordinateReader(), SerializedOdometry(), CommandReader(True)._stamped
    assert [getattr(r, '_reader', r)._most for r in readers] == [cdr_readers.FEW_LAYOUTS] * 3
    assert SerializedOdometry(cdr_readers.MAX_LAYOUTS)._reader._most == cdr_readers.MAX_LAYOUTS
