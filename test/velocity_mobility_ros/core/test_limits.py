"""Limits on vectors and numbers, and the last gate before a vehicle."""

import math

import pytest
from hypothesis import given, strategies as st

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.velocity_model import (
    command_velocity, limit_abs, limit_velocity, limit_xy
)

SPEED = st.floats(-1e6, 1e6)
LIMIT = st.floats(0.0, 1e3)
ULPS = 1.0 + 4e-16
UNDERFLOW = 1e-150
"""Below this the square of a component is no number any more."""

INF, NAN = math.inf, math.nan


def test_golden_clamp_of_spec_part_18() -> None:
    """The clamp of the specification's golden vector."""
    assert limit_velocity(9.0, 12.0, -7.0, 10.0, 5.0) == pytest.approx((6.0, 8.0, -5.0), rel=1e-15)


@given(SPEED, SPEED, LIMIT)
def test_invariant_5_norm_is_within_the_limit(x: float, y: float, limit: float) -> None:
    """Invariant 5: the norm never exceeds the limit."""
    assert math.hypot(*limit_xy(x, y, limit)) <= limit * ULPS + UNDERFLOW


@given(SPEED, SPEED, LIMIT)
def test_invariant_5_direction_is_kept(x: float, y: float, limit: float) -> None:
    """Invariant 5: the result is a share in [0, 1] of the input."""
    lx, ly = limit_xy(x, y, limit)
    assert lx * y == pytest.approx(ly * x, rel=1e-12, abs=1e-300)
    assert lx * x >= 0.0 and ly * y >= 0.0
    assert abs(lx) <= abs(x) and abs(ly) <= abs(y)


@given(SPEED, SPEED)
def test_a_vector_within_the_limit_is_untouched(x: float, y: float) -> None:
    """No rounding where nothing has to be done."""
    assert limit_xy(x, y, 2e6) == (x, y)


@given(st.floats(0.0, 2.0 * math.pi), st.floats(1.0 - 1e-8, 1.0 + 1e-8), st.floats(0.0, 1e300))
def test_the_root_that_is_spared_would_change_nothing(
    angle: float, share: float, limit: float
) -> None:
    """Near the limit the norm decides to the last bit, whatever overflows or underflows."""
    x, y = share * limit * math.cos(angle), share * limit * math.sin(angle)
    norm = math.sqrt(x * x + y * y)
    expected = (x * (limit / norm), y * (limit / norm)) if norm > limit else (x, y)
    if math.isfinite(norm):
        assert limit_xy(x, y, limit) == expected


@given(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, LIMIT, LIMIT)
def test_invariant_5_result_is_finite_for_any_input(
    x: float, y: float, z: float, xy: float, high: float
) -> None:
    """Invariant 5: finite and within the limits, whatever comes in."""
    for limited in (limit_velocity, command_velocity):
        vx, vy, vz = limited(x, y, z, xy, high)
        assert math.isfinite(vx) and math.isfinite(vy) and math.isfinite(vz)
        assert math.hypot(vx, vy) <= xy * ULPS + UNDERFLOW
        assert abs(vz) <= high


@pytest.mark.parametrize(
    ('x', 'y', 'expected'),
    [
        (INF, 0.0, (5.0, 0.0)),
        (-INF, NAN, (-5.0, 0.0)),
        (NAN, NAN, (0.0, 0.0)),
        (NAN, -2.0, (0.0, -5.0)),
        (INF, -INF, (5.0 / math.sqrt(2.0), -5.0 / math.sqrt(2.0))),
    ],
)
def test_without_a_norm_the_signs_decide(x: float, y: float, expected: tuple) -> None:
    """Spec 0.4: a vector without a norm becomes its signs at the limit."""
    assert limit_xy(x, y, 5.0) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ('z', 'expected'), [(7.0, 5.0), (-7.0, -5.0), (4.0, 4.0), (INF, 5.0), (-INF, -5.0), (NAN, 0.0)]
)
def test_limit_abs(z: float, expected: float) -> None:
    """A number is clipped with its sign; an undefined one is zero."""
    assert limit_abs(z, 5.0) == expected


@pytest.mark.parametrize('bad', [NAN, INF, -INF])
@pytest.mark.parametrize('axis', [0, 1, 2])
def test_a_command_with_one_bad_axis_is_zero(bad: float, axis: int) -> None:
    """Spec 8: any non-finite component stops the command as a whole."""
    wish = [1.0, 2.0, 3.0]
    wish[axis] = bad
    assert command_velocity(*wish, 10.0, 5.0) == (0.0, 0.0, 0.0)
