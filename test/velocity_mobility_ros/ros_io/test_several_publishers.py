"""Who contradicts on a topic is named, once the names of all nodes are known."""

import pytest
from geometry_msgs.msg import Twist
from rclpy.qos import QoSProfile

from support.ros.graph import Ros
from velocity_mobility_ros.ros_io import graph_faults
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.graph_faults import (
    TopicEndpointInfo, several_publishers, takers_of_other_type
)

pytestmark = pytest.mark.ros

TOPIC, STAMPED = '/uav_1/cmd_vel', 'geometry_msgs/msg/TwistStamped'


def end(name: str, number: int) -> TopicEndpointInfo:
    """Return an end of another node, with a name that may not be known yet."""
    namespace = '_NODE_NAMESPACE_UNKNOWN_' if name == graph_faults.UNKNOWN_NODE else '/uav_1'
    return TopicEndpointInfo(
        node_name=name, node_namespace=namespace, topic_type=STAMPED,
        endpoint_gid=[number] * 16, qos_profile=QoSProfile(depth=1),
    )  # fmt: skip


@pytest.mark.parametrize('asks', ['takers', 'publishers'])
def test_nothing_is_told_before_the_names_are_known(
    ros: Ros, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    """A name that does not come in its time is not waited for any longer."""
    node, known = ros.tester, [graph_faults.UNKNOWN_NODE]
    ours = node.create_publisher(Twist, TOPIC, COMMAND)

    def ends(_: str) -> list[TopicEndpointInfo]:
        return [end(known[0], 1), end('b', 2)]

    monkeypatch.setattr(node, 'get_subscriptions_info_by_topic', ends)
    monkeypatch.setattr(node, 'get_publishers_info_by_topic', ends)
    for count in ('count_subscribers', 'count_publishers'):
        monkeypatch.setattr(node, count, lambda _: 2)

    def told() -> list[str]:
        found = (
            takers_of_other_type(node, ours) if asks == 'takers'
            else several_publishers(node, TOPIC, Level.WARN)
        )  # fmt: skip
        return [one.reason for one in found]

    told()  # who is counted for the first time is as it should be
    assert told() == []
    monkeypatch.setattr(graph_faults, 'NAMES_TIME', 0.0)
    assert 'a node whose name is not known yet' in told()[0]
    monkeypatch.setattr(graph_faults, 'NAMES_TIME', 60.0)
    known[0] = 'a'
    assert '/uav_1/a' in told()[0] and '/uav_1/b' in told()[0]
