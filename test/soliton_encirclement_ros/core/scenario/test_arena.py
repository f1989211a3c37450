"""How far the members of a scenario may come apart."""

import math

import pytest
from soliton_encirclement_ros.core.scenario.arena import largest_distance
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import SwarmLoop


def changed(**sections: dict) -> Scenario:
    return Scenario().with_changes(sections, 'test')


def test_the_default_scenario_fits_into_the_default_range() -> None:
    flight = Scenario()
    assert largest_distance(flight) < flight.radio.communication_transmission_range


@pytest.mark.parametrize(
    'sections',
    [
        {'swarm': {'encirclement_radius': 60.0}},
        {'target': {'target_motion_boundary_xy': 60.0}},
        {'adversary': {'adversary_roam_bound_xy': 100.0}},
        {'target': {'target_motion': 'constant'}},
    ],
)
def test_larger_scenarios_do_not(sections: dict) -> None:
    assert largest_distance(changed(**sections)) > 200.0


@pytest.mark.one_in(2)
@pytest.mark.parametrize('seed', [1, 2])
def test_nobody_ever_goes_farther(seed: int) -> None:
    flight = changed(run={'seed': seed, 'sim_duration': 60.0})
    loop, bound = SwarmLoop(flight), largest_distance(flight)
    farthest = 0.0
    for _ in range(flight.ticks):
        loop.tick()
        places = list(loop.world.positions.values())
        farthest = max(farthest, *(math.dist(p, places[-1]) for p in places),
                       *(math.dist(p, places[0]) for p in places))  # fmt: skip
    assert 20.0 < farthest < bound
