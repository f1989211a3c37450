"""Links to an autopilot: its messages, its topics, its namespace, and who else speaks to it."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from rclpy.node import Node
from std_msgs.msg import Bool, Empty, Header
from std_srvs.srv import Trigger

from support.ros.graph import Ros
from velocity_mobility_ros.autopilot.bridge import LinkFacts
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.autopilot import autopilot_graph
from velocity_mobility_ros.ros_io.autopilot.autopilot_graph import (
    SEARCH, SETTLING, Px4Graph, ServiceGraph
)
from velocity_mobility_ros.ros_io.autopilot.autopilot_link import load
from velocity_mobility_ros.ros_io.autopilot.px4_link import Px4Input, Px4Inputs, namespace_of
from velocity_mobility_ros.ros_io.endpoints import AUTOPILOT_STREAM
from velocity_mobility_ros.ros_io.polling import PollingNode

pytestmark = pytest.mark.ros

def test_classes_by_topic_or_service():
    assert load({'switch': ('std_msgs', 'Bool')}, 'msg') == {'switch': Bool}
    assert load({'check': ('std_srvs', 'Trigger')}, 'srv') == {'check': Trigger}


@pytest.mark.parametrize(('kinds', 'part', 'words'), [
    ({'a': ('nowhere_msgs', 'Bool')}, 'msg', 'nowhere_msgs is not installed'),
    ({'a': ('std_msgs', 'Nothing')}, 'msg', 'std_msgs has no msg/Nothing; install a newer one'),
])  # fmt: skip
def test_what_is_missing_is_told(kinds, part, words):
    with pytest.raises(StartupError, match=words):
        load(kinds, part)


def test_only_topics_without_any_message_are_left(ros):
    node = ros.add(PollingNode('reader'))
    inputs = Px4Inputs(node, {
        topic: Px4Input(Header, f'/{topic}', AUTOPILOT_STREAM) for topic in ('told', 'mute')
    })  # fmt: skip
    ros.voice(Header, '/told', AUTOPILOT_STREAM).publish(Header())
    ros.until(lambda: [topic for topic, _ in inputs.arrived()] == ['told'], 'a message')

    def readers():
        return tuple(ros.tester.count_subscribers(topic) for topic in ('/told', '/mute'))

    for fits, expected in ((True, (1, 1)), (False, (1, 0)), (False, (1, 0)), (True, (1, 1))):
        inputs.listen(fits)
        ros.until(lambda expected=expected: readers() == expected, f'{expected} readers')


@pytest.mark.parametrize(('given', 'namespace', 'expected'), [
    ('auto', '/uav_3', 'px4_3'), ('auto', '/fleet/uav_12', 'px4_12'), ('auto', '/', ''),
    ('auto', '/drone', ''), ('auto', '/uav_3/bridge', ''), ('auto', '/uav_x', ''),
    ('', '/uav_3', ''), ('px4_7', '/uav_3', 'px4_7'), ('/px4_7/', '/uav_3', 'px4_7'),
    ('fleet/one', '/uav_3', 'fleet/one'),
])  # fmt: skip
def test_the_namespace_of_a_px4(given, namespace, expected):
    assert namespace_of(given, namespace) == expected


TOPIC = '/px4_1/fmu/in/setpoint'


def px4_graph(ros: Ros) -> Callable[[], LinkFacts]:
    """Return what tells the facts of a bridge to PX4."""
    publisher = ros.tester.create_publisher(Empty, TOPIC, 1)
    graph = Px4Graph(ros.tester, 'px4_1', {}, '', [publisher], ['/px4_1/fmu/out/status'])
    return lambda: graph.facts(missing=())


def service_graph(ros: Ros) -> Callable[[], LinkFacts]:
    """Return what tells the facts of a bridge to an autopilot with services."""
    publisher = ros.tester.create_publisher(Empty, TOPIC, 1)
    graph = ServiceGraph(ros.tester, publisher, (), 'std_msgs/msg/Empty', 'prefix', 'why?')
    return lambda: graph.facts(missing=())


@pytest.mark.parametrize('graph', [px4_graph, service_graph])
def test_a_bridge_that_is_found_after_the_vehicle_is_known_before_the_link_is_there(
    ros, monkeypatch, graph
):
    now = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(autopilot_graph, 'time', clock)
    facts = graph(ros)
    now[0] += SEARCH + 0.1
    vehicle = ros.add(Node('vehicle'))
    vehicle.create_subscription(Empty, TOPIC, lambda message: None, 1)
    publisher = next(one for one in ros.tester.publishers if one.topic_name == TOPIC)
    ros.until(publisher.get_subscription_count, 'the vehicle')
    assert not facts().is_matched
    now[0] += 0.9 * SETTLING
    assert not facts().is_matched
    ros.add(Node('other_bridge')).create_publisher(Empty, TOPIC, 1)
    ros.until(lambda: ros.tester.count_publishers(TOPIC) == 2, 'the other bridge')
    now[0] += 0.3 * SETTLING
    assert facts() == facts()._replace(is_matched=True, commanders=2)
