"""A bridge's odometry: pose in the swarm's frame, twist and its variances in that of the body."""

import math
from itertools import count

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile

from support.ros.graph import Ros
from velocity_mobility_ros.autopilot.bridge import SwarmPose
from velocity_mobility_ros.autopilot.protocols import px4_reports
from velocity_mobility_ros.core.coordinate_frames import inverse, quaternion_from_yaw, rotate
from velocity_mobility_ros.nodes.autopilot.bridge_odometry import (
    UNKNOWN, BridgeNodeParameters, BridgeOdometry, covariances
)

pytestmark = pytest.mark.ros

UNCERTAIN = (math.nan, math.nan, math.nan)
STAMP = 1_790_000_000_123_456_789


def pose(**changes):
    level = SwarmPose(
        (1.0, 2.0, 3.0), quaternion_from_yaw(0.0), (0.5, 0.0, 0.0), (0.0, 0.0, 0.1),
        (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (4.0, 5.0, 6.0),
    )  # fmt: skip
    return level._replace(**changes)


def matrix(flat):
    return np.reshape(flat, (6, 6))


def test_f19_variances_of_px4_are_those_of_the_map():
    """North, east, down become east, north, up; angles stay: both are along the body."""
    swapped = px4_reports._swapped_variance((1.0, 2.0, 3.0))
    found = matrix(covariances(pose(position_variance=swapped))[0])
    assert np.array_equal(np.diag(found), (2.0, 1.0, 3.0, 0.1, 0.2, 0.3))
    assert np.count_nonzero(found) == 6


@pytest.mark.parametrize(('heading', 'expected'), [
    (0.0, (4.0, 5.0, 6.0)), (math.pi / 2, (5.0, 4.0, 6.0)), (math.pi, (4.0, 5.0, 6.0)),
])  # fmt: skip
def test_variances_of_the_velocity_turn_into_the_body(heading, expected):
    found = matrix(covariances(pose(attitude=quaternion_from_yaw(heading)))[1])
    assert np.diag(found)[:3] == pytest.approx(expected)
    assert np.diag(found)[3:] == pytest.approx((0.0, 0.0, 0.0))


def test_a_tilted_body_has_all_of_the_turned_matrix():
    attitude = (0.18257419, 0.36514837, 0.54772256, 0.73029674)
    turn = np.array([rotate(inverse(attitude), axis) for axis in np.eye(3)]).T
    expected = turn @ np.diag((4.0, 5.0, 6.0)) @ turn.T
    found = matrix(covariances(pose(attitude=attitude))[1])
    assert found[:3, :3] == pytest.approx(expected)
    assert np.trace(found) == pytest.approx(15.0) and np.all(np.linalg.eigvalsh(found) >= -1e-12)


def test_a_variance_that_is_not_known_is_marked_as_ros_does():
    of_pose, of_twist = covariances(
        pose(position_variance=UNCERTAIN, velocity_variance=(1.0, math.nan, 1.0))
    )
    assert of_pose == UNKNOWN and of_twist == UNKNOWN and UNKNOWN[0] == -1.0
    found = matrix(covariances(pose(attitude_variance=UNCERTAIN))[0])
    assert np.array_equal(np.diag(found), (1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
    assert np.all(np.isfinite(found))


def test_odometry_is_published_at_the_rate_of_the_node_at_most(ros: Ros):
    output = BridgeOdometry(ros.tester, BridgeNodeParameters(), 'uav_1/base_link')
    assert math.isnan(output.offset)
    heard = ros.listen(Odometry, 'odom', QoSProfile(depth=100))

    def publish(k, now):
        output.publish(pose(position=(float(k), 0.0, 0.0)), STAMP + k, STAMP + 10**9, now)

    times = count(-1000.0)
    ros.until(lambda: publish(-1, next(times)) or heard, 'the reader')
    for k in range(40):  # nearly 200 messages a second
        publish(k, 0.0051 * k)
    publish(99, 10.0)
    ros.until(lambda: heard.last.pose.pose.position.x == 99.0, 'the last one')
    places = [one.pose.pose.position.x for one in heard if 0.0 <= one.pose.pose.position.x < 99.0]
    assert places == [2.0 * k for k in range(20)] and output.offset == pytest.approx(-1.0)
    first = next(one for one in heard if one.pose.pose.position.x == 0.0)
    assert (first.header.frame_id, first.child_frame_id) == ('map', 'uav_1/base_link')
    assert first.header.stamp.nanosec == 123_456_789
    assert list(first.pose.covariance)[:8] == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]
    assert first.twist.covariance[0] == 4.0
