"""``nav_msgs/Path`` from and to waypoints."""

import math

import pytest
from velocity_mobility_ros.core.trajectory.route import Waypoint
from velocity_mobility_ros.ros_io.messages import MalformedMessageError
from velocity_mobility_ros.ros_io.paths.path_message import MAX_POSES, path_message, waypoints_of

pytestmark = pytest.mark.ros

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
