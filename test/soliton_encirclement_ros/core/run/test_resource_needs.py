"""What runs take: of the right order, and growing with what is asked for."""

import pytest

from soliton_encirclement_ros.core.run.machine_resources import (
    Needs, all_needs, node_needs, simulation_needs
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario


def swarm(agents: int, duration: float = 300.0) -> Scenario:
    return Scenario().with_changes({'run': {'num_agents': agents, 'sim_duration': duration}}, 't')


@pytest.mark.parametrize(
    ('agents', 'formats', 'pictures', 'memory', 'disk'),
    [
        (10, ('csv',), True, 0.2e9, 14.4e6),
        (100_000, (), False, 0.45e9, 0.0),
        (100_000, ('csv',), False, 0.45e9, 144e9),
        (100_000, ('csv', 'parquet'), True, 17e9, 204e9),
    ],
)
def test_a_simulation_takes_what_was_measured(agents, formats, pictures, memory, disk):
    found = simulation_needs(swarm(agents), formats, 1, pictures)
    assert (found.memory, found.disk) == pytest.approx((memory, disk), rel=0.1)


def test_a_lower_rate_takes_less_disk_and_time():
    every = simulation_needs(swarm(100), ('csv',), 1, False)
    rarely = simulation_needs(swarm(100), ('csv',), 20, False)
    assert rarely.disk == pytest.approx(every.disk / 20)
    assert rarely.wall < every.wall / 2


def test_runs_at_once_share_the_time_and_add_their_memory():
    runs = [Needs(float(k), 10.0, 6.0) for k in (1, 5, 3)]
    assert all_needs(runs, 2) == Needs(8.0, 30.0, 9.0, 2)
    assert all_needs(runs[:1], 8) == Needs(1.0, 10.0, 6.0, 1)


@pytest.mark.parametrize(
    ('agents', 'processes', 'memory'),
    [(10, 1, 169e6), (60, 1, 324e6), (100_000, 1, 90e12), (4, 7, 455e6), (16, 19, 1087e6)],
)
def test_a_run_by_nodes_grows_faster_than_its_swarm(agents, processes, memory):
    found = node_needs(swarm(agents), processes)
    assert found.processes == processes + 1
    assert found.memory == pytest.approx(memory, rel=0.1)
