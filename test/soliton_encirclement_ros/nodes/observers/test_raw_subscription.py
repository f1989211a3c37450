"""Serialized messages of a topic: they wait, they come once, and what is missing is counted."""

import os

import pytest
from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from std_msgs.msg import String

from soliton_encirclement_ros.nodes.observers.topic_discovery import (
    DEPTH, MAX_PUBLISHERS, RawSubscription, SequenceGaps, offered
)
from support.ros.graph import PATIENCE
from velocity_mobility_ros.ros_io.polling import Arrival, PollingNode

pytestmark = pytest.mark.ros

PLENTY = QoSProfile(depth=2 * DEPTH)
LOSSY = QoSProfile(depth=DEPTH, reliability=ReliabilityPolicy.BEST_EFFORT)
NAMES_PUBLISHERS = os.environ.get('ROS_DISTRO') != 'jazzy'


@pytest.fixture
def subscription(ros):
    """Return a subscription whose messages wait."""
    node = ros.add(PollingNode('reader'))
    return RawSubscription(node, '/note', String, QoSProfile(depth=DEPTH))


def has_arrived(voice):
    """Wait until every reliable reader has everything."""
    assert voice.wait_for_all_acked(Duration(seconds=PATIENCE))


def texts(subscription):
    return [deserialize_message(each.data, String).data for each in subscription.arrived()]


def test_messages_wait_in_order(ros, subscription):
    voice = ros.voice(String, '/note', PLENTY)
    for k in range(DEPTH):
        voice.publish(String(data=str(k)))
    has_arrived(voice)
    assert texts(subscription) == [str(k) for k in range(DEPTH)]
    assert texts(subscription) == []
    assert subscription.lost == 0


def test_what_did_not_fit_into_the_queue_counts_as_lost(ros, subscription):
    voices = [ros.voice(String, '/note', PLENTY) for _ in range(2)]
    for voice in voices:
        voice.publish(String(data='first'))
        has_arrived(voice)
    assert texts(subscription) == ['first'] * 2
    for k in range(DEPTH + 100):
        voices[0].publish(String(data=str(k)))
    has_arrived(voices[0])
    assert len(texts(subscription)) == DEPTH
    assert subscription.lost == (100 if NAMES_PUBLISHERS else 0)


def test_a_weaker_subscription_takes_over_without_gap_or_duplicate(ros, subscription):
    voice = ros.voice(String, '/note', PLENTY)
    voice.publish(String(data='before'))
    has_arrived(voice)
    assert subscription.adapt(LOSSY)
    ros.until(lambda: voice.get_subscription_count() == 2, 'the second subscription')
    found = []
    for text in ('between', 'after'):  # the weak one has it as well, now or later
        voice.publish(String(data=text))
        has_arrived(voice)
        ros.until(lambda text=text: found.extend(texts(subscription)) or text in found, text)
    assert found == ['before', 'between', 'after']
    assert subscription.lost == 0


def arrival(publisher, number):
    return Arrival(b'', 0, publisher, number)


def test_of_unknown_publishers_nothing_is_asked():
    """A stronger request than the offer would match nobody."""
    found = offered([], keep_all=False)
    assert found.reliability == ReliabilityPolicy.BEST_EFFORT
    assert found.durability == DurabilityPolicy.VOLATILE


def test_gaps_are_counted_for_each_publisher():
    gaps = SequenceGaps()
    for publisher, number in ((b'a', 7), (b'b', 100), (b'a', 8), (b'b', 104), (b'a', 10)):
        gaps.see(arrival(publisher, number))
    assert gaps.lost == 3 + 1


def test_a_publisher_that_starts_again_has_lost_nothing():
    gaps = SequenceGaps()
    for number in (5, 6, 1, 2):
        gaps.see(arrival(b'a', number))
    gaps.forget()
    gaps.see(arrival(b'a', 500))
    assert gaps.lost == 0


def test_publishers_that_have_gone_do_not_fill_the_memory():
    gaps = SequenceGaps()
    for k in range(2 * MAX_PUBLISHERS):
        gaps.see(arrival(k.to_bytes(4, 'big'), 7))
    gaps.see(arrival(k.to_bytes(4, 'big'), 9))
    assert (len(gaps._last), gaps.lost) == (MAX_PUBLISHERS, 1)


@pytest.mark.parametrize(('publisher', 'number'), [(b'', 9), (b'a', None)])
def test_what_the_middleware_does_not_say_is_not_counted(publisher, number):
    gaps = SequenceGaps()
    gaps.see(arrival(b'a', 1))
    gaps.see(arrival(publisher, number))
    assert gaps.lost == 0
