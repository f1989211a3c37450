"""Crowds of kinematic vehicles: nobody collides with the filter, and they do without it."""

import numpy as np
import pytest

from support.safety.crowd import DEFAULT, NEVER, QUICK, Radio, fly, settings, swap
from support.safety.worst_case import search

BOTH = pytest.mark.parametrize('limits', [DEFAULT, QUICK], ids=['slow', 'quick'])
LOSSY = Radio(2, 0.3)
AGENTS = 10


def places(draw, n, box, gap):
    """Return n places in a square that keep a distance."""
    found = []
    while len(found) < n:
        place = draw.uniform(-box, box, 2)
        if all(np.hypot(*(place - other)) > gap for other in found):
            found.append(place)
    return np.array(found)


def crossing(seed, n=AGENTS, box=15.0, gap=2.5):
    """Return random starts and goals."""
    draw = np.random.default_rng(seed)
    bodies, goals = np.zeros((n, 6)), np.zeros((n, 3))
    bodies[:, :2], goals[:, :2] = places(draw, n, box, gap), places(draw, n, box, 4.5)
    return bodies, goals


def dying(seed):
    """Return the ticks at which the first three of ten die."""
    return [20 + 15 * k + seed % 20 for k in range(3)] + [NEVER] * (AGENTS - 3)


CASES = {
    'perfect': ({}, Radio(0), False),
    'lockstep': ({}, Radio(1), False),
    'lossy': ({}, LOSSY, False),
    'clocks': ({'clock_error': 0.02}, LOSSY._replace(clock=0.02), False),
    'dying': ({}, Radio(1), True),
    'dying_lossy': ({'run_on': 0.25}, LOSSY, True),
    'late_commands': ({'delay': 0.05}, Radio(1), False),
}


def smallest(limits, case, seeds, on=True):
    """Return the least distance of all flights, and how many come below 1 m."""
    changes, radio, die = CASES[case]
    least = []
    for seed in seeds:
        how = {'radio': radio._replace(seed=seed + 1), 'on': on}
        if die:
            how['deaths'] = dying(seed)
        least.append(fly(settings(limits, **changes), *crossing(seed), 30.0, **how).least)
    return min(least), sum(value < 1.0 for value in least)


@BOTH
@pytest.mark.parametrize('case', CASES)
def test_random_crossings_keep_their_distance(limits, case):
    least, _ = smallest(limits, case, range(12))
    assert least > 1.9
    without, below = smallest(limits, case, range(12), on=False)
    assert without < 0.5
    assert below >= 8


@BOTH
def test_all_on_one_line_pass_a_dead_body(limits):
    bodies, goals = np.zeros((2, 6)), np.zeros((2, 3))
    bodies[0, 0], goals[0, 0] = -20.0, 20.0
    how = {'deaths': [NEVER, 0], 'radio': Radio(1, timeout=0.3)}
    found = fly(settings(limits), bodies, goals, 40.0, **how)
    assert found.least > 1.8
    assert np.isfinite(found.arrivals[0])
    assert fly(settings(limits), bodies, goals, 40.0, on=False, **how).least < 0.5


@BOTH
@pytest.mark.parametrize('n', [2, 3, 8, 16])
def test_swaps_through_the_centre_arrive(limits, n):
    bodies, goals = swap(n, max(15.0, 1.5 * n))
    free = fly(settings(limits), bodies[:1], goals[:1], 60.0).arrivals[0]
    found = fly(settings(limits), bodies, goals, 60.0)
    assert found.least > 1.8
    assert max(found.arrivals) < 3.0 * free
    assert fly(settings(limits), bodies, goals, 60.0, on=False).least < 0.2


@BOTH
@pytest.mark.parametrize(('n', 'seed'), [(2, 0), (5, 1), (16, 2)])
def test_swaps_with_scattered_starts_and_a_lossy_radio_arrive(limits, n, seed):
    bodies, goals = swap(n, max(15.0, 1.5 * n), 0.3, seed)
    free = fly(settings(limits), bodies[:1], goals[:1], 60.0).arrivals[0]
    found = fly(settings(limits), bodies, goals, 60.0, radio=LOSSY._replace(seed=seed + 1))
    assert found.least > 1.8
    assert max(found.arrivals) < 3.0 * free


RADIOS = pytest.mark.parametrize(
    'radio', [Radio(0), Radio(1), Radio(2, 0.3)], ids=['perfect', 'lockstep', 'lossy']
)


@BOTH
def test_it_finds_a_collision_without_the_filter(limits):
    assert search(settings(limits), 2, 1, 6, 1, on=False)[0] < 0.3


@BOTH
@RADIOS
@pytest.mark.parametrize('n', [2, 3])
def test_it_finds_none_with_the_filter(limits, radio, n):
    assert search(settings(limits), n, 2, 5, n, radio=radio, speed=10.0)[0] > 1.7
