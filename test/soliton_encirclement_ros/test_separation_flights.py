"""Whole flights with the separation filter, and the same ones without it."""

import itertools

import numpy as np
import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from support.engine_flights import Flight, flown
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

OFF = {'safety': {'separation_filter': False}}
DISTANCE = 2.0


def scenario(name: str, seed: int) -> Scenario:
    """Return one of the scenarios that come along, with another seed."""
    return load_scenario(find_scenario(name)).with_changes({'run': {'seed': seed}}, 'test')


def least(flight: Flight) -> float:
    """Return the smallest distance of two agents [m], failed ones included."""
    places = flight.positions
    pairs = itertools.combinations(range(places.shape[1]), 2)
    return min(np.linalg.norm(places[:, i] - places[:, j], axis=1).min() for i, j in pairs)


@pytest.mark.parametrize('name', ['failures', 'demo', 'late_joiners'])
def test_nobody_collides_and_without_the_filter_somebody_does(name: str) -> None:
    flights = [scenario(name, seed) for seed in range(3)]
    kept = [least(flown(one)) for one in flights]
    free = [least(flown(one.with_changes(OFF, 'test'))) for one in flights]
    assert min(kept) >= DISTANCE - 0.05
    assert min(free) < 1.0


def test_nobody_leaves_the_fence_or_comes_near_the_adversary() -> None:
    """A fence cuts off a part of the ring, and a bold adversary crosses the rest."""
    changes = {
        'run': {'num_agents': 6, 'sim_duration': 60.0, 'seed': 4},
        'safety': {'fence': '-40 -40, 40 -40, 40 15, -40 15', 'fence_margin': 0.5},
        'target': {'target_motion_speed_xy': 0.0},
        'adversary': {'adversary_min_target_distance': 1.0, 'adversary_roam_speed_xy': 3.0,
                      'adversary_roam_bound_xy': 25.0},
    }  # fmt: skip
    inside = Scenario().with_changes(changes, 'test')
    row = {k: ((8.0 * k - 28.0, -20.0, 0.0), (0.0, 0.0, 0.0)) for k in inside.agent_ids}
    placed = inside.with_changes({'safety': {'fence': ''}}, 'test')
    flight, free = (flown(one, row.__getitem__) for one in (inside, placed))
    assert flight.positions[..., 1].max() < 15.0 < free.positions[..., 1].max()
    assert least(flight) >= DISTANCE - 0.05
    gaps = flight.positions - flight.chunk.adversary[:, None, :3]
    assert np.linalg.norm(gaps, axis=2).min() > DISTANCE - 0.2
