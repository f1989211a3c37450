"""Attitudes: turning, headings, the one that points the thrust; the loop that holds them."""

import math

import pytest
from hypothesis import given, strategies as st

from support.vehicles.quadrotor_flights import specified
from velocity_mobility_ros.core.coordinate_frames import multiply, rotate, yaw_from_quaternion
from velocity_mobility_ros.vehicles.quadrotor.flight_controller import (
    attitude_coefficients, rates_integral, wanted_rates
)
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import (
    heading, heading_rate, level, roll_pitch, tilted, turned
)

ANGLE = st.floats(-3.1, 3.1)
SMALL = st.floats(-1.0, 1.0)


def euler(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """Return the attitude of Z-Y-X angles."""
    about_x = (math.sin(roll / 2), 0.0, 0.0, math.cos(roll / 2))
    about_y = (0.0, math.sin(pitch / 2), 0.0, math.cos(pitch / 2))
    return multiply(level(yaw), multiply(about_y, about_x))


@given(SMALL, SMALL, ANGLE)
def test_angles_come_back(roll: float, pitch: float, yaw: float) -> None:
    """Roll, pitch and heading, the last as everywhere else in the package."""
    attitude = euler(roll, pitch, yaw)
    assert (*roll_pitch(attitude), heading(attitude)) == pytest.approx(
        (roll, pitch, yaw), abs=1e-9
    )
    assert heading(attitude) == pytest.approx(yaw_from_quaternion(*attitude), abs=1e-9)


@given(SMALL, SMALL, ANGLE, st.tuples(SMALL, SMALL, SMALL))
def test_the_heading_changes_by_its_rate(
    roll: float, pitch: float, yaw: float, rates: tuple[float, float, float]
) -> None:
    """Against the difference of the headings around a short turn."""
    attitude, dt = euler(roll, pitch, yaw), 1e-6
    before, after = turned(attitude, rates, -dt), turned(attitude, rates, dt)
    change = math.remainder(heading(after) - heading(before), math.tau) / (2.0 * dt)
    assert heading_rate(attitude, rates) == pytest.approx(change, abs=1e-6)


def test_nose_up_has_a_heading_rate() -> None:
    """Where the heading is undefined the rate of the body stands in, not a division by zero."""
    assert math.isfinite(heading_rate(euler(0.0, math.pi / 2, 0.3), (1.0, 2.0, 3.0)))
    half = math.sqrt(0.5)
    assert heading_rate((0.0, -half, 0.0, half + 1e-16), (1.0, 2.0, 3.0)) == 3.0


@pytest.mark.parametrize('angle', [0.0, 1e-9, 0.05, 0.19, 0.2, 0.21, 1.0, 3.0])
def test_turning_is_exact(angle: float) -> None:
    """By series and by functions alike, to rounding."""
    found = turned((0.0, 0.0, 0.0, 1.0), (0.0, angle, 0.0), 1.0)
    assert found == pytest.approx((0.0, math.sin(angle / 2), 0.0, math.cos(angle / 2)), abs=4e-16)


@given(SMALL, SMALL, st.floats(0.2, 1.0), ANGLE)
def test_the_thrust_points_where_it_should(x: float, y: float, z: float, yaw: float) -> None:
    """Up axis along the force, left axis across the heading."""
    size = math.sqrt(x * x + y * y + z * z)
    attitude = tilted(x / size, y / size, z / size, yaw)
    assert rotate(attitude, (0.0, 0.0, 1.0)) == pytest.approx((x / size, y / size, z / size))
    left = rotate(attitude, (0.0, 1.0, 0.0))
    assert left[0] * math.cos(yaw) + left[1] * math.sin(yaw) == pytest.approx(0.0, abs=1e-12)
    ahead = rotate(attitude, (1.0, 0.0, 0.0))
    assert ahead[0] * math.cos(yaw) + ahead[1] * math.sin(yaw) > 0.0


MEANS = attitude_coefficients(specified())
NONE = (0.0, 0.0, 0.0)


def test_an_attitude_and_its_negative_are_one() -> None:
    """The shorter way, whatever the sign of the quaternion."""
    wanted = (0.1, -0.2, 0.3, 0.9273618495495703)
    other = tuple(-part for part in wanted)
    level = (0.0, 0.0, 0.0, 1.0)
    assert wanted_rates(MEANS, level, wanted, 0.1) == wanted_rates(MEANS, level, other, 0.1)


def test_the_integral_is_bounded() -> None:
    """Each axis by its own limit."""
    integral = NONE
    for _ in range(10000):
        integral = rates_integral(MEANS, integral, (4.0, -4.0, 4.0), 0.002)
    assert integral == (20.0, -20.0, 5.0)
