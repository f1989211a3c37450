"""The topic of the emergency stop, as one node sees it: what its last message holds."""

import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, StopOrder
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet
from soliton_encirclement_ros.nodes import stop_topic as stop_topic_module
from soliton_encirclement_ros.nodes.stop_topic import StopTopic
from support.ros.graph import Ros
from support.ros.stopping import TOPIC, Operator
from velocity_mobility_ros.ros_io.polling import PollingNode

pytestmark = pytest.mark.ros


def stop_topic(
    ros: Ros, name: str, member: str = '', refuse: Callable[[str, str], None] = lambda *_: None
) -> StopTopic:
    """Return the topic as a node sees it that is a member, or none."""
    return StopTopic(ros.add(PollingNode(name)), named_fleet('', 'namespace'), member, refuse)


def test_an_operator_that_hears_of_an_order_still_asks_to_end_every_hold(ros):
    """Whoever is found later must hear it, too."""
    asking, other = stop_topic(ros, 'asking'), stop_topic(ros, 'other')
    asking.ask_to_end_holds('asking')
    other.give(EVERYBODY, True, 'other')
    ros.until(lambda: asking.update() and asking.latch.orders, 'the order')
    late = stop_topic(ros, 'late')
    ros.until(lambda: late.update() and late.is_end_asked, 'the request')


def know_a_release(ros: Ros) -> StopTopic:
    """Return the topic as a node sees it that knows of a release; the one who gave it is gone."""
    giving, knowing = stop_topic(ros, 'giving'), stop_topic(ros, 'knowing')
    giving.give('uav_1', True, 'giving')
    giving.give('uav_1', False, 'giving')
    ros.until(lambda: knowing.update() or knowing.latch.orders, 'the release')
    ros.remove(giving._node)
    ros.until(lambda: ros.tester.count_publishers(TOPIC) == 0, 'the giver to be gone')
    return knowing


@pytest.mark.parametrize('others', [1, 2])
def test_a_member_that_starts_again_is_not_stopped_by_who_missed_the_release(ros, others):
    """Of those that still say what they know, one or two missed it; it starts after a while."""
    knowing = know_a_release(ros)
    for _ in range(others):
        Operator(ros).order(True, 'uav_1', knowing.latch.orders['uav_1'].stamp_ns - 1)

    def has_keeper() -> bool:
        knowing.update()
        knowing.keep()
        return ros.tester.count_publishers(TOPIC) == others + 1

    ros.until(has_keeper, 'somebody who says the release')
    member = stop_topic(ros, 'member', 'uav_1')
    ros.until(lambda: member.update() == '' and member.latch.orders, 'the release')
    assert not member.latch.orders['uav_1'].stop


def test_a_release_that_a_wrong_clock_refused_counts_once_the_clock_is_right(ros, monkeypatch):
    refused: list[tuple[str, str]] = []
    late = stop_topic(ros, 'late', 'uav_1', lambda *words: refused.append(words))
    giving = stop_topic(ros, 'giving')
    giving.give('uav_1', True, 'giving')
    ros.until(late.update, 'the stop')
    ahead_ns = time.time_ns() + 3600 * 10**9
    giving.note(StopOrder('uav_1', False, ahead_ns, 'giving'))
    giving.publish()
    ros.until(lambda: late.update() and refused, 'the release to be refused')
    clock = SimpleNamespace(time_ns=lambda: ahead_ns, monotonic=time.monotonic)
    monkeypatch.setattr(stop_topic_module, 'time', clock)

    def is_released() -> bool:
        for topic in (late, giving):
            topic.keep()
            topic.update()
        return late.update() == ''

    ros.until(is_released, 'the release')
