"""The velocity loop: its reference, the drag it makes up for, and its limits."""

import dataclasses
import math

import pytest

from support.vehicles.quadrotor_flights import command, flown
from velocity_mobility_ros.core.velocity_model import next_velocity
from velocity_mobility_ros.vehicles.quadrotor.flight_controller import (
    followed, velocity_coefficients, within_limits
)
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import QUADROTOR
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters

LAGS = {'velocity_reference_tau_xy': 0.6, 'velocity_reference_tau_z': 0.4}
OFF = {'velocity_reference_tau_xy': None, 'velocity_reference_tau_z': None}


@pytest.mark.parametrize('target', [(1.0, -0.5, 0.3), (9.0, 3.0, -3.0), (-2.0, 0.0, 3.0)])
def test_the_reference_is_the_velocity_model_with_its_lag(target) -> None:
    """The same steps, within the limits of acceleration too."""
    parameters = QuadrotorParameters(**LAGS)
    gains = velocity_coefficients(parameters)
    limits = dataclasses.replace(parameters, tau_xy=0.6, tau_z=0.4).limits
    reference = model = (0.0, 0.0, 0.0)
    for _ in range(200):
        now, reference, change = followed(gains, reference, target, 0.01)
        assert now == model
        model = next_velocity(model, target, 0.01, limits)
        assert reference == pytest.approx(model, abs=1e-12)
        assert math.hypot(*change[:2]) <= parameters.max_acc_xy * (1.0 + 1e-12)
        model = reference


def test_without_a_lag_the_reference_is_the_command() -> None:
    """And nothing is fed forward."""
    gains, target = velocity_coefficients(QuadrotorParameters(**OFF)), (3.0, 1.0, -1.0)
    assert followed(gains, (0.0, 0.0, 0.0), target, 0.01) == (target, target, (0.0, 0.0, 0.0))


FED = {**LAGS, 'drag_feedforward': 1.0}
DRAGGED = {'drag_x': 0.6, 'drag_y': 0.5, 'drag_z': 0.2, 'drag_feedforward': 1.0}


def test_the_integral_does_not_wind_up_in_a_step() -> None:
    """It corrects what reference and drag do not foresee: nearly nothing in still air."""
    step = command((5, 0, 0))
    with_both, without = (
        max(
            abs(one.velocity_loop.integral[0])
            for one in flown(QuadrotorParameters(**k), step, 4.0)
        )
        for k in ({**LAGS, **DRAGGED}, {**OFF, **DRAGGED, 'drag_feedforward': 0.0})
    )
    assert with_both < 0.3 < 0.9 < without


@pytest.mark.parametrize('velocity', [(8, 0, 0), (3, -6, 0), (4, 2, 2)])
def test_drag_is_made_up_for(velocity) -> None:
    """At speed the integral is zero although drag pulls with several m/s^2."""
    end = flown(QuadrotorParameters(**DRAGGED), command(velocity), 20.0)[-1]
    assert end.body.velocity == pytest.approx(velocity, abs=0.01)
    assert end.velocity_loop.integral == pytest.approx((0.0, 0.0, 0.0), abs=0.02)


def test_a_share_of_the_drag_leaves_the_rest_to_the_integral() -> None:
    """Half of 0.6 N s/m at 5 m/s, by 1.5 kg."""
    parameters = QuadrotorParameters(**{**DRAGGED, 'drag_feedforward': 0.5})
    end = flown(parameters, command((5, 0, 0)), 30.0)[-1]
    assert end.velocity_loop.integral[0] == pytest.approx(1.0, abs=0.06)


def test_the_thrust_for_the_drag_stays_within_the_tilt() -> None:
    """The acceleration has its limit, the acceleration and the drag together that of the tilt."""
    gains = velocity_coefficients(QuadrotorParameters(max_acc_xy=4.0, max_tilt=0.5))
    fast = within_limits(gains, (9.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
    assert fast == ((pytest.approx(4.0 + 1.0 / 1.5), 0.0, 0.0), False, True)
    strong = within_limits(gains, (3.0, 0.0, 0.0), (-60.0, 0.0, 0.0))
    assert strong == ((pytest.approx(9.81 * math.tan(0.5)), 0.0, 0.0), False, True)
    slow = within_limits(gains, (1.0, 2.0, 0.5), (0.0, 0.0, 0.0))
    assert slow == ((1.0, 2.0, 0.5), True, True)


def test_a_reference_in_the_body_turns_with_the_nose() -> None:
    """A turn at speed stays a circle: straight ahead throughout, at the commanded speed."""
    states = flown(QuadrotorParameters(**FED), command((4, 0, 0), 0.8, True), 20.0)
    for state in states[1000:]:
        yaw, (x, y, _) = QUADROTOR.motion(state).yaw, state.body.velocity
        ahead, left = x * math.cos(yaw) + y * math.sin(yaw), y * math.cos(yaw) - x * math.sin(yaw)
        assert ahead == pytest.approx(4.0, abs=0.06)
        assert abs(left) < 0.25


@pytest.mark.parametrize('values', [LAGS, OFF, DRAGGED], ids=['lags', 'off', 'drag'])
def test_hover_does_not_change_by_a_bit(values) -> None:
    """Signs of zeros included."""
    start = QUADROTOR.at_rest((1.0, 2.0, 3.0), 0.0, 0)
    states = flown(QuadrotorParameters(**values), command((0, 0, 0)), 10.0, start)
    assert states[-1] == start
    assert repr(states[-1].body) == repr(states[1].body)


def test_the_integral_of_a_flight_is_gone_soon_after_a_stop() -> None:
    """It would carry the vehicle on by what it holds, by its gain."""

    def wish(now: float):
        return command((8, 0, 0) if now < 10.0 else (0, 0, 0))

    ways = []
    for gain in (0.2, 1.0):
        parameters = QuadrotorParameters(velocity_integral_xy=0.2, hold_integral_xy=gain)
        states = flown(parameters, wish, 40.0)
        seconds = len(states) / 40.0
        ways.append(states[-1].body.position[0] - states[round(15.0 * seconds)].body.position[0])
    assert ways[1] < 0.15 < 0.5 < ways[0]


def test_a_stop_is_the_same_down_to_the_speed_of_a_vehicle_that_holds() -> None:
    def wish(now: float):
        return command((8, 0, 0) if now < 4.0 else (0, 0, 0))

    usual, held = (flown(QuadrotorParameters(hold_integral_xy=k), wish, 9.0) for k in (0.4, 1.0))
    same = [one for one, other in zip(usual, held, strict=True) if one == other]
    assert len(same) < len(usual)
    assert math.hypot(*same[-1].body.velocity[:2]) == pytest.approx(0.5, abs=0.05)
