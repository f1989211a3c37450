"""Whom a node has heard, as its diagnostics name them."""

import pytest
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.states.states import AdversaryState
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.members_heard import MOST_NAMED, MembersHeard, members_text
from support.ros.cockpit import Cockpit
from support.ros.told import Told

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


def test_a_list_that_is_cut_says_so():
    assert members_text(range(1, MOST_NAMED + 1)).endswith(f',uav_{MOST_NAMED}')
    assert members_text(range(1, 5 * MOST_NAMED)).endswith(f',uav_{MOST_NAMED},...')


def value(told, status):
    """Return whom the last status of a member names."""
    said = told.statuses(status)
    return {pair.key: pair.value for pair in said[-1].values}['members_heard'] if said else ''


@pytest.mark.ros
@pytest.mark.usefixtures('simulated')
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
