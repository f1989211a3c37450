"""States that cannot be true: who is named, who is not, and what the ring does."""

import math
import random
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.swarm.neighbour_checks import (
    FROZEN, JUMPS, TOO_FAST, TRUE, TURNS_TOO_HARD, check_rules, fault_between
)
from support.agents import healthy
from support.ready import NO_HURRY, laws
from velocity_mobility_ros.core.velocity_model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY

RULES = check_rules(SafetyParameters(), [[5.0, 0.0, 3.0, 0.0]], is_filtered=False)
BEGIN = 15.0


def flown(byzantine: str = '', seconds: float = 20.0, **changes: dict[str, Any]) -> Engine:
    """Return a flight of ten px4_x500 with 30 % loss."""
    sections = {
        'run': {'num_agents': 10, 'sim_duration': seconds, 'seed': 11},
        'mobility': {'vehicle_file': 'px4_x500'},
        'target': {'target_motion_speed_xy': 1.5},
        'failure': {'failure_enable': False},
        'radio': {'communication_failure_rate': 0.3, 'byzantine': byzantine},
    }
    for section, values in changes.items():
        sections[section] = {**sections.get(section, {}), **values}
    engine = Engine(Scenario().with_changes(sections, 'test'))
    assert engine.fly()
    return engine


@pytest.mark.parametrize(
    ('kind', 'reason'),
    [
        ('frozen', 'its place is frozen'),
        ('offset 5 -3', 'its place jumps'),
        ('random 8', 'its place jumps'),
        ('mirrored', 'its place jumps'),
        ('repeat 7', 'its place jumps'),
    ],
)
def test_who_lies_is_named_by_all_others(kind: str, reason: str) -> None:
    (named,) = flown(f'{BEGIN}..: 3 {kind}').seen.named
    assert (named.agent_id, named.times, named.reason) == (3, 9, reason)
    assert BEGIN < named.time <= named.last < BEGIN + 2.0


def test_a_number_that_is_not_listed_is_named_at_its_first_state() -> None:
    absent = {'failure_schedule': '0..: 10'}
    flight = flown(f'{BEGIN}..: 3 sybil 10', failure=absent, safety={'roster_size': 9})
    (named,) = flight.seen.named
    assert (named.agent_id, named.times) == (10, 9)
    assert BEGIN < named.time < BEGIN + 0.5


def test_who_repeats_an_agent_from_the_start_is_named_by_that_one() -> None:
    named = flown('0..: 3 repeat 7', seconds=10.0).seen.named
    assert [each.agent_id for each in named] == [3]


@pytest.mark.parametrize(
    'changes',
    [
        {},
        {'mobility': {'position_noise_xy': 0.3, 'velocity_noise_xy': 0.1, 'odom_latency': 0.05}},
        {'failure': {'failure_enable': True, 'failure_mean_failures_per_min': 4.0}},
    ],
)
def test_who_is_honest_is_not_named(changes: dict[str, dict[str, Any]]) -> None:
    assert flown(seconds=30.0, **changes).seen.named == []


def test_the_ring_closes_without_the_liar() -> None:
    engine = flown(f'{BEGIN}..: 3 mirrored', seconds=30.0)
    places = engine._flight.truth[:11, :2]
    honest = np.delete(places[:10], 2, axis=0) - places[10]
    thetas = np.sort(np.arctan2(honest[:, 1], honest[:, 0]))
    gaps = np.diff(np.append(thetas, thetas[0] + 2.0 * math.pi)) / (2.0 * math.pi / 9.0)
    assert np.abs(gaps - 1.0).max() < 0.1


def test_who_tells_the_truth_again_comes_back() -> None:
    lie = f'{BEGIN}..{BEGIN + 3.0}: 3 offset 5 -3'
    engine = flown(lie, seconds=32.0, safety={'neighbour_forgive_time': 4.0})
    assert not any(agent.doubts for agent in engine._flight.agents)
    assert engine.seen.last.metrics.E_gap < 0.02


