"""Names of topics and frames; odometry in any frame is the same body."""

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.core.coordinate_frames import Attitude, VehicleMotion, unit, velocity_of
from velocity_mobility_ros.ros_io.messages.message_conversion import body_of, level_odometry
from velocity_mobility_ros.ros_io.messages.tf import VehicleFrames, transform_of
from velocity_mobility_ros.ros_io.node_time import time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM, body_frame, names_of

pytestmark = pytest.mark.ros

@pytest.mark.parametrize(
    ('namespace', 'frame'),
    [('/uav_3', 'uav_3/base_link'), ('/', 'base_link'), ('/a/b/', 'a/b/base_link')],
)
def test_a_body_is_named_after_its_namespace(namespace, frame):
    assert body_frame(namespace) == frame


def test_other_frames_of_a_body_are_named_alike():
    assert body_frame('/fleet/uav_3', 'odom') == 'fleet/uav_3/odom'


@pytest.mark.parametrize(
    ('body', 'expected'),
    [
        ('uav_3/base_link', ('uav_3/base_link', 'base_link')),
        ('fleet/uav_3/base_link', ('fleet/uav_3/base_link', 'uav_3/base_link', 'base_link')),
        ('base_link', ('base_link',)),
        ('chassis', ('chassis', 'base_link')),
    ],
)
def test_a_body_may_be_named_without_its_fleet(body, expected):
    assert names_of(body) == expected


def test_names_are_relative_to_the_namespace():
    assert not CMD_VEL.startswith('/')
    assert not ODOM.startswith('/')


VECTORS = st.tuples(*[st.floats(-1e3, 1e3)] * 3)
YAWS = st.floats(-3.1, 3.1)


def test_without_odom_frame_it_is_map_to_base_link_to_the_last_bit():
    state = ((0.1, 0.2, 0.3), 0.4, (1.7, -2.3, 0.9), 0.5)
    frames = VehicleFrames('uav_1/base_link', origin=(1.0, 2.0, 3.0), heading=0.7)
    told = frames.odometry(9, VehicleMotion(*state))
    assert told == level_odometry(9, 'uav_1/base_link', *state)
    assert frames.origin_message(9) is None


def test_at_the_start_the_odometry_is_zero():
    start = (10.0, -4.0, 2.0)
    frames = VehicleFrames('b', odom='uav_1/odom', origin=start, heading=0.7)
    told = frames.odometry(9, VehicleMotion(start, 0.7, (0.0, 0.0, 0.0), 0.0))
    assert (told.frame, told.body) == ('uav_1/odom', 'b')
    assert body_of(told) == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)


@given(VECTORS, YAWS, VECTORS, YAWS, VECTORS)
def test_odometry_and_origin_together_say_where_the_body_is(origin, heading, position, yaw, speed):
    frames = VehicleFrames('b', odom='uav_1/odom', origin=origin, heading=heading)
    told = frames.odometry(9, VehicleMotion(position, yaw, speed, 0.1))
    placed = frames.origin_message(8)
    assert (placed.header.frame_id, placed.child_frame_id) == ('map', 'uav_1/odom')
    assert time_to_ns(placed.header.stamp) == 8
    back = body_of(told, transform_of(placed))
    assert back[0] == pytest.approx(position, abs=1e-9)
    assert back[1] == pytest.approx(speed, abs=1e-9)
    assert back[2] == pytest.approx(yaw, abs=1e-9)
    assert told.angular == (0.0, 0.0, 0.1)


@given(VECTORS, YAWS, VECTORS, st.tuples(*[st.floats(-1.0, 1.0)] * 3), VECTORS)
def test_a_tilted_body_is_where_it_is_in_every_frame(origin, heading, position, axis, linear):
    attitude = Attitude(unit((*axis, 1.0)), linear, (0.1, 0.2, 0.3))
    motion = VehicleMotion(position, 0.0, velocity_of(attitude), 0.3)
    direct = VehicleFrames('b').odometry(9, motion, attitude)
    assert direct[3:] == (position, *attitude)
    assert body_of(direct)[1] == velocity_of(attitude) or axis[:2] == (0.0, 0.0)
    frames = VehicleFrames('b', odom='uav_1/odom', origin=origin, heading=heading)
    told, placed = frames.odometry(9, motion, attitude), frames.origin_message(8)
    back = body_of(told, transform_of(placed))
    assert back[0] == pytest.approx(position, abs=1e-9)
    assert back[1] == pytest.approx(velocity_of(attitude), abs=1e-9)
    assert told.angular == (0.1, 0.2, 0.3)
