"""What docs/research/field.md promises of `field` and `field_unseen`, on seeds of their own."""

import statistics
from typing import Any

import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim.simulation import fly
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

SEEDS = range(500, 510)
FIRST = SEEDS[:3]
SHORT = 100.0
"""Duration of the quick flights [s]."""


def scenario(name: str, seed: int, **sections: dict[str, Any]) -> Scenario:
    """Return a scenario that comes along, with changes."""
    run = {'seed': seed, **sections.pop('run', {})}
    return load_scenario(find_scenario(name)).with_changes({**sections, 'run': run}, 'test')


def steady(name: str, seed: int, **sections: dict[str, Any]) -> tuple[float, float]:
    """Return the means of E_gap and E_r after the start of a flight in which nobody came near."""
    summary = fly(scenario(name, seed, **sections)).summary
    assert summary['near_misses_below_2m_per_min'] == 0.0
    assert summary['min_separation_m'] > 4.0
    means = summary['metrics_steady']
    return means['E_gap'], means['E_r']


def test_a_ring_in_the_field_is_held():
    flights = [steady('field', seed, run={'sim_duration': SHORT}) for seed in FIRST]
    assert max(gap for gap, _ in flights) < 0.1
    assert max(radius for _, radius in flights) < 0.05


def test_a_ring_round_a_target_seen_by_bearings_alone_is_held():
    flights = [steady('field_unseen', seed, run={'sim_duration': SHORT}) for seed in FIRST]
    assert statistics.mean(radius for _, radius in flights) < 0.1


@pytest.mark.parametrize('seed', FIRST)
def test_agents_that_fail_and_return_keep_their_distance_though_commands_are_late(seed):
    failing = {'failure_enable': True, 'failure_mean_failures_per_min': 1.0}
    late = scenario('field', seed, run={'sim_duration': SHORT}, failure=failing)
    found = fly(late).summary
    assert found['failures'] > 5
    assert found['min_separation_m'] > late.safety.separation_distance
    bare = fly(late.with_changes({'safety': {'separation_filter': False}}, 'test')).summary
    assert bare['min_separation_m'] < 2.0


@pytest.mark.parametrize('seed', FIRST)
def test_fifty_commands_a_second_lose_nobody(seed):
    """Messages come unevenly then, which once led an agent's filter of the target astray."""
    gap, radius = steady('field', seed, run={'sim_duration': 60.0}, swarm={'control_period': 0.02})
    assert gap < 0.1
    assert radius < 0.05
