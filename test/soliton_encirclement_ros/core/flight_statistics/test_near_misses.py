"""Encounters of agents are counted once each, the closest two are known, and how both are told."""

import itertools
import math
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import assume, given, strategies as st

from soliton_encirclement_ros.core.flight_statistics.near_misses import (
    HYSTERESIS, MOST, NONE, OPEN, RATES, THRESHOLDS, Closest, Encounters, closest_pair,
    closest_text, counts_of, near_miss_text, no_encounters
)

Place = tuple[float, float, float]
COORDINATE = st.floats(-3.0, 3.0)
PLACE = st.tuples(COORDINATE, COORDINATE, COORDINATE)
FLIGHT = st.integers(0, 5).flatmap(
    lambda agents: st.lists(st.lists(PLACE, min_size=agents, max_size=agents), max_size=12)
)


def look(places: Sequence[Place], met: Encounters) -> Closest:
    """Pass one sample on, in the order of x."""
    present = sorted(range(len(places)), key=lambda k: (places[k][0], k))
    return closest_pair(places, present, len(places), met)


def counted(samples: Iterable[Sequence[Place]]) -> tuple[int, ...] | None:
    """Return the encounters of a flight."""
    met = no_encounters()
    for places in samples:
        look(places, met)
    return counts_of(met)


def on_a_line(*distances: float) -> list[list[Place]]:
    """Return two agents at these distances [m]."""
    return [[(0.0, 0.0, 5.0), (0.0, distance, 5.0)] for distance in distances]


def by_definition(distances: Iterable[float], threshold: float) -> int:
    """Return how often a distance falls below a threshold, with hysteresis."""
    near, found = False, 0
    for distance in distances:
        if near and distance > threshold * (1.0 + HYSTERESIS):
            near = False
        elif not near and distance < threshold:
            near, found = True, found + 1
    return found


@pytest.mark.parametrize(
    ('distances', 'expected'),
    [
        ((9.0, 1.9, 2.15, 1.9, 2.15, 1.9), (1, 0, 0)),
        ((9.0, 1.9, 2.25, 1.9), (2, 0, 0)),
        ((1.9, 0.9, 1.05, 0.9, 1.2, 0.9), (1, 2, 0)),
        ((0.4, 0.6, 0.4, 0.54, 0.4, 1.05, 0.9), (1, 1, 2)),
    ],
)
def test_an_encounter_counts_once(distances, expected):
    assert counted(on_a_line(*distances)) == expected


@given(FLIGHT)
def test_counts_are_those_of_every_pair(samples):
    pairs = itertools.combinations(range(len(samples[0]) if samples else 0), 2)
    flights = [[math.dist(places[i], places[j]) for places in samples] for i, j in pairs]
    bounds = [limit * share for limit in THRESHOLDS for share in (1.0, 1.0 + HYSTERESIS)]
    apart = (abs(d - bound) for flight in flights for d in flight for bound in bounds)
    assume(min(apart, default=1.0) > 1e-9)  # rounding decides there
    expected = tuple(sum(by_definition(one, limit) for one in flights) for limit in THRESHOLDS)
    assert counted(samples) == expected


@given(st.lists(st.tuples(*[st.floats(-100.0, 100.0)] * 3), max_size=6))
def test_the_closest_two_against_the_definition(places):
    met = no_encounters()
    found = look(places, met)
    distances = [math.dist(a, b) for a, b in itertools.combinations(places, 2)]
    assert found.distance == pytest.approx(min(distances, default=math.inf))
    if distances:
        assert 0 <= found.first < found.second
        assert math.dist(places[found.first], places[found.second]) == pytest.approx(
            found.distance
        )
    else:
        assert found == (math.inf, NONE, NONE)


def test_an_encounter_goes_on_while_one_of_the_two_is_not_seen():
    met, near = no_encounters(), [(0.0, 0.0, 0.0), (1.5, 0.0, 0.0)]
    for present in ([0, 1], [0], [], [0, 1]):
        closest_pair(near, present, len(present), met)
    assert counts_of(met) == (1, 0, 0)


def in_rows(agents: int, apart: float) -> list[Place]:
    """Return pairs of agents 1.5 m from each other, the pairs far enough apart [m]."""
    return [(apart * (k // 2), 1.5 * (k % 2), 0.0) for k in range(agents)]


def test_too_many_at_a_time_are_not_counted_but_the_closest_two_are_known():
    met = no_encounters()
    look(in_rows(2 * MOST, 3.0), met)
    assert counts_of(met) == (MOST, 0, 0)
    assert met.tally[OPEN] == MOST
    assert look(in_rows(2 * MOST + 2, 3.0), met).distance == 1.5
    assert counts_of(met) is None
    look(in_rows(2, 3.0), met)
    assert (counts_of(met), met.tally[OPEN]) == (None, 0)


OLD = {'min_separation_m': 0.756}


def test_pair_and_time_are_named():
    assert closest_text({'min_separation_m': None}) == 'never two agents at once'
    assert (closest_text(OLD), near_miss_text(OLD)) == ('smallest separation 0.76 m', '')
    summary = {**OLD, 'min_separation_time_s': 3.0, 'min_separation_pair': ['uav_2', 'uav_5']}
    assert closest_text(summary) == 'smallest separation 0.76 m (uav_2 and uav_5 at 3.00 s)'


def test_near_misses_are_named_by_threshold():
    summary = dict(zip(RATES, (3.0, 1.25, 0.0), strict=True))
    expected = 'near misses per min: 3.0 below 2 m, 1.2 below 1 m, 0.0 below 0.5 m'
    assert near_miss_text(summary) == expected
