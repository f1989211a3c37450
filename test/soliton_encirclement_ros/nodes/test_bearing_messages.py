"""Bearings as messages: there and back, and what is refused."""

import math

import pytest
from geometry_msgs.msg import Vector3Stamped
from rclpy.serialization import serialize_message
from soliton_encirclement_ros.nodes.bearing_messages import bearing_message, read_bearing
from soliton_encirclement_ros.nodes.raw_stamp import stamp_ns
from velocity_mobility_ros.ros_io.messages import MalformedMessageError

pytestmark = pytest.mark.ros

STAMP_NS, VECTOR = 5_000_000_007, (0.1, -1.0 / 3.0, 1e-17)


def test_a_bearing_comes_back_to_the_last_bit():
    assert read_bearing(bearing_message(STAMP_NS, VECTOR)) == (STAMP_NS, VECTOR)


def test_a_recorder_finds_its_stamp():
    """So it knows whether the last one of a run has come."""
    assert stamp_ns('geometry_msgs/msg/Vector3Stamped', bearing_message(STAMP_NS, VECTOR)) == (
        STAMP_NS
    )


@pytest.mark.parametrize(('frame', 'x', 'reason'), [
    ('uav_1/camera', 1.0, "frame_id = 'uav_1/camera' must be 'map'"),
    ('', 1.0, "frame_id = '' must be 'map'"),
    ('map', math.inf, 'vector = inf, 0.0, 0.0 must be finite'),
])  # fmt: skip
def test_what_no_agent_can_use_is_refused(frame, x, reason):
    message = Vector3Stamped()
    message.header.frame_id, message.vector.x = frame, x
    with pytest.raises(MalformedMessageError) as raised:
        read_bearing(serialize_message(message))
    assert reason in str(raised.value)
