"""Frames of odometry that tf knows: asked once one needs it, at the stamp, turned in full."""

import math

import pytest
from hypothesis import given, strategies as st
from transforms3d.euler import euler2mat, euler2quat

from soliton_encirclement_ros.nodes import odometry_reader
from soliton_encirclement_ros.nodes.node_parameters import OdometryParameters
from soliton_encirclement_ros.nodes.odometry_reader import FrameError, OdometryFrames, WaitingError
from support.ros.bodies import attitude_to_odometry, odometry_to_body
from velocity_mobility_ros.core.coordinate_frames import Transform
from velocity_mobility_ros.ros_io.messages.tf import TransformError

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

SECOND = 1_000_000_000
ANGLE = st.floats(-1.4, 1.4)


def quaternion(roll, pitch, yaw):
    w, x, y, z = map(float, euler2quat(roll, pitch, yaw))
    return x, y, z, w


class Drifting:
    """A frame ``odom``, pitched and yawed, that drifts by 2 m and 0.1 rad per second."""

    def __init__(self):
        self.asked = []

    def lookup(self, parent, child, stamp_ns):
        self.asked.append((parent, child, stamp_ns))
        if child != 'odom':
            raise TransformError(f'"{child}" passed to lookupTransform does not exist')
        t = stamp_ns / SECOND
        return Transform((10.0 + 2.0 * t, 5.0, 1.0), quaternion(0.0, 0.3, 0.1 * t))


@pytest.fixture
def drifting(monkeypatch):
    """Put the drifting frame in place of what listens to /tf."""
    frames = Drifting()
    monkeypatch.setattr(odometry_reader, 'listen', lambda node, longest_age: frames)
    return frames


def test_tf_is_not_asked_for_map_or_for_a_frame_of_the_parameters(ros, drifting):
    settings = OdometryParameters(odom_frame='here', odom_origin_x=3.0)
    frames = OdometryFrames(ros.tester, settings, 0.5)
    assert frames.transform('map', SECOND) is None
    assert frames.transform('here', SECOND).translation == (3.0, 0.0, 0.0)
    assert drifting.asked == []


@given(ANGLE, ANGLE, ANGLE, st.tuples(*[st.floats(-50.0, 50.0)] * 3), st.integers(0, 100))
def test_a_pose_in_a_moving_tilted_frame_is_that_of_the_same_body_in_map(
    roll, pitch, yaw, velocity, second
):
    """Against rotation matrices, at the time of the stamp."""
    told = attitude_to_odometry(
        second * SECOND, 'b', (1.0, 2.0, 3.0), quaternion(roll, pitch, yaw), velocity,
        (0.0, 0.0, 0.0), 'odom',
    )  # fmt: skip
    transform = Drifting().lookup('map', 'odom', second * SECOND)
    position, turned, heading = odometry_to_body(told, transform)
    frame = euler2mat(0.0, 0.3, 0.1 * second)
    assert list(position) == pytest.approx(
        list(frame @ (1.0, 2.0, 3.0) + (10.0 + 2.0 * second, 5.0, 1.0))
    )
    assert list(turned) == pytest.approx(list(frame @ velocity), abs=1e-9)
    forward = frame @ euler2mat(roll, pitch, yaw) @ (1.0, 0.0, 0.0)
    if math.hypot(*forward[:2]) > 1e-6:  # straight up or down there is no heading
        assert math.cos(heading - math.atan2(forward[1], forward[0])) == pytest.approx(1.0)


def test_tf_is_asked_at_the_stamp_and_one_listener_is_enough(ros, drifting):
    frames = OdometryFrames(ros.tester, OdometryParameters(), 0.5)
    assert frames.transform('odom', 2 * SECOND).translation == (14.0, 5.0, 1.0)
    assert frames.transform('odom', 4 * SECOND).translation == (18.0, 5.0, 1.0)
    assert drifting.asked == [('map', 'odom', 2 * SECOND), ('map', 'odom', 4 * SECOND)]


def test_what_tf_does_not_know_is_refused_with_its_reason_and_what_to_do(
    ros, drifting, monkeypatch
):
    monkeypatch.setattr(odometry_reader, 'FIRST_TRANSFORM', 0.0)
    frames = OdometryFrames(ros.tester, OdometryParameters(), 0.5)
    with pytest.raises(FrameError) as caught:
        frames.transform('uav_1/odom', SECOND)
    line = str(caught.value)
    assert "'uav_1/odom' must be 'map', or the transform map -> uav_1/odom on /tf (" in line
    assert "does not exist); set odom_frame to 'uav_1/odom' and odom_origin_x" in line


def test_a_frame_of_any_length_is_one_short_line(ros, drifting, monkeypatch):
    monkeypatch.setattr(odometry_reader, 'FIRST_TRANSFORM', 0.0)
    frames = OdometryFrames(ros.tester, OdometryParameters(), 0.5)
    long = '\n\x1b' + 'x' * 3000
    lines = []
    for look in (
        lambda frame: frames.check_body(frame, 'map'),
        lambda frame: frames.transform(frame, SECOND),
    ):
        with pytest.raises(FrameError, match=r'frame_id = .*xxx\.\.\. ') as caught:
            look(long)
        lines.append(str(caught.value))
    assert all(len(line) < 700 and line.isprintable() for line in lines)


def test_transforms_have_time_to_arrive(ros, drifting):
    frames = OdometryFrames(ros.tester, OdometryParameters(), 0.5)
    with pytest.raises(WaitingError, match='waiting for the transform map -> uav_1/odom on /tf'):
        frames.transform('uav_1/odom', SECOND)
