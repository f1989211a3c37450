"""What tuning makes small, and how a budget of flights is spent: on every law alike."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.study_settings import (
    Round,
    cost,
    cost_of,
    read_per_metric,
    rounds_of,
)


def summary(**means):
    return {'metrics_mean': means, 'min_separation_m': 2.0}


def test_it_is_the_logarithm_of_a_weighted_geometric_mean():
    weights = {'E_gap': 3.0, 'E_r': 1.0}
    expected = math.log((0.2**3 * 0.05) ** 0.25)
    assert cost(summary(E_gap=0.2, E_r=0.05), weights, {}) == pytest.approx(expected)


def test_a_larger_separation_costs_less():
    assert cost(summary(), {'min_separation': 1.0}, {}) == pytest.approx(-math.log(2.0))


def test_what_is_too_small_to_matter_costs_the_same():
    tiny, small = (cost(summary(E_r=value), {'E_r': 1.0}, {'E_r': 0.01}) for value in (1e-9, 0.01))
    assert tiny == small == pytest.approx(math.log(0.01))
    assert cost(summary(E_r=0.0), {'E_r': 1.0}, {}) == pytest.approx(math.log(1e-6))


@pytest.mark.parametrize('flown', [None, summary(E_r=None), {'settling_time_s': None}])
def test_a_failed_flight_and_one_without_the_metric_cost_more_than_any(flown):
    assert cost(flown, {'settling_time': 1.0, 'E_r': 1.0}, {}) == math.inf


@pytest.mark.parametrize(('content', 'line'), [
    ({'E_r': 0}, 'x: E_r = 0 must be a number above 0'),
    ({'E_r': True}, 'x: E_r = True must be'),
    ({'E_r': math.inf}, 'x: E_r = inf must be'),
    ({'E_q': 1.0}, "x: unknown metric 'E_q'; there are E_gap"),
    ({}, 'x: is empty: give at least one'),
    ([1], 'must be a mapping'),
])  # fmt: skip
def test_bad_weights_are_refused_in_one_line(content, line):
    with pytest.raises(ScenarioError) as error:
        read_per_metric(content, 'x')
    assert line in str(error.value) and '\n' not in str(error.value)


def test_a_third_goes_on_to_three_times_the_flights():
    rounds = rounds_of(1200, 72, 8, 'x')
    assert rounds == [Round(63, 8), Round(21, 24), Round(7, 72)]
    assert cost_of(rounds) == 63 * 8 + 21 * 16 + 7 * 48 == 1176


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 3000))
def test_the_budget_is_kept_and_one_more_candidate_would_break_it(flights, first, spare):
    budget = 2 * flights + spare
    rounds = rounds_of(budget, flights, first, 'x')
    assert cost_of(rounds) <= budget < cost_of(rounds) + flights  # another one in all rounds
    assert rounds[-1].flights == flights
    assert all(one.candidates >= 2 for one in rounds)


def test_a_budget_for_less_than_two_candidates_is_refused():
    assert rounds_of(20, 10, 10, 'x') == [Round(2, 10)]
    with pytest.raises(ScenarioError, match=r'^x = 19 must be at least 20: 2 sets of gains on'):
        rounds_of(19, 10, 10, 'x')
