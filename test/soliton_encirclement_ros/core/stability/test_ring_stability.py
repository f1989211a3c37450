"""Stability round the even ring: the linear model, its limits, and the swarm itself."""

import math
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.core.ring.spacing_correction import TURN, spacing_correction
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.stability.ring_stability import (
    ROTATION,
    is_surely_stable,
    lag_over_period,
    largest_gain,
    mode_factors,
    mode_matrix,
    mode_radius,
    slowest_decay,
)
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim import SwarmLoop
from velocity_mobility_ros.core.model import MobilityParameters, step

PERIODS = (0.01, 0.02, 0.05, 0.1)


@pytest.mark.parametrize(('count', 'hops'), [(2, 1), (3, 4), (5, 2), (10, 1), (10, 4), (11, 9)])
def test_factors_are_those_of_the_linear_window(count: int, hops: int) -> None:
    """Moved one by one by a little, the shifts have just these eigenvalues, 1 for the turn."""
    even = [TURN * i / count - math.pi for i in range(count)]
    ones, tiny = [1.0] * count, 1e-6
    jacobian = np.zeros((count, count))
    for j in range(count):
        moved = [theta + tiny * (i == j) for i, theta in enumerate(even)]
        for i in range(count):
            jacobian[i, j] = spacing_correction(moved, ones, ones, i, 1.0, hops).angle / tiny
    found = np.sort(1.0 + np.linalg.eigvalsh(0.5 * (jacobian + jacobian.T)))
    assert found == pytest.approx(np.sort(mode_factors(count, hops)), abs=1e-8)


@pytest.mark.parametrize('count', [2, 7, 10, 33])
def test_more_hops_damp_the_slowest_wave(count: int) -> None:
    """Factors are between -1 and 1, and the largest but the turn falls with the hops."""
    largest = []
    for hops in range(1, 9):
        turn, *waves = mode_factors(count, hops)
        assert turn == ROTATION and len(waves) == count - 1
        assert all(-1.0 - 1e-12 <= m < 1.0 for m in waves)
        largest.append(max(waves))
    assert largest == sorted(largest, reverse=True)


@pytest.mark.parametrize('tau', [None, 0.3, 1.0])
@pytest.mark.parametrize('substeps', [1, 5])
def test_the_lag_is_the_vehicles(tau: float | None, substeps: int) -> None:
    """A unit of commanded change moves a body by alpha in speed and beta in way."""
    body = MobilityParameters(tau_xy=tau, max_acc_xy=1e6)
    p = v = (0.0, 0.0, 0.0)
    for _ in range(substeps):
        p, v = step(p, v, (1.0, 0.0, 0.0), 0.05 / substeps, body.limits)
    assert (v[0], p[0]) == pytest.approx(lag_over_period(0.05, substeps, tau))


@pytest.mark.parametrize('factor', [-1.0, -0.25, 0.0, 0.5, 0.9])
@pytest.mark.parametrize('delay', [1, 3])
def test_poles_of_the_continuous_limit(factor: float, delay: int) -> None:
    """As the period goes to 0 the poles are -k_v and -k_s (1 - m), whatever the delay in ticks."""
    k_s, k_v, period, tau = 1.5, 4.0, 1e-5, 1.0
    lag = lag_over_period(period, 1, tau)
    moduli = np.abs(np.linalg.eigvals(mode_matrix(factor, k_s, k_v, period, tau, lag, delay)))
    slowest = np.log(np.sort(moduli)[-2:]) / period
    assert slowest == pytest.approx(sorted([-k_v, -k_s * (1.0 - factor)]), rel=1e-3)


@pytest.mark.parametrize('delay', [1, 2, 5])
@pytest.mark.parametrize(('count', 'hops', 'period', 'tau'), [
    (10, 4, 0.05, 1.0), (6, 1, 0.1, 0.3), (50, 8, 0.02, None),
])  # fmt: skip
def test_the_largest_gain_is_the_border(
    count: int, hops: int, period: float, tau: float | None, delay: int
) -> None:
    """Just below it everything decays, just above a wave grows, or the turning of the whole."""
    factors, lag = mode_factors(count, hops), lag_over_period(period, 5, tau)
    rest = (4.0, period, max(tau or 0.0, period), lag, delay)
    border = largest_gain(factors, *rest)
    for share, stable in ((0.999, True), (1.001, False)):
        assert (slowest_decay(factors, share * border, *rest) < 1.0) == stable


def surely_stable_gains(period: float, delay: int) -> list[tuple[float, float]]:
    """Return pairs (k_s, k_v) on and within the bound (d k_s + 2 k_v) T <= 1."""
    velocity_gains = [k_v for k_v in (0.1, 1.0, 2.0, 4.0, 8.0) if 2.0 * k_v * period < 1.0]
    return [
        (share * (1.0 - 2.0 * k_v * period) / (delay * period), k_v)
        for k_v in velocity_gains
        for share in (1.0 - 1e-12, 0.3)
    ]


def every_factor() -> list[float]:
    """Return factors from the lowest to the highest wave of 2 to 60 agents, and 0: the radius."""
    known = [m for n in range(2, 61) for hops in range(1, 9) for m in mode_factors(n, hops)[1:]]
    return [0.0, *np.linspace(min(known), max(known), 21).tolist()]


