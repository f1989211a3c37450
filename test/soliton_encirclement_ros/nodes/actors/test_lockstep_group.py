"""Agents of one process in lockstep: one message per tick; the same flight as with one each."""

import pytest
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.members.own_rules import PLAIN_CODE
from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup, LockstepGroup
from soliton_encirclement_ros.nodes.state_messages import MAX_BATCH
from soliton_encirclement_ros.sim.compilation.agent_rows import MACHINE_CODE, find_code
from support.ready import agents_code
from support.ros.bodies import STILL
from support.ros.graph import Ros
from support.ros.swarm import fly, scenario, take_down
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP
from velocity_mobility_ros.ros_io.node_time import time_to_ns
from velocity_mobility_ros.ros_io.polling import PollingNode

__all__ = ['agents_code']

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

TOPIC = '/swarm/agent_states'
TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')
TICK_NS = 50_000_000
SOME = (1, 2, 3)


def members(message: JointState) -> list[int]:
    """Return the agents of a message, in their order."""
    return [int(name[4:-4]) for name in message.name if name.endswith('/seq')]


class Group:
    """A group, and what it says."""

    def __init__(self, ros: Ros, numbers: tuple[int, ...] = SOME) -> None:
        """Let some agents join, and wait until somebody listens."""
        self.ros, self.group = ros, LockstepGroup()
        node = ros.add(PollingNode('first'))
        publishers = {self.group.join(node, uav(k), TOPIC) for k in numbers}
        self.heard = ros.listen(JointState, TOPIC, LOCKSTEP)
        (publisher,) = publishers
        ros.until(lambda: publisher.get_subscription_count() == 1, 'the listener')

    def answer(self, tick: int, *numbers: int, silent: tuple[int, ...] = ()) -> None:
        """Let agents answer a tick in this order."""
        for k in numbers:
            state = None if k in silent else AgentState(k, tick, (float(k), 0.0, 0.0), STILL)
            self.group.answer(tick * TICK_NS, uav(k), state)

    def said(self, count: int) -> list[tuple[int, list[int] | str]]:
        """Return tick and agents of all messages, as soon as there are so many and no more."""
        self.ros.until(lambda: len(self.heard) >= count, f'{count} messages')
        self.ros.meanwhile(0.05)
        return [
            (time_to_ns(one.header.stamp) // TICK_NS, members(one) or one.header.frame_id)
            for one in self.heard
        ]


def test_the_last_answer_sends_one_message_in_the_order_of_numbers(ros):
    group = Group(ros)
    group.answer(1, 3, 1)
    assert group.said(0) == []
    group.answer(1, 2)
    assert group.said(1) == [(1, [1, 2, 3])]
    group.answer(2, 1, 2, 3)
    assert group.said(2)[1:] == [(2, [1, 2, 3])]


def test_an_agent_without_a_state_says_so_by_itself(ros):
    group = Group(ros)
    group.answer(1, 1, 2, 3, silent=(2,))
    assert group.said(2) == [(1, 'uav_2'), (1, [1, 3])]
    group.answer(2, 1, 2, 3, silent=SOME)
    assert group.said(5)[2:] == [(2, 'uav_1'), (2, 'uav_2'), (2, 'uav_3')]


def test_one_that_hangs_does_not_keep_the_others_back(ros):
    group = Group(ros)
    group.answer(1, 1, 2)
    assert group.said(1) == [(1, [1, 2])]
    group.answer(2, 1, 2)
    since = ros.now_ns()
    assert len(group.said(2)) == 2
    assert ros.now_ns() - since < 0.1e9, 'it is not waited for any more'
    group.answer(2, 3)
    assert group.said(3)[1:] == [(2, [1, 2]), (2, [3])]
    group.answer(3, 1, 2)
    group.answer(3, 3)
    assert group.said(4)[3:] == [(3, [1, 2, 3])], 'it is waited for again'


def test_what_is_left_of_a_tick_goes_out_before_the_next(ros):
    """A world that has gone on is not kept waiting; it counts who is late as missing."""
    group = Group(ros)
    group.answer(1, 1)
    group.answer(2, 1, 2, 3)
    assert group.said(2) == [(1, [1]), (2, [1, 2, 3])]


def test_many_agents_are_some_messages(ros):
    numbers = tuple(range(1, MAX_BATCH + 21))
    group = Group(ros, numbers)
    group.answer(1, *numbers)
    assert group.said(2) == [(1, [*numbers[:MAX_BATCH]]), (1, [*numbers[MAX_BATCH:]])]


def test_a_flight_is_the_same_with_agents_in_one_process_and_in_many(ros, tmp_path):
    """With agents that fail often: to the last byte, and with fewer messages.

    So it is if the tick of those in one process is machine code.
    """
    found, counts = [], []
    ways = {'alone': None, 'group': AgentGroup(), 'code': AgentGroup(find_code)}
    for name, group in ways.items():
        heard = ros.listen(JointState, TOPIC, LOCKSTEP)
        folder = tmp_path / name
        flown = scenario()
        swarm = fly(ros, flown, folder, group=group)
        for k in SOME:
            code = swarm[uav(k)].actor.rows._code
            assert code is (MACHINE_CODE if name == 'code' else PLAIN_CODE)
        take_down(ros, swarm.nodes.values())
        found.append([(folder / name).read_bytes() for name in TABLES])
        words = [one for one in heard if one.header.stamp.sec or one.header.stamp.nanosec]
        assert sum(len(members(one)) or 1 for one in words) == 4 * flown.ticks
        counts.append(len(words))
    assert found[0] == found[1] == found[2]
    assert counts[0] == 4 * flown.ticks
    assert flown.ticks < counts[1] < 2.5 * flown.ticks
    assert counts[1] == counts[2]
