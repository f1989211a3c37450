"""What an agent holds of the target: broadcasts by number, relayed reports by age."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.states.message_acceptance import SingleCache
from soliton_encirclement_ros.core.states.states import TargetState
from soliton_encirclement_ros.core.states.target_cache import TargetCache
from soliton_encirclement_ros.core.states.target_filter import (
    NO_ESTIMATE,
    TargetModel,
    updated_estimate,
)
from soliton_encirclement_ros.core.states.target_relay import FIRST_TAKEN, Relayed

ORIGIN = (0.0, 0.0, 0.0)
PERIOD, TIMEOUT, HOLD = 0.05, 0.5, 2.5
WEIGHTS = ((1, 2.0), (2, 1.0))
MODEL = TargetModel(4.0, 0.3, PERIOD)


def heard(seq, age=PERIOD, x=0.0, lambdas=()):
    """Return a broadcast."""
    return TargetState(seq, (x, 0.0, 0.0), ORIGIN, lambdas, 0.1, age)


def told(age, x=0.0):
    """Return a report of another agent."""
    return Relayed(TargetState(0, (x, 0.0, 0.0), ORIGIN, (), 0.2), age)


@pytest.fixture
def cache():
    """Return the cache of an agent that has heard message 5 at 1 s, with weights."""
    cache = TargetCache(TIMEOUT)
    assert cache.accept(heard(5, lambdas=WEIGHTS), 1.0)
    return cache


def take(cache, report, now):
    """Offer a relayed report."""
    return cache.take(report, now, HOLD, PERIOD)


def test_who_never_heard_the_target_takes_what_it_is_told():
    cache = TargetCache(TIMEOUT)
    assert math.isinf(cache.age(1.0))
    assert take(cache, told(0.4, 3.0), 1.0)
    assert cache.state.position == (3.0, 0.0, 0.0) and cache.state.lambdas == ()
    assert cache.is_alive(1.5) and not cache.is_alive(1.51)
    assert cache.age(1.1) == pytest.approx(0.5)


def test_a_younger_report_is_fresh_has_its_age_and_keeps_the_weights(cache):
    assert take(cache, told(0.1), 1.4)
    assert cache.state.lambdas == WEIGHTS and cache.state.omega_ref == 0.2
    assert cache.is_alive(1.9) and cache.age(1.5) == pytest.approx(0.2)


def test_weights_of_a_target_that_was_lost_are_worth_nothing(cache):
    assert take(cache, told(0.1), 1.0 + HOLD)
    assert cache.state.lambdas == ()


def test_each_report_has_a_number_of_its_own(cache):
    numbers = [cache.state.seq]
    for k in range(3):
        assert take(cache, told(0.1), 1.4 + k)
        numbers.append(cache.state.seq)
    assert numbers == [5, FIRST_TAKEN, FIRST_TAKEN - 1, FIRST_TAKEN - 2]


def test_a_later_broadcast_is_no_repetition(cache):
    assert take(cache, told(0.1), 1.4)
    assert cache.accept(heard(6, 0.05, 9.0), 1.45)
    assert cache.state.seq == 6 and cache.state.position[0] == 9.0
    assert not cache.accept(heard(6, 0.05), 1.5)


def test_a_replay_is_refused_although_a_report_came_between(cache):
    assert take(cache, told(0.1), 1.4)
    assert not cache.accept(heard(5, 0.05), 1.45)
    assert not cache.accept(heard(4, 0.05), 1.5)


def test_a_target_that_starts_again_is_heard_although_others_relay(cache):
    for k in range(4):
        assert take(cache, told(0.1), 1.2 + 0.2 * k)
    assert cache.accept(heard(1, 0.05, 4.0), 1.85)
    assert cache.state.seq == 1


def test_of_an_older_broadcast_only_the_weights_are_taken(cache):
    assert take(cache, told(0.1, 3.0), 1.4)
    others = ((1, 1.0), (2, 3.0))
    assert cache.accept(heard(6, 0.3, 9.0, others), 1.4)
    assert cache.state.position[0] == 3.0 and cache.state.lambdas == others
    assert cache.state.seq == FIRST_TAKEN and cache.age(1.4) == pytest.approx(0.1)
    assert not cache.accept(heard(6, 0.01), 1.4)


EVENTS = st.lists(
    st.tuples(st.booleans(), st.floats(0.0, 0.4), st.floats(0.0, 3.0)), min_size=1, max_size=30
)
"""Broadcast or told, time since the last one, age [s]."""


@given(EVENTS)
def test_with_broadcasts_alone_it_is_a_single_cache(events):
    ours, plain, now = TargetCache(TIMEOUT), SingleCache(TIMEOUT), 0.0
    for seq, (_, wait, age) in enumerate(events):
        now += wait
        state = heard(seq % 7, age)
        assert ours.accept(state, now) == plain.accept(state, now)
        assert (ours.state, ours.age(now)) == (plain.state, plain.age(now))


@given(EVENTS)
def test_what_is_held_never_goes_back_in_time_nor_does_the_filter(events):
    """Broadcasts come in the order in which they were sent."""
    cache, estimate, now, sent, valid = TargetCache(TIMEOUT), NO_ESTIMATE, 1.0, 0.0, -math.inf
    for seq, (is_heard, wait, age) in enumerate(events):
        now += wait
        if is_heard:
            sent = max(sent, now - age)
            cache.accept(heard(seq, now - sent, seq), now)
        else:
            take(cache, told(age, seq), now)
        if cache.state is None:
            continue
        before, valid = valid, now - cache.age(now)
        assert valid >= before - 1e-9
        last = estimate
        estimate = updated_estimate(
            estimate, cache.state.seq, cache.state.position, cache.state.velocity, valid, MODEL
        )
        assert estimate.valid >= last.valid or last is NO_ESTIMATE
        if valid > before + 1e-5:
            assert estimate.seq == cache.state.seq and estimate is not last
