"""Drive of the tracks: lag, limits, priority of turning, integrals."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.vehicles.tracked import TRACKED, TrackedParameters
from velocity_mobility_ros.vehicles.tracked.track_drive import (
    LARGEST_SURGE_INTEGRAL,
    LARGEST_TURN_INTEGRAL,
    DriveGains,
    Integrals,
    lag_share,
    next_track,
    wanted_tracks,
)

GAINS: DriveGains = TRACKED.means(TrackedParameters()).drive
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
