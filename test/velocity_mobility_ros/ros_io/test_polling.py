"""Subscriptions whose messages wait for the node."""

import pytest
from rclpy.serialization import deserialize_message
from std_msgs.msg import Header
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import POLLED_INPUT, STATE

pytestmark = pytest.mark.ros


@pytest.fixture
def node(ros):
    """Return a node that spins."""
    return ros.add(PollingNode('reader'))


def frames(take):
    """Return the frames of the waiting messages."""
    return [deserialize_message(data, Header).frame_id for data in take()]


def test_messages_wait_until_they_are_asked_for(ros, node):
    take = node.poll(Header, 'news', POLLED_INPUT)
    assert list(take()) == []
    voice = ros.voice(Header, '/news', STATE)
    for k in range(100):
        voice.publish(Header(frame_id=str(k)))
    ros.meanwhile(0.3)
    assert frames(take) == [str(k) for k in range(100)]
    assert list(take()) == []


def test_no_executor_sees_them(ros, node):
    before = list(node.subscriptions)
    node.poll(Header, 'news', POLLED_INPUT)
    assert list(node.subscriptions) == before
    node.create_subscription(Header, 'other', print, 10)
    assert [one.topic_name for one in node.subscriptions if one not in before] == ['/other']


def test_they_go_with_their_node(ros, node):
    node.poll(Header, 'news', POLLED_INPUT)
    ros.until(lambda: ros.tester.count_subscribers('/news') == 1, 'the subscription')
    ros.remove(node)
    ros.until(lambda: ros.tester.count_subscribers('/news') == 0, 'its end')
