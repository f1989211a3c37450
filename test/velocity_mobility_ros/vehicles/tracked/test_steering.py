"""From a velocity in the map frame to surge and yaw rate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.vehicles import Command
from velocity_mobility_ros.vehicles.tracked.steering import CREEP, surge_and_yaw_rate

GAIN, FASTEST, QUICKEST = 2.0, 2.5, 1.5
ANGLE = st.floats(-math.pi, math.pi)


def steered(x: float, y: float, yaw: float, rate: float = 0.0) -> tuple[float, float]:
    """Return surge and yaw rate for a command in the map frame."""
    return surge_and_yaw_rate(Command((x, y, 0.0), rate, False), yaw, GAIN, FASTEST, QUICKEST)


def test_a_command_along_the_heading_is_surge() -> None:
    assert steered(2.0 * math.cos(0.7), 2.0 * math.sin(0.7), 0.7) == pytest.approx((2.0, 0.0))


@given(st.floats(0.2, 2.5), ANGLE, st.floats(-3.0, 3.0))
def test_it_turns_towards_the_command_and_drives_its_part_along_the_heading(
    speed: float, yaw: float, angle: float
) -> None:
    """Sideways and backwards there is nothing to drive: it turns on the spot."""
    x, y = speed * math.cos(yaw + angle), speed * math.sin(yaw + angle)
    surge, rate = steered(x, y, yaw)
    assert surge == pytest.approx(max(0.0, speed * math.cos(angle)), abs=1e-9)
    assert rate == pytest.approx(max(-QUICKEST, min(QUICKEST, GAIN * angle)), abs=1e-9)


@given(st.floats(0.0, CREEP), ANGLE, ANGLE)
def test_the_slower_the_command_the_less_it_steers(
    speed: float, direction: float, yaw: float
) -> None:
    """No jump at standstill, whatever the direction of the noise around zero."""
    _, rate = steered(speed * math.cos(direction), speed * math.sin(direction), yaw)
    assert abs(rate) <= GAIN * math.pi * speed / CREEP + 1e-12


def test_at_standstill_the_yaw_rate_of_the_command_counts() -> None:
    """Moving, the direction decides."""
    assert steered(0.0, 0.0, 0.7, 0.5) == (0.0, 0.5)
    assert steered(1.0, 0.0, 0.0, 0.5) == (1.0, 0.0)
    assert steered(0.0, 0.0, 0.7) == (0.0, 0.0)


def test_a_command_in_the_body_frame_is_taken_as_it_is() -> None:
    """Backwards, too; to the left and up a ground vehicle cannot go."""
    command = Command((-1.0, 5.0, 3.0), 0.5, True)
    assert surge_and_yaw_rate(command, 2.0, GAIN, FASTEST, QUICKEST) == (-1.0, 0.5)


@given(ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, ANGLE, st.booleans())
def test_any_command_is_within_the_limits(
    x: float, y: float, rate: float, yaw: float, in_body: bool
) -> None:
    """Huge, infinite and undefined ones, too."""
    command = Command((x, y, math.nan), rate, in_body)
    surge, turn = surge_and_yaw_rate(command, yaw, GAIN, FASTEST, QUICKEST)
    assert abs(surge) <= FASTEST * (1.0 + 1e-12)
    assert abs(turn) <= QUICKEST
