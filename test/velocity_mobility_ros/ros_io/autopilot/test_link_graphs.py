"""A bridge goes on only when it knows whether another one speaks to its vehicle."""

from collections.abc import Callable

import pytest
from rclpy.node import Node
from std_msgs.msg import Empty
from support.ros.graph import Ros
from velocity_mobility_ros.autopilot.bridge.bridge_records import LinkFacts
from velocity_mobility_ros.ros_io.autopilot.link_graph import SEARCH, LinkGraph
from velocity_mobility_ros.ros_io.autopilot.px4_graph import Px4Graph

pytestmark = pytest.mark.ros

TOPIC = '/px4_1/fmu/in/setpoint'


def px4_graph(ros: Ros) -> Callable[[], LinkFacts]:
    """Return what tells the facts of a bridge to PX4."""
    publisher = ros.tester.create_publisher(Empty, TOPIC, 1)
    graph = Px4Graph(ros.tester, 'px4_1', {}, '', [publisher], ['/px4_1/fmu/out/status'])
    return lambda: graph.facts(missing=())


def service_graph(ros: Ros) -> Callable[[], LinkFacts]:
    """Return what tells the facts of a bridge to an autopilot with services."""
    publisher = ros.tester.create_publisher(Empty, TOPIC, 1)
    graph = LinkGraph(ros.tester, publisher, (), lambda: '')
    return lambda: graph.facts(is_heard=True)


@pytest.mark.parametrize('graph', [px4_graph, service_graph])
def test_a_bridge_that_is_found_after_the_vehicle_is_known_before_the_link_is_there(ros, graph):
    facts = graph(ros)
    ros.meanwhile(SEARCH + 0.1)
    vehicle = ros.add(Node('vehicle'))
    vehicle.create_subscription(Empty, TOPIC, lambda message: None, 1)
    ros.until(lambda: ros.tester.count_subscribers(TOPIC), 'the vehicle')
    assert not facts().is_matched
    ros.add(Node('other_bridge')).create_publisher(Empty, TOPIC, 1)
    ros.until(lambda: facts().is_matched, 'the link')
    assert facts().commanders == 2
