"""Reports of the target that agents pass on: which are told, which are taken, and no echo."""

import math
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.message_acceptance import NEVER
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.core.states.target_cache import TargetCache
from soliton_encirclement_ros.core.states.target_relay import (
    AGE,
    AHEAD,
    FIELDS,
    NOTHING,
    SILENT,
    is_taken,
    is_told,
    relayed_age,
    told_fields,
    youngest_told,
)

ORIGIN = (0.0, 0.0, 0.0)
PERIOD, TIMEOUT, HOLD = 0.05, 0.25, 2.5
REPORT = TargetState(7, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0), ((1, 2.0),), 0.3)


def from_agents(*messages, age=PERIOD, received=1.0):
    """Return what is known after agents 2, 3, ... sent these fields."""
    agents = AgentCache(TIMEOUT)
    for number, prop in enumerate(messages, 2):
        agents.accept(AgentState(number, 1, ORIGIN, ORIGIN, prop=prop, age=age), received)
    return agents.receptions


@pytest.mark.parametrize(
    ('age', 'told'),
    [(0.0, True), (HOLD, True), (HOLD + 1e-9, False), (-1.0, False), (math.inf, False),
     (math.nan, False)],
)  # fmt: skip
def test_a_report_is_told_up_to_the_hold(age, told):
    assert is_told(age, HOLD) is told


def test_no_age_that_receivers_refuse_is_told():
    assert not is_told(1e13, 1e15)


@pytest.mark.parametrize(
    ('age', 'own_age', 'taken'),
    [(0.1, math.inf, True), (0.1, 0.1, False), (0.1, 0.124, False), (0.1, 0.126, True),
     (0.2, 0.1, False), (HOLD, 9.0, True), (HOLD + 1e-9, 9.0, False), (-1.0, 9.0, False)],
)  # fmt: skip
def test_it_is_taken_if_younger_by_half_a_period(age, own_age, taken):
    assert is_taken(age, own_age, HOLD, PERIOD) is taken


def test_what_is_told_comes_as_it_was_heard_with_its_true_age():
    fields = told_fields(REPORT, 0.4, 0.07)
    assert tuple(name for name, _ in fields) == FIELDS
    found = youngest_told(from_agents(fields, age=0.12), NEVER, 1.2, TIMEOUT)
    assert found.report[1:] == (REPORT.position, REPORT.velocity, (), 0.3, 0.0)
    assert found.age == pytest.approx(0.4 + (0.12 - 0.07) + 0.2)


def test_the_youngest_counts_and_of_equals_the_lowest_number():
    old, young = (told_fields(REPORT._replace(omega_ref=age), age, 0.0) for age in (0.4, 0.2))
    same = told_fields(REPORT._replace(omega_ref=9.0), 0.2, 0.0)
    found = youngest_told(from_agents(old, young, same), NEVER, 1.0, TIMEOUT)
    assert found.report.omega_ref == 0.2


@pytest.mark.parametrize(
    'fields',
    [(), SILENT, told_fields(REPORT, -0.5, 0.0), told_fields(REPORT, 0.1, 0.0)[1:],
     ((AGE, 0.1), (AHEAD, 0.0))],
)  # fmt: skip
def test_who_tells_nothing_whole_is_passed_over(fields):
    assert youngest_told(from_agents(fields), NEVER, 1.0, TIMEOUT) is NOTHING


@pytest.mark.parametrize(('since', 'now'), [(1.0, 1.1), (NEVER, 1.3)])
def test_a_message_counts_once_and_not_when_it_has_expired(since, now):
    known = from_agents(told_fields(REPORT, 0.1, 0.0))
    assert youngest_told(known, since, now, TIMEOUT) is NOTHING


@given(st.floats(0.0, 9.0), st.floats(-1e6, 1e6), st.floats(0.0, 9.0))
def test_whatever_a_sender_says_of_its_pose_a_report_is_not_younger_than_told(age, ahead, told):
    assert relayed_age(age, ahead, told) >= told


class Member(NamedTuple):
    """An agent with its clock, ahead of the true time [s]."""

    cache: TargetCache
    clock: float


CLOCKS = st.lists(st.floats(-0.6, 0.6), min_size=2, max_size=5)


@given(CLOCKS, st.floats(-0.6, 0.6), st.integers(1, 5), st.data())
def test_no_echo_keeps_a_silent_target_alive_longer_than_clocks_explain(
    clocks, target_clock, delay, data
):
    """Everybody tells everybody, over a while after the target has fallen silent at 0.

    By the clock of an agent the target's last report is as old as if it had heard it itself; it
    gives up no later.
    """
    agents = [Member(TargetCache(0.5), clock) for clock in clocks]
    heard = data.draw(st.lists(st.booleans(), min_size=len(agents), max_size=len(agents)))
    travel, history = delay * PERIOD, []
    for tick in range(delay, delay + 120):
        now = tick * PERIOD
        for agent, hears in zip(agents, heard, strict=True):
            if tick == delay and hears:
                age = max(0.0, travel + agent.clock - target_clock)
                agent.cache.accept(REPORT._replace(age=age), now)
        if len(history) >= delay:
            tell(agents, history[-delay], travel, now)
        for agent in agents:
            ahead = max(0.0, target_clock - agent.clock)
            assert agent.cache.age(now) >= now - ahead - 1e-9
        history.append([said(agent, now) for agent in agents])
    assert all(agent.cache.age(now) > HOLD for agent in agents)
    assert history[-1] == [SILENT] * len(agents)


def tell(agents, messages, travel, now):
    """Let all agents receive what was sent a while [s] ago."""
    for i, agent in enumerate(agents):
        known = AgentCache(TIMEOUT)
        for j, (other, prop) in enumerate(zip(agents, messages, strict=True)):
            if j != i:
                age = max(0.0, travel + agent.clock - other.clock)
                known.accept(AgentState(j + 1, 1, ORIGIN, ORIGIN, prop=prop, age=age), now)
        told = youngest_told(known.receptions, NEVER, now, TIMEOUT)
        agent.cache.take(told, now, HOLD, PERIOD)


def said(agent, now):
    """Return what an agent tells at a time [s]."""
    age = agent.cache.age(now)
    return told_fields(agent.cache.state, age, 0.0) if is_told(age, HOLD) else SILENT
