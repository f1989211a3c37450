"""Messages and plain values, there and back; what is no number or no frame is refused."""

import math

import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist, Vector3
from hypothesis import given, strategies as st
from nav_msgs.msg import Odometry

from support.ros.bodies import (
    attitude_to_odometry, level_message, odometry_to_body, twist_to_command
)
from support.ros.sent_messages import (
    command_to_stamped, command_to_twist, path_message, values_to_joint_state
)
from velocity_mobility_ros.core.coordinate_frames import yaw_from_quaternion
from velocity_mobility_ros.core.trajectory.pursuit import Waypoint
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    MAX_POSES, is_body_frame, waypoints_of
)
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns

pytestmark = pytest.mark.ros

NONSENSE = (math.nan, math.inf, -math.inf)


@pytest.mark.parametrize('time_ns', [0, 999_999_999, 1_700_000_000_123_456_789, -1])
def test_time_there_and_back(time_ns):
    stamp = ns_to_time(time_ns)
    assert 0 <= stamp.nanosec < 10**9
    assert time_to_ns(stamp) == time_ns


def test_a_stamp_with_too_many_nanoseconds_still_means_a_time():
    assert time_to_ns(Time(sec=1, nanosec=2_500_000_000)) == 3_500_000_000


@pytest.mark.parametrize('command', [((1.0, -2.0, 3.0), 0.5), ((0.0, 0.0, 0.0), -1.5)])
def test_a_command_there_and_back(command):
    assert twist_to_command(command_to_twist(*command)) == command
    stamped = command_to_stamped(*command, 1_250_000_000)
    assert twist_to_command(stamped.twist) == command
    assert (stamped.header.frame_id, time_to_ns(stamped.header.stamp)) == ('map', 1_250_000_000)


@pytest.mark.parametrize('value', NONSENSE)
@pytest.mark.parametrize('part', ['linear.x', 'linear.y', 'linear.z', 'angular.z'])
def test_a_command_that_is_no_number_is_refused(part, value):
    message = Twist()
    vector, _, axis = part.partition('.')
    setattr(getattr(message, vector), axis, value)
    with pytest.raises(MalformedMessageError, match=f'{value}.* must be finite'):
        twist_to_command(message)


def test_angles_that_a_level_body_has_not_are_ignored():
    message = Twist(linear=Vector3(x=1.0), angular=Vector3(x=math.nan, y=math.inf, z=0.2))
    assert twist_to_command(message) == ((1.0, 0.0, 0.0), 0.2)


@pytest.mark.parametrize(('frame', 'body', 'expected'), [
    ('base_link', 'uav_1/base_link', True), ('uav_1/base_link', 'uav_1/base_link', True),
    ('uav_1/base_link', 'fleet/uav_1/base_link', True), ('map', 'uav_1/base_link', False),
])  # fmt: skip
def test_a_command_may_turn_with_the_body(frame, body, expected):
    assert is_body_frame(frame, body) == expected


@pytest.mark.parametrize('frame', ['', 'odom', 'uav_2/base_link', 'Map', 'x' * 3000])
def test_a_command_in_an_unknown_frame_is_refused(frame):
    text = "must be 'map', 'base_link' or 'uav_1/base_l"
    with pytest.raises(MalformedMessageError, match=text) as caught:
        is_body_frame(frame, 'uav_1/base_link')
    assert len(str(caught.value)) < 200


def test_without_heading_a_body_comes_back_to_the_last_bit():
    position, velocity = (0.1, 0.2, 0.3), (0.7, 1e-17, -0.3)
    message = level_message(0, 'b', position, 0.0, velocity, 0.0)
    assert odometry_to_body(message) == (position, velocity, 0.0)


ATTITUDES = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: 0.7 < math.hypot(*q) < 1.4)
VECTORS = st.tuples(*[st.floats(-1e3, 1e3)] * 3)


def test_level_flight_of_a_pitched_body_has_no_climb():
    pitch = math.radians(25.0)
    message = Odometry()
    message.pose.pose.orientation.y = math.sin(pitch / 2.0)
    message.pose.pose.orientation.w = math.cos(pitch / 2.0)
    forward, up = 10.0 * math.cos(pitch), 10.0 * math.sin(pitch)
    message.twist.twist.linear = Vector3(x=forward, z=up)
    _, velocity, yaw = odometry_to_body(message)
    assert velocity == pytest.approx((10.0, 0.0, 0.0), abs=1e-12)
    assert yaw == pytest.approx(0.0, abs=1e-12)


