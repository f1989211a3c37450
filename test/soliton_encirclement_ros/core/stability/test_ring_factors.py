"""Mode factors of even and weighted rings, against the law's own shifts."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.core.ring.spacing_correction import TURN, spacing_correction
from soliton_encirclement_ros.core.stability.ordered_sum import total
from soliton_encirclement_ros.core.stability.ring_factors import (
    ROTATION,
    averaging_matrix,
    mode_factors,
    ring_factors,
)

UNEVEN = [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0, 1.0]


@pytest.mark.parametrize(('count', 'hops'), [(2, 1), (3, 4), (5, 2), (10, 1), (10, 4), (11, 9)])
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
