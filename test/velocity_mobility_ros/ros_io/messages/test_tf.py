"""Transforms: published and looked up where tf2 is there, left out where it is not."""

import math
import sys
from types import SimpleNamespace

import pytest
from geometry_msgs.msg import TransformStamped

from velocity_mobility_ros.ros_io.messages import tf
from velocity_mobility_ros.ros_io.messages.message_conversion import level_odometry
from velocity_mobility_ros.ros_io.messages.tf import listen, transform_of
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = pytest.mark.ros

ODOMETRY = level_odometry(5, 'uav_1/base_link', (1.0, 2.0, 3.0), 0.5, (0.0, 0.0, 0.0), 0.0)


@pytest.fixture
def node(monkeypatch):
    """Return a node in a world that has tf2_msgs, which PyPI lacks; it keeps what it is given."""
    monkeypatch.setattr(tf, 'TFMessage', SimpleNamespace)
    fake = SimpleNamespace(sent={}, lines=[], listeners=1)

    def create_publisher(kind, topic, qos):
        sent = fake.sent[topic] = []
        return SimpleNamespace(
            publish=sent.append, get_subscription_count=lambda: fake.listeners
        )

    fake.create_publisher = create_publisher
    fake.get_logger = lambda: SimpleNamespace(info=fake.lines.append)
    return fake


def test_the_pose_of_an_odometry_becomes_a_transform():
    transform = tf.pose_message(ODOMETRY)
    assert time_to_ns(transform.header.stamp) == 5
    assert (transform.header.frame_id, transform.child_frame_id) == ('map', 'uav_1/base_link')
    shift, turn = transform.transform.translation, transform.transform.rotation
    assert (shift.x, shift.y, shift.z) == (1.0, 2.0, 3.0)
    assert (turn.x, turn.y, turn.z, turn.w) == ODOMETRY.attitude


def test_all_bodies_travel_in_one_message(node):
    tf.TransformPublisher(node, enable=True).publish([ODOMETRY, ODOMETRY])
    (message,) = node.sent['/tf']
    assert message.transforms == [tf.pose_message(ODOMETRY)] * 2


def test_what_never_changes_is_published_apart(node):
    publisher, fixed = tf.TransformPublisher(node, enable=True), tf.pose_message(ODOMETRY)
    publisher.publish_static([])
    publisher.publish_static([fixed])
    (message,) = node.sent['/tf_static']
    assert message.transforms == [fixed]


def test_nothing_is_published_to_nobody(node):
    publisher = tf.TransformPublisher(node, enable=True)
    node.listeners = 0
    publisher.publish([ODOMETRY])
    assert node.sent['/tf'] == []


def test_messages_keep_their_distance_in_wall_time(node):
    publisher = tf.TransformPublisher(node, enable=True, period=60.0)
    for _ in range(5):
        publisher.publish([ODOMETRY])
    assert len(node.sent['/tf']) == 1


def test_without_tf2_msgs_it_says_what_to_install_once_and_publishes_nothing(node, monkeypatch):
    monkeypatch.setattr(tf, 'TFMessage', None)
    publisher = tf.TransformPublisher(node, enable=True)
    publisher.publish([ODOMETRY])
    publisher.publish([ODOMETRY])
    publisher.publish_static([tf.pose_message(ODOMETRY)])
    assert node.sent == {}
    assert node.lines == ['tf2_msgs is not installed: no transforms on /tf']


def test_switched_off_it_is_silent(node):
    tf.TransformPublisher(node, enable=False).publish([ODOMETRY])
    assert (node.sent, node.lines) == ({}, [])


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
