"""The topic of the emergency stop, as one node sees it: what its last message holds."""

import pytest

from soliton_encirclement_ros.core.emergency_stop import EVERYBODY
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet
from soliton_encirclement_ros.nodes.stop_topic import StopTopic
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.polling import PollingNode

pytestmark = pytest.mark.ros


def stop_topic(ros: Ros, name: str) -> StopTopic:
    """Return the topic as a node that is no member sees it."""
    return StopTopic(ros.add(PollingNode(name)), named_fleet('', 'namespace'), '', lambda *_: None)


def test_an_operator_that_hears_of_an_order_still_asks_to_end_every_hold(ros):
    """Whoever is found later must hear it, too."""
    asking, other = stop_topic(ros, 'asking'), stop_topic(ros, 'other')
    asking.ask_to_end_holds('asking')
    other.give(EVERYBODY, True, 'other')
    ros.until(lambda: asking.update() and asking.latch.orders, 'the order')
    late = stop_topic(ros, 'late')
    ros.until(lambda: late.update() and late.is_end_asked, 'the request')
