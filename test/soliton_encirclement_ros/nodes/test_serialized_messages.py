"""Serialized messages: bearings, the stamp of any message, message types by name."""

import math
from pathlib import Path

import pytest
from geometry_msgs.msg import Vector3Stamped
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message

from soliton_encirclement_ros.core.bag_writer import BagWriter
from soliton_encirclement_ros.nodes.bearing_messages import bearing_message, read_bearing
from soliton_encirclement_ros.nodes.observers.topic_discovery import definition, message_class
from soliton_encirclement_ros.nodes.state_messages import stamp_ns
from velocity_mobility_ros.core.user_errors import MalformedMessageError

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


ODOMETRY = 'nav_msgs/msg/Odometry'


@pytest.mark.parametrize('order', ['little', 'big'])
def test_either_byte_order_is_read(order):
    head = bytes([0, 1 if order == 'little' else 0, 0, 0])
    data = head + (-2).to_bytes(4, order, signed=True) + (5).to_bytes(4, order) + b'more'
    assert stamp_ns(ODOMETRY, data) == -2 * 10**9 + 5


@pytest.mark.parametrize(
    ('kind', 'data'), [('std_msgs/msg/String', bytes(20)), (ODOMETRY, bytes(11)), (ODOMETRY, b'')]
)
def test_what_has_no_stamp_has_none(kind, data):
    assert stamp_ns(kind, data) is None


def test_an_installed_type_is_found_and_any_other_is_not():
    assert message_class('nav_msgs/msg/Odometry') is Odometry
    assert message_class('nav_msgs/msg/Nothing') is None
    assert message_class('no_msgs/msg/Thing') is None
    assert message_class('example/action/Fly_Feedback') is None


def test_definitions_are_read_where_ros_is_installed(tmp_path: Path, monkeypatch):
    folder = tmp_path / 'share' / 'my_msgs' / 'msg'
    folder.mkdir(parents=True)
    (folder / 'Thing.msg').write_text('float64 x\n', encoding='utf-8')
    assert definition('my_msgs/msg/Thing') is None
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nowhere:{tmp_path}')
    assert definition('my_msgs/msg/Thing') == 'float64 x\n'


def test_an_installed_definition_says_what_the_bag_would_say_anyhow(tmp_path: Path):
    bag = BagWriter(tmp_path / 'bag')
    known = bag.types.generate_msgdef('nav_msgs/msg/Odometry', ros_version=2)
    for name in [name for name in bag.types.types if name.startswith(('nav_', 'geometry_'))]:
        del bag.types.types[name], bag.types.fielddefs[name]
        bag.types.cache.pop(name, None) if hasattr(bag.types, 'cache') else None
    assert not bag.has_type('nav_msgs/msg/Odometry')
    assert bag.learn('nav_msgs/msg/Odometry', definition)
    assert bag.types.generate_msgdef('nav_msgs/msg/Odometry', ros_version=2) == known
    bag.close()
