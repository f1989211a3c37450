"""Transforms as tf2 gives them; without tf2 nobody listens."""

import math
import sys

import pytest
from geometry_msgs.msg import TransformStamped
from velocity_mobility_ros.ros_io.tf_lookup import listen, transform_of

pytestmark = pytest.mark.ros


def test_a_message_becomes_a_transform_with_a_unit_quaternion():
    message = TransformStamped()
    shift, turn = message.transform.translation, message.transform.rotation
    shift.x, shift.y, shift.z = 1.0, 2.0, 3.0
    turn.z, turn.w = 1.001, 1.001
    found = transform_of(message)
    assert found.translation == (1.0, 2.0, 3.0)
    assert math.hypot(*found.rotation) == pytest.approx(1.0, abs=1e-15)
    assert found.vector((1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


def test_without_tf2_there_is_nobody_to_ask(ros, monkeypatch):
    monkeypatch.setitem(sys.modules, 'tf2_ros', None)
    assert listen(ros.tester, 0.5) is None
