"""Another swarm in the namespace of a run: who counts as one, and what to do about it."""

import pytest
from rclpy.node import Node
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.cli.operator.ros_context import refuse_neighbours
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.endpoints import STATE

pytestmark = pytest.mark.ros


def test_an_empty_domain_is_nobodys(ros):
    assert refuse_neighbours(ROOT) is None
    assert ros.tester.get_node_names().count('swarm_probe') == 0


@pytest.mark.parametrize('topic', ['/swarm/agent_states', '/swarm/metrics'])
def test_a_domain_with_a_swarm_is_refused_with_what_to_do(ros: Ros, topic):
    neighbour = ros.add(Node('neighbour'))
    neighbour.create_publisher(JointState, topic, STATE)
    with pytest.raises(RunError) as caught:
        refuse_neighbours(ROOT)
    assert str(caught.value) == (
        f'ROS_DOMAIN_ID={ros.domain} already has a swarm ({topic} is there): stop it, '
        'use another --namespace, or set ROS_DOMAIN_ID to a free number '
        'from 0 to 101'
    )


def test_a_swarm_in_another_namespace_is_no_neighbour(ros: Ros):
    neighbour = ros.add(Node('neighbour'))
    neighbour.create_publisher(JointState, '/fleet/swarm/metrics', STATE)
    ros.until(lambda: ros.tester.count_publishers('/fleet/swarm/metrics'), 'the neighbour')
    assert refuse_neighbours(ROOT) is None
    assert refuse_neighbours(Fleet('/fleet_2')) is None
    with pytest.raises(RunError, match='already has a swarm in /fleet '):
        refuse_neighbours(Fleet('/fleet'))


def test_who_only_listens_is_no_swarm(ros: Ros):
    ros.listen(JointState, '/swarm/metrics', STATE)
    ros.until(lambda: ros.tester.count_subscribers('/swarm/metrics'), 'the listener')
    assert refuse_neighbours(ROOT) is None


def test_members_that_are_expected_may_be_there(ros: Ros):
    for namespace in ('/uav_3', '/target'):
        member = ros.add(Node('member', namespace=namespace))
        member.create_publisher(JointState, '/swarm/agent_states', STATE)
    ros.until(lambda: ros.tester.count_publishers('/swarm/agent_states') == 2, 'the members')
    assert refuse_neighbours(ROOT, ['uav_3', 'target']) is None
    with pytest.raises(RunError, match='agent_states is there'):
        refuse_neighbours(ROOT, ['uav_3'])
