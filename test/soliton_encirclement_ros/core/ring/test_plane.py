"""Directions, lengths and bearings in the plane."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.ring.ring_geometry import (
    DIRECTION_FLOOR, bearing, direction, length
)

COORDINATE = st.floats(-1e4, 1e4)


@given(COORDINATE, COORDINATE)
def test_direction_times_length_is_the_vector(x: float, y: float) -> None:
    """Unit vector and length give the vector back, except below the floor."""
    ux, uy, n = direction(x, y)
    assert math.hypot(ux, uy) == pytest.approx(1.0)
    if length(x, y) >= DIRECTION_FLOOR:
        assert (ux * n, uy * n) == pytest.approx((x, y), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    ('x', 'y'), [(0.0, 0.0), (9e-7, 0.0), (math.nan, 1.0), (math.inf, 1.0), (0.0, -math.inf)]
)
def test_no_direction_points_east_with_length_zero(x: float, y: float) -> None:
    """Spec 0.1: the degenerate direction."""
    assert direction(x, y) == (1.0, 0.0, 0.0)


@given(COORDINATE, COORDINATE)
def test_bearing_is_in_one_turn(x: float, y: float) -> None:
    """The angle is in [0, 2 pi) and points along the vector."""
    theta = bearing(x, y)
    assert 0.0 <= theta < 2.0 * math.pi
    assert math.cos(theta - math.atan2(y, x)) == pytest.approx(1.0)


def test_bearing_just_below_east_does_not_reach_the_full_turn() -> None:
    """The rounding exception of wrap_2pi does not show here."""
    assert bearing(1.0, -1e-17) == 0.0
