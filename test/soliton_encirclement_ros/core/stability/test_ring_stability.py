"""Stability round the ring: mode factors, the linear model and its limits."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.ring.ring_geometry import spacing_correction
from soliton_encirclement_ros.core.stability.agent_loop import (
    ROTATION, AgentLoop, OwnPrediction, averaging_matrix, lag_over_period, linear_agent,
    mode_factors, mode_matrix, ring_factors, slowest_decay, total
)
from soliton_encirclement_ros.core.stability.gain_bound import assumed_lag
from support.stability import largest_gain, ring_matrix
from support.stepped_loop import stepped
from velocity_mobility_ros.core.coordinate_frames import TURN
from velocity_mobility_ros.core.velocity_model import MobilityParameters, step


def loop_of(
    k_s: float, k_v: float, period: float, substeps: int, tau: float | None, delay: int = 1
) -> AgentLoop:
    """Return the loop of an agent whose law knows its vehicle, without latencies."""
    return AgentLoop(
        k_s, k_v, period, substeps, tau, assumed_lag(False, tau, period), delay
    )  # fmt: skip


@pytest.mark.parametrize('tau', [None, 0.3, 1.0])
@pytest.mark.parametrize('substeps', [1, 5])
def test_the_lag_is_the_vehicles(tau: float | None, substeps: int) -> None:
    """A unit of commanded change moves a body by alpha in speed and beta in way."""
    body = MobilityParameters(tau_xy=tau, max_acc_xy=1e6)
    p = v = (0.0, 0.0, 0.0)
    for _ in range(substeps):
        p, v = step(p, v, (1.0, 0.0, 0.0), 0.05 / substeps, body.limits)
    assert (v[0], p[0]) == pytest.approx(lag_over_period(0.05, substeps, tau))


@pytest.mark.parametrize('delay', [1, 2, 5])
@pytest.mark.parametrize(('count', 'hops', 'period', 'tau'), [
    (10, 4, 0.05, 1.0), (6, 1, 0.1, 0.3), (50, 8, 0.02, None),
])  # fmt: skip
def test_the_largest_gain_is_the_border(
    count: int, hops: int, period: float, tau: float | None, delay: int
) -> None:
    """Just below it everything decays, just above a wave grows, or the turning of the whole."""
    factors, loop = mode_factors(count, hops), loop_of(1.0, 4.0, period, 5, tau, delay)
    border = largest_gain(factors, loop)
    for share, stable in ((0.999, True), (1.001, False)):
        assert (slowest_decay(factors, loop._replace(gain=share * border)) < 1.0) == stable


def test_the_rotation_of_the_whole_decays_in_rate_and_is_free_in_angle() -> None:
    """Its one eigenvalue 1 is the angle; at the default gains the rate fades, at 17 it grows."""
    for k_s, fades in ((1.5, True), (17.0, False)):
        loop = loop_of(k_s, 4.0, 0.05, 5, 1.0)
        matrix = mode_matrix(ROTATION, linear_agent(loop))
        assert np.min(np.abs(np.linalg.eigvals(matrix) - 1.0)) < 1e-12
        assert (slowest_decay([ROTATION], loop) < 1.0) == fades


def late(k_s: float = 1.5) -> AgentLoop:
    """Return an agent with every kind of latency, none of them whole periods, and a filter."""
    return AgentLoop(k_s, 2.0, 0.05, 5, 0.4, 0.6, 3, 7, 8, 0.5)


def test_a_ring_of_equal_agents_splits_into_its_modes() -> None:
    """The whole ring has the eigenvalues of all its modes, also with complex factors."""
    weights, agent = [0.2, 5.0, 1.0, 3.0, 1.0, 0.5], linear_agent(late())
    whole = np.linalg.eigvals(ring_matrix([agent] * 6, averaging_matrix(weights, 2)))
    modes = [np.linalg.eigvals(mode_matrix(m, agent)) for m in ring_factors(weights, 2)]
    together = np.concatenate(modes)
    found = np.sort(np.abs(whole))[-18:]
    assert found == pytest.approx(np.sort(np.abs(together))[-18:], abs=1e-9)


@pytest.mark.parametrize('factor', [-1.0, 0.0, -0.4 + 0.5j])
@pytest.mark.parametrize(('k_s', 'changes'), [
    (1.5, {}), (9.0, {}), (4.0, {'odom_latency': 0}), (4.0, {'command_latency': 0}),
    (4.0, {'command_latency': 15, 'odom_latency': 10}), (3.0, {'tau': None, 'assumed_lag': 0.05}),
    (4.0, {'prediction': OwnPrediction(0.15, 0.4, 0.05)}),
    (9.0, {'prediction': OwnPrediction(0.03, None, 0.05)}),
    (4.0, {'prediction': OwnPrediction(1.0, 0.2, 0.05), 'odom_latency': 45}),
])  # fmt: skip
def test_the_matrix_is_the_loop_stepped_update_by_update(
    factor: complex, k_s: float, changes: dict
) -> None:
    """Latencies within, of and beyond whole periods: the mode grows by the spectral radius."""
    loop = late(k_s)._replace(**changes)
    expected = slowest_decay([factor], loop)
    assert stepped(loop, factor, 3000) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(('tau', 'kind', 'limit'), [
    (1.0, 'command_latency', 0.27), (1.0, 'odom_latency', 0.25),
    (0.5, 'command_latency', 0.38), (0.5, 'odom_latency', 0.34),
])  # fmt: skip
def test_latencies_that_the_default_gains_bear(tau: float, kind: str, limit: float) -> None:
    """The even ring of ten is unstable from a latency of its own of this size on."""
    factors, loop = mode_factors(10, 4), loop_of(1.5, 4.0, 0.05, 5, tau)
    for updates, stable in ((-1, True), (0, False)):
        own = loop._replace(**{kind: round(limit / loop.update) + updates})
        assert (slowest_decay(factors, own) < 1.0) == stable
    assert math.isclose(loop.update, 0.01)


UNEVEN = [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0, 1.0]


@pytest.mark.parametrize(('count', 'hops'), [(2, 1), (3, 4), (5, 2), (10, 1), (10, 9), (11, 9)])
def test_an_even_ring_has_the_factors_of_its_waves(count: int, hops: int) -> None:
    """The closed form gives the eigenvalues of the averaging matrix, 1 for the turn."""
    found = np.sort(np.real(ring_factors([1.0] * count, hops)))
    assert found == pytest.approx(np.sort(mode_factors(count, hops)), abs=1e-12)


@pytest.mark.parametrize('hops', [1, 2, 3])
@pytest.mark.parametrize('weights', [[1.0] * 7, UNEVEN, [27.0] + [1.0] * 9])
def test_shifts_of_small_displacements_are_those_of_the_matrix(
    weights: list[float], hops: int
) -> None:
    """Moved one by one by a little, the shifts change by M - 1."""
    count, tiny = len(weights), 1e-6
    ends = np.cumsum([0.0, *weights[:-1]]) * TURN / sum(weights) - math.pi
    jacobian = np.zeros((count, count))
    for j in range(count):
        moved = [theta + tiny * (i == j) for i, theta in enumerate(ends.tolist())]
        for i in range(count):
            shift = spacing_correction(moved, [0.0] * count, weights, i, 0.0, hops)
            jacobian[i, j] = shift.angle / tiny
    assert jacobian == pytest.approx(averaging_matrix(weights, hops) - np.eye(count), abs=1e-8)


def test_rows_are_averages_and_no_factor_is_larger_than_the_rotation() -> None:
    """So it is with random weights, numbers and hops; the rotation comes first."""
    draw = np.random.default_rng(1)
    for _ in range(200):
        weights = (10.0 ** draw.uniform(-1.0, 1.0, draw.integers(2, 11))).tolist()
        hops = int(draw.integers(1, 5))
        assert averaging_matrix(weights, hops).sum(axis=1) == pytest.approx(1.0)
        first, *others = ring_factors(weights, hops)
        assert first == ROTATION and len(others) == len(weights) - 1
        assert all(abs(m) <= 1.0 + 1e-12 and abs(m - 1.0) > 1e-4 for m in others)


def test_left_to_right_without_compensation() -> None:
    """What a compensated sum would rescue is lost here, on every version."""
    assert total([1e16, 1.0, 1.0, -1e16]) == 0.0
    assert total([0.1] * 10) == 0.9999999999999999
    assert total([]) == 0.0
