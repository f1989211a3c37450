"""From a velocity to surge and yaw rate, and to the tracks: lag, limits, priority of turning."""

import math

import pytest
from hypothesis import given, strategies as st

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.vehicles.tracked_vehicle import (
    CREEP, LARGEST_SURGE_INTEGRAL, LARGEST_TURN_INTEGRAL, TRACKED, DriveGains, Integrals,
    TrackedParameters, lag_share, next_track, surge_and_yaw_rate, wanted_tracks
)
from velocity_mobility_ros.vehicles.vehicle import Command

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


GAINS: DriveGains = TRACKED.coefficients(TrackedParameters()).drive
HALF = 0.225
NONE = Integrals(0.0, 0.0)
SMALL = st.floats(-5.0, 5.0)


def test_a_small_step_is_a_first_order_lag() -> None:
    """Exactly, whatever the step."""
    for steps in (1, 10, 100):
        speed, h = 0.0, 0.15 / steps
        for _ in range(steps):
            speed = next_track(GAINS, speed, 0.1, lag_share(0.15, h), h)
        assert speed == pytest.approx(0.1 * (1.0 - math.exp(-1.0)))


def test_a_large_step_is_limited_by_the_acceleration() -> None:
    """Up and down alike."""
    for sign in (1.0, -1.0):
        after = next_track(GAINS, 0.0, sign * 2.5, lag_share(0.15, 0.005), 0.005)
        assert after == pytest.approx(sign * 3.0 * 0.005)


def test_without_lag_a_track_is_limited_by_the_acceleration_alone() -> None:
    assert next_track(GAINS, 0.0, 0.01, lag_share(math.nan, 0.005), 0.005) == 0.01


@given(SMALL, st.floats(allow_nan=True))
def test_a_track_keeps_its_speed_limit(speed: float, wanted: float) -> None:
    """For any command."""
    assert abs(next_track(GAINS, speed, wanted, 0.1, 0.005)) <= GAINS.max_speed


def test_without_errors_the_speeds_are_those_without_slip() -> None:
    """A turn to the left has the faster track on the right."""
    speeds, _ = wanted_tracks(GAINS, HALF, 0.0, 0.0, 1.0, 0.5, NONE, 0.02)
    assert speeds == pytest.approx((1.0 - 0.5 * HALF, 1.0 + 0.5 * HALF))


@given(SMALL, SMALL, SMALL, SMALL, st.floats(-0.5, 0.5), st.floats(-2.0, 2.0))
def test_commands_are_within_the_limit_and_turning_comes_first(
    e: float, f: float, surge: float, rate: float, i: float, j: float
) -> None:
    """The difference of the tracks is what is wanted as far as they can; integrals are bounded."""
    before = Integrals(i, j)
    (left, right), after = wanted_tracks(GAINS, HALF, e, f, surge, rate, before, 0.02)
    assert max(abs(left), abs(right)) <= GAINS.max_speed * (1.0 + 1e-12)
    half = rate * HALF + GAINS.turn_gain * f + j
    reached = max(-GAINS.max_speed, min(GAINS.max_speed, half))
    assert 0.5 * (right - left) == pytest.approx(reached, abs=1e-12)
    assert abs(after.surge) <= LARGEST_SURGE_INTEGRAL
    assert abs(after.turn) <= LARGEST_TURN_INTEGRAL


def test_integrals_are_frozen_while_a_track_is_at_its_limit() -> None:
    """And grow otherwise."""
    before = Integrals(0.1, 0.2)
    assert wanted_tracks(GAINS, HALF, 1.0, 1.0, 2.5, 1.0, before, 0.02)[1] == before
    grown = wanted_tracks(GAINS, HALF, 0.1, 0.1, 0.5, 0.1, before, 0.02)[1]
    assert grown == pytest.approx((0.1 + 1.5 * 0.1 * 0.02, 0.2 + 1.2 * 0.1 * 0.02))