@given(ATTITUDES, VECTORS, VECTORS, VECTORS)
def test_a_tilted_body_there_and_back(attitude, position, velocity, rates):
    message = attitude_to_odometry(7, 'uav_7/base_link', position, attitude, velocity, rates)
    q, angular = message.pose.pose.orientation, message.twist.twist.angular
    assert math.hypot(q.x, q.y, q.z, q.w) == pytest.approx(1.0)
    assert (angular.x, angular.y, angular.z) == rates
    back_position, back_velocity, back_yaw = odometry_to_body(message)
    assert back_position == position
    assert back_velocity == pytest.approx(velocity, rel=1e-9, abs=1e-9)
    assert back_yaw == yaw_from_quaternion(q.x, q.y, q.z, q.w)


@given(st.floats(-3.1, 3.1), VECTORS)
def test_the_climb_of_a_level_body_keeps_every_bit(yaw, velocity):
    message = level_message(7, 'b', (0.0, 0.0, 0.0), yaw, velocity, 0.0)
    assert odometry_to_body(message)[1][2] == velocity[2]


def test_odometry_is_fully_stamped_with_the_twist_in_the_child_frame():
    message = level_message(
        2_000_000_003, 'uav_1/base_link', (1.0, 2.0, 3.0), math.pi / 2, (5.0, 0.0, 1.0), 0.4,
        'odom',
    )  # fmt: skip
    assert time_to_ns(message.header.stamp) == 2_000_000_003
    assert (message.header.frame_id, message.child_frame_id) == ('odom', 'uav_1/base_link')
    twist, q = message.twist.twist, message.pose.pose.orientation
    assert (twist.linear.x, twist.linear.y) == pytest.approx((0.0, -5.0), abs=1e-15)
    assert (twist.linear.z, twist.angular.z) == (1.0, 0.4)
    half = math.sqrt(0.5)
    assert (q.x, q.y, q.z, q.w) == pytest.approx((0.0, 0.0, half, half))


@pytest.mark.parametrize('value', NONSENSE)
@pytest.mark.parametrize(
    'part', ['pose.pose.position.x', 'pose.pose.orientation.z', 'twist.twist.linear.y']
)
def test_an_odometry_that_is_no_number_is_refused(part, value):
    message = level_message(0, 'b', (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0)
    *path, axis = part.split('.')
    owner = message
    for name in path:
        owner = getattr(owner, name)
    setattr(owner, axis, value)
    with pytest.raises(MalformedMessageError, match='must be finite'):
        odometry_to_body(message)


@pytest.mark.parametrize('w', [0.0, 0.1, 3.0, 1e200])
def test_an_attitude_that_is_no_rotation_is_refused(w):
    message = Odometry()
    message.pose.pose.orientation.w = w
    with pytest.raises(MalformedMessageError, match=r'must be a unit quaternion|1e\+200'):
        odometry_to_body(message)


def test_values_become_a_joint_state():
    message = values_to_joint_state(5, ['a', 'b'], [1.0, 2.0], [3.0, 4.0])
    assert (message.name, list(message.position)) == (['a', 'b'], [1.0, 2.0])
    assert list(message.velocity) == [3.0, 4.0]
    assert (message.header.frame_id, time_to_ns(message.header.stamp)) == ('map', 5)


POINTS = [Waypoint((1.0, 2.0, 3.0), math.nan), Waypoint((4.0, 5.0, 6.0), 7.25)]
START_NS = 1_700_000_000_000_000_000


def test_there_and_back_gives_the_same():
    found = waypoints_of(path_message(POINTS, START_NS), START_NS)
    assert [point.position for point in found] == [point.position for point in POINTS]
    assert math.isnan(found[0].time) and found[1].time == 7.25


def test_times_count_from_the_given_one():
    found = waypoints_of(path_message(POINTS, START_NS), START_NS + 2_000_000_000)
    assert found[1].time == 5.25


def test_no_poses_need_no_frame():
    assert waypoints_of(path_message([], 0, ''), 0) == []


@pytest.mark.parametrize('value', [math.nan, math.inf, 1e30])
def test_an_impossible_place_is_refused(value):
    message = path_message([Waypoint((0.0, value, 0.0), math.nan)], START_NS)
    with pytest.raises(MalformedMessageError, match=r'poses\[0\] at .* must be finite'):
        waypoints_of(message, 0)


def test_another_frame_is_refused():
    """Of the path, and of one pose."""
    with pytest.raises(MalformedMessageError, match=r"header\.frame_id = 'odom' must be 'map'"):
        waypoints_of(path_message(POINTS, 0, 'odom'), 0)
    message, text = path_message(POINTS, 0), r"poses\[1\]\.header\.frame_id = 'odom' must be 'map'"
    message.poses[1].header.frame_id = 'odom'
    with pytest.raises(MalformedMessageError, match=text):
        waypoints_of(message, 0)


def test_too_many_poses_are_refused():
    message = path_message(POINTS[:1] * (MAX_POSES + 1), 0)
    with pytest.raises(MalformedMessageError, match='10001 poses, must be at most 10000'):
        waypoints_of(message, 0)
