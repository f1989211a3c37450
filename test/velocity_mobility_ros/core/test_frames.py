"""Angles, rotations and quaternions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.core.frames import (
    next_yaw,
    quaternion_from_yaw,
    rotate_z,
    wrap_2pi,
    wrap_pi,
    yaw_from_quaternion,
)

ANGLE = st.floats(-50.0, 50.0)
LENGTH = st.floats(-1e3, 1e3)


@pytest.mark.parametrize(
    ('angle', 'expected'), [(-1e-17, 6.283185307179586), (7.0, 0.7168146928204138)]
)
def test_golden_wrap_2pi_of_spec_part_18(angle: float, expected: float) -> None:
    """The specification's golden vectors, the rounding exception included."""
    assert wrap_2pi(angle) == expected


@pytest.mark.parametrize(
    ('angle', 'expected'), [(math.pi, -3.141592653589793), (4.0, -2.2831853071795862)]
)
def test_golden_wrap_pi_of_spec_part_18(angle: float, expected: float) -> None:
    """The specification's golden vectors; +pi becomes -pi."""
    assert wrap_pi(angle) == expected


@given(ANGLE)
def test_wrapping_keeps_the_direction(angle: float) -> None:
    """Both wraps stay in range and point the same way."""
    for wrapped, low, high in (
        (wrap_pi(angle), -math.pi, math.pi),
        (wrap_2pi(angle), 0.0, 2.0 * math.pi),
    ):
        assert low <= wrapped <= high
        assert math.cos(wrapped - angle) == pytest.approx(1.0, abs=1e-12)


@given(LENGTH, LENGTH, ANGLE)
def test_rotating_there_and_back(x: float, y: float, yaw: float) -> None:
    """Body to map and back returns the vector; the norm never changes."""
    turned = rotate_z(x, y, yaw)
    assert math.hypot(*turned) == pytest.approx(math.hypot(x, y), rel=1e-12)
    assert rotate_z(*turned, -yaw) == pytest.approx((x, y), rel=1e-9, abs=1e-9)


def test_a_quarter_turn_takes_forward_to_left() -> None:
    """Positive yaw is counter-clockwise: a body facing north moves north when it goes ahead."""
    assert rotate_z(1.0, 0.0, math.pi / 2.0) == pytest.approx((0.0, 1.0), abs=1e-15)


@given(st.floats(-3.14, 3.14))
def test_heading_through_a_quaternion_and_back(yaw: float) -> None:
    """Heading to quaternion and back; the quaternion has norm one and is level."""
    x, y, z, w = quaternion_from_yaw(yaw)
    assert (x, y) == (0.0, 0.0)
    assert math.hypot(z, w) == pytest.approx(1.0)
    assert yaw_from_quaternion(x, y, z, w) == pytest.approx(yaw, abs=1e-12)


def test_quaternion_has_ros_order() -> None:
    """The order is x, y, z, w as in geometry_msgs."""
    half = math.sqrt(0.5)
    assert quaternion_from_yaw(math.pi / 2.0) == pytest.approx((0.0, 0.0, half, half))


@given(ANGLE, st.floats(-5.0, 5.0))
def test_next_yaw_stays_wrapped(yaw: float, rate: float) -> None:
    """The heading never leaves [-pi, pi)."""
    turned = next_yaw(yaw, rate, 0.1)
    assert -math.pi <= turned < math.pi
    assert math.cos(turned - (yaw + rate * 0.1)) == pytest.approx(1.0, abs=1e-12)
