"""Transforms: published where tf2_msgs is there, left out with a word where it is not."""

import pytest
from geometry_msgs.msg import TransformStamped
from velocity_mobility_ros.ros_io import tf
from velocity_mobility_ros.ros_io.messages import body_to_odometry

pytestmark = pytest.mark.ros

ODOMETRY = body_to_odometry(5, 'uav_1/base_link', (1.0, 2.0, 3.0), 0.5, (0.0, 0.0, 0.0), 0.0)


class FakeMessage:
    """Stands in for tf2_msgs/TFMessage, which PyPI lacks."""

    def __init__(self, transforms: list[TransformStamped]) -> None:
        """Hold some transforms."""
        self.transforms = transforms


class FakeNode:
    """A node that remembers what it was asked to publish and to log."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.topics: list[str] = []
        self.messages: list[FakeMessage] = []
        self.lines: list[str] = []

    def create_publisher(self, kind: type, topic: str, qos: object) -> 'FakeNode':
        """Become a publisher."""
        assert kind is FakeMessage
        assert qos
        self.topics.append(topic)
        return self

    def publish(self, message: FakeMessage) -> None:
        """Take a message."""
        self.messages.append(message)

    def get_logger(self) -> 'FakeNode':
        """Become a logger."""
        return self

    def info(self, line: str) -> None:
        """Take a line."""
        self.lines.append(line)


def test_the_pose_of_an_odometry_becomes_a_transform(monkeypatch):
    monkeypatch.setattr(tf, 'TFMessage', FakeMessage)
    node = FakeNode()
    tf.TransformPublisher(node, enable=True).publish(ODOMETRY)
    assert node.topics == ['/tf']
    ((transform,),) = [message.transforms for message in node.messages]
    assert transform.header == ODOMETRY.header
    assert transform.child_frame_id == 'uav_1/base_link'
    translation = transform.transform.translation
    assert (translation.x, translation.y, translation.z) == (1.0, 2.0, 3.0)
    assert transform.transform.rotation == ODOMETRY.pose.pose.orientation


def test_without_tf2_msgs_it_says_what_to_install_once_and_publishes_nothing(monkeypatch):
    monkeypatch.setattr(tf, 'TFMessage', None)
    node = FakeNode()
    publisher = tf.TransformPublisher(node, enable=True)
    publisher.publish(ODOMETRY)
    publisher.publish(ODOMETRY)
    assert (node.topics, node.messages) == ([], [])
    assert node.lines == ['no /tf: install tf2_msgs to get transforms']


def test_switched_off_it_is_silent(monkeypatch):
    monkeypatch.setattr(tf, 'TFMessage', FakeMessage)
    node = FakeNode()
    tf.TransformPublisher(node, enable=False).publish(ODOMETRY)
    assert (node.topics, node.messages, node.lines) == ([], [], [])