def test_a_false_place_beside_others_is_never_believed() -> None:
    engine = flown(f'{BEGIN}..: 3 offset 5 -3', 32.0, safety={'neighbour_forgive_time': 4.0})
    doubts = [int(agent.doubts) for agent in engine._flight.agents]
    assert doubts == [1, 1, 0, *[1] * 7]


@pytest.mark.parametrize(
    ('after', 'dt', 'fault'),
    [
        ((0.2, 0.0, 0.0, 4.0, 0.0, 0.0), 0.05, TRUE),
        ((3.1, 0.0, 0.0, 4.0, 0.0, 0.0), 0.05, TRUE),
        ((3.3, 0.0, 0.0, 4.0, 0.0, 0.0), 0.05, JUMPS),
        ((0.2, 0.0, 3.1, 4.0, 0.0, 0.0), 0.05, JUMPS),
        ((0.4, 0.0, 0.0, 13.1, 0.0, 0.0), 0.05, TOO_FAST),
        ((0.2, 0.0, 0.0, 0.6, 0.0, 0.0), 0.05, TURNS_TOO_HARD),
        ((0.0, 0.0, 0.0, 4.0, 0.0, 0.0), 0.15, TRUE),
        ((0.0, 0.0, 0.0, 4.0, 0.0, 0.0), 0.20, FROZEN),
        ((1e-9, 0.0, 0.0, 4.0, 0.0, 0.0), 0.20, TRUE),
    ],
)
def test_what_follows_a_body_at_4_m_per_s(
    after: tuple[float, ...], dt: float, fault: int
) -> None:
    assert fault_between(RULES, 0, (0.0, 0.0, 0.0, 4.0, 0.0, 0.0), after, dt) == fault


@pytest.mark.parametrize('seed', range(3))
def test_who_speaks_in_names_with_other_numbers_pushes_no_owner_out(seed: int) -> None:
    """Messages come up to 0.3 s late: an owner's track pauses, and a false state may fit it.

    The second name is still doubted when the first one is believed again.
    """
    draw, safety = random.Random(seed), SafetyParameters(neighbour_forgive_time=2.0)
    agent, missed = healthy(name='soliton', safety=safety), 0
    sent: list[tuple[float, float, AgentState]] = []

    def send(made: float, state: AgentState) -> None:
        sent.append((made + draw.uniform(0.0, 0.3), made, state))

    for n in range(1, 400):
        now = 0.05 * n
        for k in range(2, 11):
            send(now, AgentState(k, n, *on_ring(k, now)))
        for name in [4] * (100 <= n < 200) + [5] * (220 <= n < 320):
            false = (draw.uniform(-30.0, 30.0), draw.uniform(-30.0, 30.0), 10.0)
            send(now, AgentState(name, 10**6 + n, false, (draw.uniform(-5.0, 5.0), 0.0, 0.0)))
        come = sorted((each for each in sent if each[0] <= now), key=lambda each: each[0])
        sent = [each for each in sent if each[0] > now]
        states = [state._replace(age=now - made) for _, made, state in come]
        agent.receive(now, [TargetState(n, (0.0, 0.0, 10.0), (0.0, 0.0, 0.0)), *states])
        agent.decide(now, Pose(*on_ring(1, now)))
        missed += n > 100 and not {4, 5} <= {*agent.neighbours(now)}
        if n == 230:
            assert agent.named == dict.fromkeys((4, 5), 'another sender has its number')
    assert missed < 10 and not agent.named


def on_ring(k: int, now: float) -> tuple[Vector, Vector]:
    """Return position and velocity of one of ten that turn at 2 m/s on a circle of 20 m."""
    angle = 2.0 * math.pi * k / 10.0 + 0.1 * now
    there = 20.0 * math.cos(angle), 20.0 * math.sin(angle), 10.0
    return there, (-0.1 * there[1], 0.1 * there[0], 0.0)
