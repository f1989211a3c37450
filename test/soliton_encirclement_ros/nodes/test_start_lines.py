"""What every node says when it starts, and whom it has heard."""

import pytest

from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.states.states import AdversaryState
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.state_messages import MOST_NAMED, MembersHeard, members_text
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.cockpit import Cockpit
from support.ros.told import Told
from velocity_mobility_ros.nodes.mobility_node import MobilityNode

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

@pytest.mark.parametrize(
    ('kind', 'namespace', 'parameters', 'line'),
    [
        (AgentNode, '/uav_3', {}, 'agent 3: law predictive, ring of 20 m, limits 10 m/s '),
        (AgentNode, '/uav_3', {'medium': True, 'odom_frame': 'odom',
                               'enable_stamped_cmd_vel': True},
         'every 0.05 s in real time, TwistStamped on /uav_3/cmd_vel, odometry on /uav_3/odom '
         'in odom, placed in map (timeout 0.5 s), receives the others '
         'through the simulated radio'),
        (TargetNode, '/target', {'lockstep': True},
         'every 0.05 s with the world (lockstep), TwistStamped on /target/cmd_vel'),
        (WorldNode, None, {'num_agents': 1, 'lockstep': False, 'medium': True},
         '3 bodies (uav_1, target, adversary), real time, the radio simulated, 300 s, seed 0'),
        (MonitorNode, None, {},
         'watches 10 agents in real time, law predictive, until the world ends; writes no tables'),
        (MonitorNode, None, {'world': False, 'watch_duration': 7.0}, 'for 7 s; writes no tables'),
        (MobilityNode, '/uav_3', {}, 'vehicle at 100 Hz, lag 1 s and 1.2 s, limits 10 m/s, '),
    ],
)  # fmt: skip
def test_a_node_says_what_matters(ros, kind, namespace, parameters, line):
    told = Told(ros)
    node = ros.make(kind, namespace, **parameters)
    name = node.get_fully_qualified_name().strip('/').replace('/', '.')
    ros.until(lambda: told.logged(name, line), line, 1.0)


def test_a_recorder_says_where_the_bag_is(ros, tmp_path):
    told = Told(ros)
    ros.make(RecorderNode, None, bag=str(tmp_path / 'bag'), include='/note.*', exclude='/note2')
    line = f'records /note.* without /note2 to {tmp_path / "bag"}, logged at time of arrival'
    ros.until(lambda: line in told.lines('recorder'), line)


def test_at_the_level_debug_every_status_is_a_line(ros):
    told = Told(ros)
    node = ros.make(MobilityNode, '/uav_3')
    node.get_logger().set_level(10)
    try:
        ros.until(lambda: told.logged('uav_3.mobility_node', 'command_age_s inf'), 'the line')
    finally:
        node.get_logger().set_level(20)


STILL = (0.0, 0.0, 0.0)


def agents(*numbers):
    """Return states of agents."""
    return tuple(AgentState(k, 1, STILL, STILL) for k in numbers)


def test_agents_come_by_number_then_the_others_and_not_itself():
    heard = MembersHeard('uav_2')
    assert heard.text() == ''
    heard.receive((AdversaryState(1, STILL, STILL), *agents(10, 2, 9)))
    heard.receive((TargetState(1, STILL, STILL),))
    heard.receive(())
    assert heard.text() == 'uav_9,uav_10,target,adversary'


def test_a_vehicle_beside_the_ring_is_a_member_too():
    heard = MembersHeard('uav_1')
    heard.receive((AgentState(7, 1, STILL, STILL, ring_member=False),))
    assert heard.text() == 'uav_7'


def test_who_falls_silent_is_not_forgotten():
    heard = MembersHeard('uav_1')
    heard.receive(agents(2, 3))
    assert heard.text() == 'uav_2,uav_3'
    for _ in range(3):
        heard.receive(agents(3))
        assert heard.text() == 'uav_2,uav_3'


def test_names_without_end_are_left_out():
    """A stranger's; target and adversary and the lowest numbers are named."""
    heard = MembersHeard('uav_1')
    heard.receive(agents(*range(1, 10)))
    for first in range(10**6, 10**6 + 2 * MAX_MEMBERS, 100):
        heard.receive(agents(*range(first, first + 100)))
    heard.receive((TargetState(1, STILL, STILL),))
    assert heard.text().startswith('uav_2,uav_3')
    assert heard.agents() == MAX_MEMBERS - 2
    heard.receive(agents(10))
    assert heard.agents() == MAX_MEMBERS - 2


@pytest.mark.parametrize(('kind', 'usual'), [(TargetNode, '/target'), (MobilityNode, '/uav_1')])
def test_a_vehicle_without_a_namespace_is_warned_of(ros, kind, usual):
    told, node = Told(ros), ros.make(kind, '/')
    line = f'start it with -r __ns:={usual}'
    ros.until(lambda: told.logged(node.get_name(), line), 'the warning')


def test_a_list_that_is_cut_says_so():
    assert members_text(range(1, MOST_NAMED + 1)).endswith(f',uav_{MOST_NAMED}')
    assert members_text(range(1, 5 * MOST_NAMED)).endswith(f',uav_{MOST_NAMED},...')


def value(told, status):
    """Return whom the last status of a member names."""
    said = told.statuses(status)
    return {pair.key: pair.value for pair in said[-1].values}['members_heard'] if said else ''


def test_agent_and_target_say_whom_they_hear(ros):
    told, cockpit = Told(ros), Cockpit(ros)
    ros.make(TargetNode, '/target')
    there = ((20.0, 0.0, 5.0), (0.0, 20.0, 5.0))
    cockpit.until(
        lambda: value(told, 'uav_1/agent: control') == 'uav_2,uav_3,target', 'the agent',
        neighbours=there,
    )  # fmt: skip
    cockpit.until(
        lambda: value(told, 'target/target: control') == 'uav_1,uav_2,uav_3', 'the target',
        neighbours=there,
    )  # fmt: skip
