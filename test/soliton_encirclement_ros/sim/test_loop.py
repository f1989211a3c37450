"""The plain loop over the world and the crew."""

import random
from typing import Any

import pytest

from soliton_encirclement_ros.core.ring.metrics import encirclement_metrics
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import TARGET
from support.plain_loop import SwarmLoop


def lively(**run: Any) -> Scenario:
    """Return a short scenario in which agents fail often and everybody moves."""
    changes = {
        'run': {'num_agents': 4, 'sim_duration': 6.0, 'seed': 3, **run},
        'failure': {'failure_mean_failures_per_min': 30.0, 'failure_off_time': 0.6},
        'target': {'target_swarm_spin_enable': True},
    }
    return Scenario('lively').with_changes(changes, 'test')


def noted(loop: SwarmLoop) -> tuple[list, list]:
    """Return the lists that rows and samples of a loop will go to."""
    rows, samples = [], []
    loop.on_row, loop.on_sample = rows.append, samples.append
    return rows, samples


def flown(scenario: Scenario) -> tuple[list, list]:
    """Return rows and samples of a whole flight."""
    loop = SwarmLoop(scenario)
    found = noted(loop)
    assert loop.fly()
    return found


def test_rows_and_samples_come_once_per_tick_in_the_order_of_the_monitor() -> None:
    scenario = lively()
    rows, samples = flown(scenario)
    times = [k * 50_000_000 / 1e9 for k in range(1, scenario.ticks + 1)]
    assert [sample.time for sample in samples] == times
    assert [(row.time, row.agent_id) for row in rows] == [
        (time, k) for time in times for k in scenario.agent_ids
    ]
    assert any(row.failed for row in rows)


def test_the_order_of_acting_does_not_matter() -> None:
    scenario = lively().with_changes({'target': {'protection_angle_deg': 200.0}}, 'test')
    ordered, shuffled = SwarmLoop(scenario), SwarmLoop(scenario)
    expected, found = noted(ordered), noted(shuffled)
    draw, order = random.Random(1), list(shuffled.world.members)
    for _ in range(ordered.scenario.ticks):
        draw.shuffle(order)
        assert shuffled.tick(order) == ordered.tick()
    assert found == expected


def test_without_failures_a_sample_is_the_law_over_what_was_said() -> None:
    loop = SwarmLoop(lively().with_changes({'failure': {'failure_enable': False}}, 'test'))
    for _ in range(20):
        sample = loop.tick()
        agents = [state for state in loop.sent.values() if isinstance(state, AgentState)]
        target = loop.sent[TARGET]
        assert sample.metrics == encirclement_metrics(
            agents, target.position, target.velocity, loop.scenario.swarm.encirclement_radius
        )
        assert sample.alive == 4


def test_one_that_is_down_says_nothing_and_is_missed_after_its_timeout() -> None:
    loop = SwarmLoop(lively().with_changes({'failure': {'failure_enable': False}}, 'test'))
    loop.tick()
    loop.crew['uav_2'].failures.fail()
    alive = [loop.tick().alive for _ in range(8)]
    assert alive == [4, 4, 4, 4, 4, 3, 3, 3]
    assert 'uav_2' not in loop.sent
    assert loop.observer.down == [2]


@pytest.mark.parametrize('ticks', [0, 7])
def test_a_flight_can_be_stopped_between_two_ticks(ticks: int) -> None:
    loop, turns = SwarmLoop(lively()), []
    assert not loop.fly(lambda: len(turns) == ticks, lambda: turns.append(1))
    assert len(loop.observer.series['time']) == ticks == loop.world.tick - 1
