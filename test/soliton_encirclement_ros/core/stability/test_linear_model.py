"""The linear model that the bound is tested with: its lag, its matrix and its averages."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.core.ring.ring_geometry import spacing_correction
from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop,
    OwnPrediction,
    lag_over_period,
    total,
)
from support.linear_model import averaging_matrix, slowest_decay
from support.stepped_loop import stepped
from velocity_mobility_ros.core.coordinate_frames import TURN
from velocity_mobility_ros.core.velocity_model import MobilityParameters, step


@pytest.mark.parametrize('tau', [None, 0.3, 1.0])
@pytest.mark.parametrize('substeps', [1, 5])
def test_the_lag_is_the_vehicles(tau: float | None, substeps: int) -> None:
    """A unit of commanded change moves a body by alpha in speed and beta in way."""
    body = MobilityParameters(tau_xy=tau, max_acc_xy=1e6)
    p = v = (0.0, 0.0, 0.0)
    for _ in range(substeps):
        p, v = step(p, v, (1.0, 0.0, 0.0), 0.05 / substeps, body.limits)
    assert (v[0], p[0]) == pytest.approx(lag_over_period(0.05, substeps, tau))


def late(k_s: float = 1.5) -> AgentLoop:
    """Return an agent with every kind of latency, none of them whole periods, and a filter."""
    return AgentLoop(k_s, 2.0, 0.05, 5, 0.4, 0.6, 3, 7, 8, 0.5)


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


UNEVEN = [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0, 1.0]


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


def test_left_to_right_without_compensation() -> None:
    """What a compensated sum would rescue is lost here, on every version."""
    assert total([1e16, 1.0, 1.0, -1e16]) == 0.0
    assert total([0.1] * 10) == 0.9999999999999999
    assert total([]) == 0.0
