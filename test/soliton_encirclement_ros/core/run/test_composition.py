"""Which nodes share a process: every node is in exactly one, and the shares are even."""

import pytest
from hypothesis import given, strategies as some

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.process_composition import (
    chosen_processes, composition, lateness_warning, process_count
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan


def plan(agents, adversary=False):
    changes = {'run': {'num_agents': agents}, 'adversary': {'adversary_enable': adversary}}
    flown = Scenario().with_changes(changes, 'test')
    return swarm_plan(flown, PlanOptions(run_folder='somewhere'))


def names(plan, group):
    return [plan[k].namespace or plan[k].executable for k in group.numbers]


@given(some.integers(1, 20), some.booleans(), some.data())
def test_every_node_is_in_one_process_and_the_shares_are_even(agents, adversary, data):
    nodes = plan(agents, adversary)
    others = ['target', 'world_node', *(['adversary'] if adversary else [])]
    processes = data.draw(some.integers(1, agents + len(others)))
    found = composition(nodes, processes)
    assert len(found) == processes
    hosted = sorted(name for group in found for name in names(nodes, group))
    assert hosted == sorted([f'uav_{k + 1}' for k in range(agents)] + others)
    shares = {len(group.numbers) for group in found}
    assert max(shares) - min(shares) <= 1
    assert [group.has_world for group in found] == [True] + [False] * (processes - 1)


def test_agents_with_neighbouring_numbers_share_a_process():
    nodes = plan(4)
    assert [(group.name, names(nodes, group)) for group in composition(nodes, 3)] == [
        ('process_1', ['world_node', 'target']),
        ('process_2', ['uav_1', 'uav_2']),
        ('process_3', ['uav_3', 'uav_4']),
    ]


def test_a_process_per_node_has_its_name():
    nodes = plan(2)
    found = composition(nodes, None)
    assert [group.name for group in found] == ['world', 'uav_1', 'uav_2', 'target']
    assert [len(group.numbers) for group in found] == [1] * 4


def test_more_processes_than_nodes_are_refused():
    with pytest.raises(ScenarioError, match=r'^processes = 5 exceeds the 4 nodes .* at most 4$'):
        composition(plan(2), 5)


@pytest.mark.parametrize(('text', 'count'), [('1', 1), ('12', 12), ('per-agent', None)])
def test_a_number_of_processes_is_read(text, count):
    assert process_count(text) == count


@pytest.mark.parametrize('text', ['0', '-1', '1.5', '', 'all', '²', '1_0', '9' * 5000])
def test_what_is_no_number_of_processes_is_refused(text):
    with pytest.raises(ScenarioError, match='must be per-agent or a whole number from 1 on'):
        process_count(text)


@pytest.mark.parametrize(
    ('agents', 'rate', 'text', 'lockstep', 'cores', 'count'),
    [
        (3, 20, '', True, 2.0, 1),
        (3, 20, '', False, 2.0, None),
        (7, 20, '', False, 2.0, None),
        (8, 20, '', False, 2.0, 1),
        (3, 50, '', False, 2.0, None),
        (4, 50, '', False, 2.0, 1),
        (8, 20, '', False, 0.5, 1),
        (40, 20, '', False, 8.0, 4),
        (1, 10_000, '', False, 64.0, 3),
        (40, 20, '3', False, 8.0, 3),
        (40, 20, 'per-agent', True, 8.0, None),
    ],
)
def test_agents_rate_and_cores_decide_where_the_user_does_not(
    agents, rate, text, lockstep, cores, count
):
    assert chosen_processes(plan(agents), 1.0 / rate, text, lockstep, cores) == count


@pytest.mark.parametrize(
    ('agents', 'processes', 'cores', 'carried'),
    [(15, None, 2.0, 0), (16, None, 2.0, 15), (50, 1, 2.0, 0), (51, 1, 2.0, 50),
     (100, 4, 2.0, 0), (101, 4, 2.0, 100)],
)  # fmt: skip
def test_more_than_a_slow_machine_carries_is_warned_of(agents, processes, cores, carried):
    line = lateness_warning(plan(agents), 0.05, processes, cores)
    assert bool(line) == bool(carried)
    assert not carried or f'a slow machine carries {carried} at this rate' in line
