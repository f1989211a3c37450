"""From a wanted acceleration to the command of a vehicle with a lag."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.lag_inversion import (
    AT_REST, command_gain, filtered_acceleration, lag_inversion
)
from velocity_mobility_ros.core.velocity_model import step

PERIOD, LIMIT, UPDATES = 0.05, 4.0, 500
TAUS = st.one_of(st.none(), st.floats(0.01, 5.0))
PARTS = st.floats(-20.0, 20.0)


def flown(tau: float | None, speed: float, gain: float, wanted: float) -> float:
    """Return the mean acceleration of a vehicle [m/s^2] whose command is held for a period."""
    limits = (100.0, 5.0, LIMIT, 5.0, math.nan if tau is None else tau, math.nan)
    p, v = (0.0, 0.0, 0.0), (speed, 0.0, 0.0)
    for _ in range(UPDATES):
        p, v = step(p, v, (speed + gain * wanted, 0.0, 0.0), PERIOD / UPDATES, limits)
    return (v[0] - speed) / PERIOD


@given(TAUS, st.floats(-5.0, 5.0), st.floats(-LIMIT, LIMIT))
def test_sampled_gives_the_wanted_acceleration_on_average(tau, speed, wanted):
    """Exactly up to where the vehicle's limit acts, and at the limit; 11 % off in between."""
    inversion = lag_inversion(True, tau, LIMIT, PERIOD, 0.0)
    gain = command_gain(inversion, (wanted, 0.0))
    error = abs(flown(tau, speed, gain, wanted) - wanted)
    is_linear = abs(wanted) <= inversion.linear
    assert error <= (0.005 if is_linear else 0.11) * abs(wanted) + 1e-9
    assert flown(tau, speed, inversion.full_gain, LIMIT) == pytest.approx(LIMIT, rel=0.003)


@pytest.mark.parametrize(('tau', 'share'), [(0.05, 0.632), (0.2, 0.885), (1.0, 0.975)])
def test_first_order_loses_what_decays_within_the_period(tau, share):
    inversion = lag_inversion(False, tau, LIMIT, PERIOD, 0.0)
    assert command_gain(inversion, (3.0, 0.0)) == tau
    assert flown(tau, 1.0, tau, 2.0) / 2.0 == pytest.approx(share, abs=0.002)


def test_a_vehicle_without_lag_gets_there_within_the_period():
    for is_sampled in (False, True):
        inversion = lag_inversion(is_sampled, None, LIMIT, PERIOD, 0.1)
        assert command_gain(inversion, (1.0, 1.0)) == PERIOD


@given(TAUS, PARTS, PARTS)
def test_sampled_asks_for_no_more_than_the_vehicle_can_do_and_keeps_the_direction(tau, x, y):
    inversion = lag_inversion(True, tau, LIMIT, PERIOD, 0.0)
    found = filtered_acceleration(inversion, AT_REST, (x, y))
    assert math.hypot(*found) <= LIMIT * (1.0 + 1e-12)
    assert found[0] * y == pytest.approx(found[1] * x, abs=1e-9)
    if math.hypot(x, y) <= LIMIT:
        assert found == (x, y)
    gain = command_gain(inversion, found)
    assert inversion.gain <= gain <= inversion.full_gain == (tau or 0.0) + PERIOD


def test_a_vehicle_with_a_longer_lag_than_assumed_gets_to_its_limit_if_more_is_asked_for():
    """Half of a lag of 0.2 s is assumed: the command has to be twice as far ahead."""
    reached = []
    for share in (1.0, 1.6):
        inversion = lag_inversion(True, 0.1, LIMIT, PERIOD, 0.0, limit_share=share)
        asked = filtered_acceleration(inversion, AT_REST, (3.0 * LIMIT, 0.0))
        assert asked == pytest.approx((share * LIMIT, 0.0))
        gain = command_gain(inversion, asked)
        assert gain <= inversion.full_gain
        reached.append(flown(0.2, 1.0, gain, asked[0]))
    assert filtered_acceleration(inversion, AT_REST, (1.3 * LIMIT, 0.0)) == (1.3 * LIMIT, 0.0)
    assert reached[0] < 0.75 * LIMIT and reached[1] > 0.99 * LIMIT


@given(PARTS, PARTS)
def test_first_order_passes_everything(x, y):
    inversion = lag_inversion(False, 1.0, LIMIT, PERIOD, 0.0)
    assert filtered_acceleration(inversion, (9.0, 9.0), (x, y)) == (x, y)


@pytest.mark.parametrize('is_sampled', [False, True])
def test_the_filter_has_its_time_constant(is_sampled):
    """A tenth of a lag of 1 s: two periods."""
    inversion = lag_inversion(is_sampled, 1.0, LIMIT, PERIOD, 0.1)
    found = AT_REST
    for k in range(1, 9):
        found = filtered_acceleration(inversion, found, (2.0, -1.0))
        expected = 1.0 - math.exp(-k * PERIOD / 0.1)
        assert found == pytest.approx((2.0 * expected, -expected), rel=1e-12)
