"""The square-root approach: shape, the joint, and the promise that the braking suffices."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.encirclement import pull, sqrt_controller
from soliton_encirclement_ros.controllers.velocity_tracking import LEAST_BRAKING
from velocity_mobility_ros.core.parameter_declaration import LARGEST, LARGEST_COORDINATE, SMALLEST

ERROR = st.floats(-1e4, 1e4)
GAIN = st.floats(0.05, 20.0)
BRAKING = st.floats(0.05, 50.0)


@given(ERROR, GAIN, BRAKING)
def test_odd(error: float, gain: float, braking: float) -> None:
    """The way back is flown like the way there."""
    speed, slope = sqrt_controller(error, gain, braking)
    assert sqrt_controller(-error, gain, braking) == (-speed, slope)


@given(GAIN, BRAKING)
def test_value_and_slope_are_continuous_at_the_joint(gain: float, braking: float) -> None:
    """Just below and just above a / k^2 the same speed and the same slope."""
    joint = braking / gain**2
    below = sqrt_controller(joint * (1.0 - 1e-9), gain, braking)
    above = sqrt_controller(joint * (1.0 + 1e-9), gain, braking)
    assert above == pytest.approx(below, rel=1e-7)
    assert above == pytest.approx((braking / gain, gain), rel=1e-7)


@given(st.floats(1e-3, 1e4), GAIN, BRAKING)
def test_the_slope_is_the_derivative(error: float, gain: float, braking: float) -> None:
    """It equals the difference quotient; across the joint to first order only."""
    step = 1e-4 * error
    ahead, behind = (
        sqrt_controller(error + step, gain, braking),
        sqrt_controller(error - step, gain, braking),
    )
    quotient = (ahead[0] - behind[0]) / (2.0 * step)
    assert sqrt_controller(error, gain, braking)[1] == pytest.approx(quotient, rel=1e-3)


@given(GAIN, BRAKING, st.floats(1.0, 1e4))
def test_beyond_the_joint_it_brakes_at_the_given_rate(
    gain: float, braking: float, times: float
) -> None:
    """Flown exactly, the deceleration is v v' = a; nearer it is less."""
    joint = braking / gain**2
    speed, slope = sqrt_controller(joint * times, gain, braking)
    assert speed * slope == pytest.approx(braking, rel=1e-9)
    speed, slope = sqrt_controller(joint / times, gain, braking)
    assert speed * slope <= braking * (1.0 + 1e-12)


@given(ERROR, GAIN, BRAKING, st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), st.floats(0.1, 20.0))
def test_the_pull_closes_the_gap_of_speed_with_its_gain(
    error: float, gain: float, braking: float, speed: float, goal: float, k_v: float
) -> None:
    """d/dt (w - v) = -k_v (w - v), however the goal moves."""
    wanted, slope = sqrt_controller(error, gain, braking)
    acceleration = pull(wanted, speed, slope, goal - speed, k_v)
    lack = wanted - speed
    assert slope * (goal - speed) - acceleration == pytest.approx(-k_v * lack, abs=1e-6)


@pytest.mark.parametrize('gain', [SMALLEST, LARGEST])
@pytest.mark.parametrize('deceleration', [LEAST_BRAKING, LARGEST])
@pytest.mark.parametrize('error', [0.0, 5e-324, 1e-6, LARGEST_COORDINATE])
def test_speed_and_slope_are_numbers_for_every_gain_that_is_not_refused(gain, deceleration, error):
    assert all(map(math.isfinite, sqrt_controller(error, gain, deceleration)))
