"""How a budget of flights is spent: never more than it, and on every law alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.law_study.tuning_plan import Round, cost_of, rounds_of


def test_a_third_goes_on_to_three_times_the_flights():
    rounds = rounds_of(1200, 72, 8, 'x')
    assert rounds == [Round(63, 8), Round(21, 24), Round(7, 72)]
    assert cost_of(rounds) == 63 * 8 + 21 * 16 + 7 * 48 == 1176


def test_one_flight_for_all_needs_one_round():
    assert rounds_of(7, 1, 1, 'x') == [Round(7, 1)]


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