@pytest.mark.parametrize('tau', [None, 0.3, 1.0, 2.0])
@pytest.mark.parametrize('period', PERIODS)
def test_the_simple_bound_suffices(period: float, tau: float | None) -> None:
    """(d k_s + 2 k_v) T <= 1 makes every wave of every ring decay, and so the radius."""
    factors, counted = every_factor(), max(tau or 0.0, period)
    for substeps in {1, max(1, round(period / 0.01))}:
        lag = lag_over_period(period, substeps, tau)
        for delay in (1, 2, 4, 10):
            for k_s, k_v in surely_stable_gains(period, delay):
                assert is_surely_stable(k_s, k_v, period, delay)
                model = (k_s, k_v, period, counted, lag, delay)
                waves = np.stack([mode_matrix(m, *model) for m in factors])
                assert np.abs(np.linalg.eigvals(waves)).max() < 1.0
                assert mode_radius(ROTATION, mode_matrix(ROTATION, *model)) < 1.0


def test_the_rotation_of_the_whole_decays_in_rate_and_is_free_in_angle() -> None:
    """Its one eigenvalue 1 is the angle; at the default gains the rate fades, at 17 it grows."""
    lag = lag_over_period(0.05, 5, 1.0)
    for k_s, fades in ((1.5, True), (17.0, False)):
        matrix = mode_matrix(ROTATION, k_s, 4.0, 0.05, 1.0, lag)
        assert np.min(np.abs(np.linalg.eigvals(matrix) - 1.0)) < 1e-12
        assert (mode_radius(ROTATION, matrix) < 1.0) == fades


def test_the_simple_bound_is_sharp() -> None:
    """A little beyond it two agents on a vehicle without lag do not settle."""
    lag, period, k_v = lag_over_period(0.05, 1, None), 0.05, 0.1
    k_s = 1.0 / period - 2.0 * k_v
    for share, stable in ((0.999, True), (1.01, False)):
        assert is_surely_stable(share * k_s, k_v, period) == stable
        assert (slowest_decay([-1.0], share * k_s, k_v, period, period, lag) < 1.0) == stable


SWARMS = [
    (10, 4, 0.05, 1.0, 1),
    (6, 1, 0.05, 0.3, 1),
    (12, 2, 0.1, None, 1),
    (5, 2, 0.02, 1.0, 1),
    (10, 4, 0.05, 1.0, 3),
]
"""Agents, hops, control period [s], lag [s], age of the neighbours' words [ticks]."""


def disturbed(count: int, hops: int, period: float, tau: float | None, delay: int,
              k_s: float) -> SwarmLoop:  # fmt: skip
    """Return a swarm that drifts along its even ring, with vehicles that never saturate."""
    changes: dict[str, dict[str, Any]] = {
        'run': {'num_agents': count, 'init_radius_range': 0.0, 'init_angles_equidistant': True},
        'swarm': {'control_period': period},
        'mobility': {'tau_xy': tau, 'max_acc_xy': 1e6, 'max_speed_xy': 1e6},
        'control': {'controller': 'soliton', 'k_s': k_s, 'ring_hops': hops},
        'radio': {'communication_delay': delay * period if delay > 1 else 0.0},
        'failure': {'failure_enable': False},
        'target': {'target_motion_speed_xy': 0.0},
        'adversary': {'adversary_enable': False},
        'safety': {'separation_filter': False},
    }
    loop = SwarmLoop(Scenario().with_changes(changes, 'disturbed'))
    draw = np.random.default_rng(1)
    for i, k in enumerate(loop.scenario.agent_ids):
        angle = TURN * i / count + draw.normal(0.0, 1e-4)
        c, s, speed = math.cos(angle), math.sin(angle), 1e-3 + draw.normal(0.0, 1e-3)
        body = loop.world.bodies[uav(k)]
        body.state = body.state._replace(
            position=(20.0 * c, 20.0 * s, 0.0), velocity=(-speed * s, speed * c, 0.0)
        )
    return loop


def growth(loop: SwarmLoop, ticks: int = 200) -> float:
    """Return by which factor the fastest agent's speed grows in a tick, over the last half."""
    fastest = []
    for _ in range(ticks):
        loop.tick()
        speeds = [loop.world.pose(uav(k)).velocity for k in loop.scenario.agent_ids]
        fastest.append(max(math.hypot(vx, vy) for vx, vy, _ in speeds))
    half = ticks // 2
    before, after = max(fastest[half - 20 : half]), max(fastest[-20:])
    return (after / before) ** (1.0 / half)


@pytest.mark.parametrize('swarm', SWARMS)
def test_the_swarm_itself_has_that_border(swarm: tuple) -> None:
    """The nonlinear swarm dies away at 0.9 of the largest gain and swings up at 1.1 of it.

    Speeds tell it, since the rotation of the whole ring shows in no gap.
    """
    count, hops, period, tau, delay = swarm
    lag = lag_over_period(period, round(period / 0.01), tau)
    factors = mode_factors(count, hops)
    border = largest_gain(factors, 4.0, period, max(tau or 0.0, period), lag, delay)
    below, above = (growth(disturbed(*swarm, share * border)) for share in (0.9, 1.1))
    assert below < 1.0 < above
