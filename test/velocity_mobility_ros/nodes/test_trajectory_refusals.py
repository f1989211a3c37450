"""What a trajectory node refuses: paths, odometry and parameters, each in one line."""

import math

import pytest
from nav_msgs.msg import Odometry
from support.ros.path_flight import (
    LOGGER,
    NONE,
    PathFlight,
)
from support.ros.told import STALE, WARN
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.trajectory.route import Waypoint
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.ros_io.messages import (
    level_odometry,
    odometry_message,
)
from velocity_mobility_ros.ros_io.paths.path_message import path_message
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros

WRONG = [
    ([(NONE, 0.0, 0.0)], {}, 'poses[0] at (nan, 0.0, 0.0) must be finite'),
    ([(1.0, 0.0, 0.0), (0.0, math.inf, 0.0)], {}, 'poses[1] at'),
    ([(1.0, 0.0, 0.0)], {'frame': 'odom'}, "header.frame_id = 'odom' must be 'map'; transform"),
    ([(1.0, 0.0, 0.0)], {'frame': ''}, "header.frame_id = '' must be 'map'"),
    ([(5.0, 0.0, 0.0, 3.0), (9.0, 0.0, 0.0, 2.0)], {}, 'its time must be after that of the'),
]


@pytest.mark.parametrize(('poses', 'changes', 'text'), WRONG)
def test_a_wrong_path_is_refused_in_one_line_and_the_old_one_kept(ros, poses, changes, text):
    flight = PathFlight(ros)
    flight.advance(0.1)
    flight.send((20.0, 0.0, 0.0))
    flight.advance(0.5)
    flight.send(*poses, **changes)
    flight.advance(0.2)
    flight.shows(WARN, '1 message refused on /uav_1/path', text, 'the path before is kept')
    lines = [line for line in flight.told.lines(LOGGER) if line.startswith('path: refused')]
    assert len(lines) == 1 and text in lines[0] and '\n' not in lines[0]
    flight.advance(0.5)
    assert flight.commands.last.linear.x > 1.0
    assert flight.values()['paths'] == '1'


def test_the_frame_of_a_pose_must_be_that_of_the_path(ros):
    flight = PathFlight(ros)
    flight.advance(0.1)
    message = path_message([Waypoint((1.0, 0.0, 0.0), NONE)] * 2, flight.now_ns)
    message.poses[1].header.frame_id = 'uav_1/odom'
    flight.publish(message)
    flight.advance(0.1)
    flight.shows(STALE, "poses[1].header.frame_id = 'uav_1/odom' must be 'map'")


def test_without_odometry_no_command_is_sent(ros):
    flight = PathFlight(ros, vehicle=False)
    flight.shows(STALE, 'no odometry received yet on /uav_1/odom')
    flight.send((5.0, 0.0, 0.0))
    flight.advance(0.5)
    assert not flight.commands


def test_odometry_in_another_frame_is_refused(ros):
    flight = PathFlight(ros, vehicle=False)
    voice = ros.voice(Odometry, '/uav_1/odom', STATE)
    values = level_odometry(
        flight.now_ns, 'uav_1/base_link', (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0, 'uav_1/odom'
    )
    voice.publish(odometry_message(values))
    ros.meanwhile(0.1)
    flight.advance(0.1)
    flight.shows(STALE, "frame_id = 'uav_1/odom' must be 'map'")


@pytest.mark.parametrize(
    ('parameters', 'text'),
    [
        ({'max_speed': -1.0}, 'max_speed = -1.0 must be above 0 m/s'),
        ({'rules': 'best'}, "rules = 'best' must be one of robust, original"),
        ({'time_mode': 'x'}, "time_mode = 'x' must be one of absolute, relative"),
        ({'yaw_policy': 'away'}, "yaw_policy = 'away' must be one of segment, fixed, toward"),
        ({'cruise': 1.0}, "unknown parameter 'cruise'; did you mean 'cruise_speed'?"),
    ],
)
def test_a_wrong_parameter_is_refused_in_one_line(ros, parameters, text):
    with pytest.raises(ParameterError) as caught:
        ros.make(TrajectoryNode, '/uav_1', **parameters)
    assert text in str(caught.value)
