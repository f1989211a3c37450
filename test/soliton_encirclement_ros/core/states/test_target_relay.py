"""Reports of the target that agents pass on: which are told, which are taken, and no echo."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import Pose
from soliton_encirclement_ros.core.states.received_states import (
    AGE, AHEAD, FIELDS, NEVER, NO_REPORT, accepts_report, forwards_target, relayed_age
)
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.members.inbox import report_fields
from soliton_encirclement_ros.swarm.target_report import (
    NOBODY, accept_relayed_report, youngest_sender
)
from support.ring_scene import ORIGIN, Flyer

PERIOD, TIMEOUT, HOLD = 0.05, 0.25, 2.5
REPORT = TargetState(7, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0), ((1, 2.0),), 0.3)


SILENT = tuple({**dict.fromkeys(FIELDS, 0.0), AGE: NO_REPORT}.items())


def told_fields(report, age):
    """Return what is told of a report of an age [s]."""
    values = (*report.position, *report.velocity, report.omega_ref, age, 0.0)
    return tuple(zip(FIELDS, values, strict=True))


def listener(*messages):
    """Return agent 1 after agents 2, 3, ... sent these fields, received at 1 s."""
    agent = Flyer('predictive', Setup())
    agent.receive(1.0, [
        AgentState(number, 1, ORIGIN, ORIGIN, prop=prop, age=PERIOD)
        for number, prop in enumerate(messages, 2)
    ])  # fmt: skip
    return agent


def take(agent, now):
    """Let an agent take what it has been told."""
    accept_relayed_report(agent.rows.rules, agent.rows.flight, agent.rows.i, now)


@pytest.mark.parametrize(
    ('age', 'told'),
    [(0.0, True), (HOLD, True), (HOLD + 1e-9, False), (-1.0, False), (math.inf, False),
     (math.nan, False)],
)  # fmt: skip
def test_a_report_is_told_up_to_the_hold(age, told):
    assert forwards_target(age, HOLD) is told


def test_no_age_that_receivers_refuse_is_told():
    assert not forwards_target(1e13, 1e15)


@pytest.mark.parametrize(
    ('age', 'own_age', 'taken'),
    [(0.1, math.inf, True), (0.1, 0.1, False), (0.1, 0.124, False), (0.1, 0.126, True),
     (0.2, 0.1, False), (HOLD, 9.0, True), (HOLD + 1e-9, 9.0, False), (-1.0, 9.0, False)],
)  # fmt: skip
def test_it_is_taken_if_younger_by_half_a_period(age, own_age, taken):
    assert accepts_report(age, own_age, HOLD, PERIOD) is taken


def test_what_is_told_comes_as_it_was_heard_with_its_true_age():
    teller, agent, pose = Flyer('predictive', Setup(), 2), listener(), Pose(ORIGIN, ORIGIN)
    teller.receive(1.0, [REPORT._replace(age=0.4)])
    teller.pose_age = 0.07
    said = teller.decide(1.0, pose).state
    assert tuple(name for name, _ in said.prop if name in FIELDS) == FIELDS
    agent.receive(1.0, [said._replace(age=0.12)])
    agent.decide(1.2, pose)
    found, weights = agent.rows.target, agent.rows.flight.relay.weights[agent.rows.i]
    assert (found.x, found.y, found.z) == REPORT.position
    assert (found.vx, found.vy, found.vz, found.omega_ref) == (*REPORT.velocity, 0.3)
    assert all(map(math.isnan, weights))
    assert agent.target_age(1.2) == pytest.approx(0.4 + (0.12 - 0.07) + 0.2)


def test_the_youngest_counts_and_of_equals_the_lowest_number():
    old, young = (told_fields(REPORT._replace(omega_ref=age), age) for age in (0.4, 0.2))
    agent = listener(old, young, told_fields(REPORT._replace(omega_ref=9.0), 0.2))
    take(agent, 1.0)
    assert agent.rows.target.omega_ref == 0.2


@pytest.mark.parametrize(
    'fields',
    [(), SILENT, told_fields(REPORT, -0.5), told_fields(REPORT, 0.1)[1:],
     ((AGE, 0.1), (AHEAD, 0.0))],
)  # fmt: skip
def test_who_tells_nothing_whole_is_passed_over(fields):
    agent = listener(fields)
    take(agent, 1.0)
    assert agent.target_age(1.0) == math.inf


@pytest.mark.parametrize(
    ('since', 'now', 'teller'),
    [(NEVER, 1.0, 2), (0.95, 1.1, 2), (1.0, 1.1, NOBODY), (NEVER, 1.3, NOBODY)],
)
def test_a_message_counts_once_and_not_when_it_has_expired(since, now, teller):
    rows = listener(told_fields(REPORT, 0.1)).rows
    found, age = youngest_sender(rows.rules, rows.flight, rows.i, since, now)
    assert age == (pytest.approx(0.1 + PERIOD + now - 1.0) if teller > 0 else math.inf)
    assert found == (rows.numbers.index(teller) if teller > 0 else NOBODY)


@given(st.floats(0.0, 9.0), st.floats(-1e6, 1e6), st.floats(0.0, 9.0))
def test_whatever_a_sender_says_of_its_pose_a_report_is_not_younger_than_told(age, ahead, told):
    assert relayed_age(age, ahead, told) >= told


CLOCKS = st.lists(st.floats(-0.6, 0.6), min_size=2, max_size=5)


@given(CLOCKS, st.floats(-0.6, 0.6), st.integers(1, 5), st.data())
def test_no_echo_keeps_a_silent_target_alive_longer_than_clocks_explain(
    clocks, target_clock, delay, data
):
    """Everybody tells everybody, over a while after the target has fallen silent at 0.

    By the clock of an agent the target's last report is as old as if it had heard it itself; it
    gives up no later. Ages on the way are whole nanoseconds.
    """
    agents = {k: Flyer('predictive', Setup(), k) for k in range(1, len(clocks) + 1)}
    heard = data.draw(st.lists(st.booleans(), min_size=len(agents), max_size=len(agents)))
    travel, history = delay * PERIOD, []
    for tick in range(delay, delay + 120):
        now, told = tick * PERIOD, history[-delay] if len(history) >= delay else {}
        for (k, agent), clock in zip(agents.items(), clocks, strict=True):
            if tick == delay and heard[k - 1]:
                age = max(0.0, travel + clock - target_clock)
                agent.receive(now, [REPORT._replace(age=age)])
            agent.receive(now, [
                AgentState(j, tick, ORIGIN, ORIGIN, prop=prop,
                           age=max(0.0, travel + clock - clocks[j - 1]))
                for j, prop in told.items() if j != k
            ])  # fmt: skip
            take(agent, now)
            assert agent.target_age(now) >= now - max(0.0, target_clock - clock) - 1e-8
        history.append({k: said(agent, now) for k, agent in agents.items()})
    assert all(agent.target_age(now) > HOLD for agent in agents.values())
    assert {*history[-1].values()} == {SILENT}


def said(agent, now):
    """Return what an agent tells at a time [s]."""
    rows = agent.rows
    rows.silent(now)
    return report_fields(rows.flight.relay.gossip[0][rows.i : rows.i + 1], 0)
