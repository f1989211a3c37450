"""Transforms: published where tf2_msgs is there, left out with a word where it is not."""

import pytest
from geometry_msgs.msg import TransformStamped
from velocity_mobility_ros.core.frames import Transform, quaternion_from_yaw
from velocity_mobility_ros.ros_io import tf
from velocity_mobility_ros.ros_io.messages import level_odometry, time_to_ns
from velocity_mobility_ros.ros_io.tf_lookup import transform_of

pytestmark = pytest.mark.ros

ODOMETRY = level_odometry(5, 'uav_1/base_link', (1.0, 2.0, 3.0), 0.5, (0.0, 0.0, 0.0), 0.0)


class FakeMessage:
    """Stands in for tf2_msgs/TFMessage, which PyPI lacks."""

    def __init__(self, transforms: list[TransformStamped]) -> None:
        """Hold some transforms."""
        self.transforms = transforms


class FakeNode:
    """A node that remembers what it was asked to publish and to log."""

    def __init__(self) -> None:
        """Start with nothing, and one listener."""
        self.publishers: dict[str, FakePublisher] = {}
        self.lines: list[str] = []

    def create_publisher(self, kind: type, topic: str, qos: object) -> 'FakePublisher':
        """Return a publisher."""
        assert kind is FakeMessage
        assert qos
        self.publishers[topic] = FakePublisher()
        return self.publishers[topic]

    def get_logger(self) -> 'FakeNode':
        """Become a logger."""
        return self

    def info(self, line: str) -> None:
        """Take a line."""
        self.lines.append(line)


class FakePublisher:
    """A publisher that keeps what it is given."""

    def __init__(self) -> None:
        """Start with one listener."""
        self.messages: list[FakeMessage] = []
        self.listeners = 1

    def publish(self, message: FakeMessage) -> None:
        """Take a message."""
        self.messages.append(message)

    def get_subscription_count(self) -> int:
        """Say how many listen."""
        return self.listeners


@pytest.fixture
def node(monkeypatch):
    """Return a node in a world that has tf2_msgs."""
    monkeypatch.setattr(tf, 'TFMessage', FakeMessage)
    return FakeNode()


def test_the_pose_of_an_odometry_becomes_a_transform():
    transform = tf.pose_message(ODOMETRY)
    assert time_to_ns(transform.header.stamp) == 5
    assert transform.header.frame_id == 'map'
    assert transform.child_frame_id == 'uav_1/base_link'
    translation = transform.transform.translation
    assert (translation.x, translation.y, translation.z) == (1.0, 2.0, 3.0)
    turn = transform.transform.rotation
    assert (turn.x, turn.y, turn.z, turn.w) == ODOMETRY.attitude


def test_a_transform_there_and_back():
    transform = Transform((1.0, 2.0, 3.0), quaternion_from_yaw(0.5))
    message = tf.to_message(7, 'map', 'uav_1/odom', transform)
    assert (message.header.frame_id, message.child_frame_id) == ('map', 'uav_1/odom')
    assert time_to_ns(message.header.stamp) == 7
    back = transform_of(message)
    assert back.translation == transform.translation
    assert back.rotation == pytest.approx(transform.rotation, abs=1e-15)


def test_all_bodies_travel_in_one_message(node):
    tf.TransformPublisher(node, enable=True).publish([ODOMETRY, ODOMETRY])
    (message,) = node.publishers['/tf'].messages
    assert message.transforms == [tf.pose_message(ODOMETRY)] * 2


def test_what_never_changes_is_published_apart(node):
    publisher, fixed = tf.TransformPublisher(node, enable=True), tf.pose_message(ODOMETRY)
    publisher.publish_static([])
    publisher.publish_static([fixed])
    (message,) = node.publishers['/tf_static'].messages
    assert message.transforms == [fixed]


def test_nothing_is_published_to_nobody(node):
    publisher = tf.TransformPublisher(node, enable=True)
    node.publishers['/tf'].listeners = 0
    publisher.publish([ODOMETRY])
    assert node.publishers['/tf'].messages == []


def test_messages_keep_their_distance_in_wall_time(node):
    publisher = tf.TransformPublisher(node, enable=True, period=60.0)
    for _ in range(5):
        publisher.publish([ODOMETRY])
    assert len(node.publishers['/tf'].messages) == 1


def test_without_tf2_msgs_it_says_what_to_install_once_and_publishes_nothing(node, monkeypatch):
    monkeypatch.setattr(tf, 'TFMessage', None)
    publisher = tf.TransformPublisher(node, enable=True)
    publisher.publish([ODOMETRY])
    publisher.publish([ODOMETRY])
    publisher.publish_static([tf.pose_message(ODOMETRY)])
    assert node.publishers == {}
    assert node.lines == ['tf2_msgs is not installed: no transforms on /tf']


def test_switched_off_it_is_silent(node):
    tf.TransformPublisher(node, enable=False).publish([ODOMETRY])
    assert (node.publishers, node.lines) == ({}, [])
