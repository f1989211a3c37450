"""The work of a control period: every node in some process, every message where it is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from soliton_encirclement_ros.core.capacity.processor_work import Work, run_work
from soliton_encirclement_ros.core.scenario.composition import composition
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan

PERIOD = 0.02


def plan(agents, adversary=True):
    changes = {'run': {'num_agents': agents}, 'adversary': {'adversary_enable': adversary}}
    return swarm_plan(Scenario().with_changes(changes, 'test'), PlanOptions(lockstep=False))


def work(agents, processes, recorded=True):
    nodes = plan(agents)
    return run_work(nodes, composition(nodes, processes), PERIOD, recorded)


def summed(parts):
    return Work(*map(sum, zip(*parts, strict=True)))


@given(some.integers(1, 12), some.data())
def test_the_work_is_that_of_all_nodes_however_they_share_processes(agents, data):
    processes = data.draw(some.none() | some.integers(1, agents + 3))
    found = work(agents, processes)
    assert len(found) == (agents + 3 if processes is None else processes) + 1
    total = summed(found)
    assert total.member == total.vehicle == agents + 2
    assert total.watched == total.recorded == agents
    assert total.process == len(found)
    assert total.lifetime == pytest.approx(PERIOD * len(found))


def test_one_process_has_no_messages_to_another_one():
    assert [part.crossing for part in work(5, 1)] == [0, 0]


def test_a_process_per_node_crosses_with_every_message():
    world, agent, *_ = work(3, None)
    assert world.crossing == 2 * 5
    # Its state to four others, four states from them, odometry and command.
    assert agent.crossing == 4 + 4 + 2


def test_agents_that_share_a_process_receive_once_and_send_one_message():
    _, _, first, second, _ = work(4, 4)  # world; target and adversary; two agents each
    assert (first.member, first.received) == (2, 4 + 1)
    # A message to two other processes, three messages from them, odometry and commands of two.
    assert first.crossing == second.crossing == 2 + 3 + 4
