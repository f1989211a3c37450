"""Steady level flight by formula and flown, and how far the velocity model is from the vehicle."""

import dataclasses
import math

import pytest

from support.vehicles.level_flight import (
    full_thrust_tilt, level_speed, level_thrust, level_tilt, top_speed
)
from support.vehicles.quadrotor_flights import (
    command, deviations, fit_responses, fitted_lag, fitted_lag_and_delay, flown, modelled
)
from velocity_mobility_ros.core.coordinate_frames import rotate
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import QUADROTOR, rotor_output
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    QuadrotorParameters, airframe
)

DRAGS = [(0.6, 0.0), (0.6, 0.9), (0.3, 0.0, 0.04, 0.08)]
"""Along the forward and the up axis [N s/m], and perhaps drag areas along both [m^2]."""


def dragged(drag: tuple[float, ...], **values: float) -> QuadrotorParameters:
    """Return a quadrotor with some drag, which it feeds forward."""
    names = ('drag_x', 'drag_z', 'drag_area_x', 'drag_area_z')
    given = dict(zip(names, drag, strict=False))
    fed = {'velocity_reference_tau_xy': 1.0, 'drag_feedforward': 1.0}
    return QuadrotorParameters(**given, **{**fed, **values})


@pytest.mark.parametrize('drag', DRAGS)
@pytest.mark.parametrize('speed', [4.0, 9.0])
def test_a_flight_settles_at_tilt_and_thrust_of_the_formula(drag, speed: float) -> None:
    """Ahead at a constant height."""
    parameters = dragged(drag)
    end = flown(parameters, command((speed, 0, 0)), 25.0)[-1]
    assert end.body.velocity == pytest.approx((speed, 0.0, 0.0), abs=1e-3)
    ahead, _, up = rotate(end.body.attitude, (0.0, 0.0, 1.0))
    assert math.atan2(ahead, up) == pytest.approx(level_tilt(parameters, speed), abs=2e-3)
    thrust = sum(rotor_output(QUADROTOR.coefficients(parameters), end)[:4])
    assert thrust == pytest.approx(level_thrust(parameters, speed), rel=2e-3)
    assert level_speed(parameters, level_tilt(parameters, speed)) == pytest.approx(speed)


@pytest.mark.parametrize('drag', DRAGS[1:])
def test_full_thrust_is_reached_at_its_tilt(drag) -> None:
    """The largest share of it that the controller asks for."""
    parameters = dragged(drag)
    tilt = full_thrust_tilt(parameters)
    assert 0.5 < tilt < math.pi / 2
    full = parameters.max_thrust_share * 4.0 * airframe(parameters).max_thrust
    assert level_thrust(parameters, level_speed(parameters, tilt)) == pytest.approx(full)


def test_without_drag_along_the_up_axis_no_thrust_bounds_the_speed() -> None:
    """And without any nothing does."""
    assert full_thrust_tilt(dragged((0.6, 0.0))) == math.pi / 2
    assert top_speed(dragged((0.6, 0.0))) == pytest.approx(1.5 * 9.81 * math.tan(0.61) / 0.6)
    assert top_speed(dragged((0.0, 0.3))) == math.inf
    assert full_thrust_tilt(dragged((0.6, 0.0, 0.05, 0.0))) == math.pi / 2


def test_at_the_largest_tilt_the_drag_area_alone_bounds_the_speed() -> None:
    """``rho / 2 A v^2 = m g tan(tilt)``; with both drags it is below each alone."""
    body = top_speed(dragged((0.0, 0.0, 0.05)))
    assert body == pytest.approx(math.sqrt(2.0 * 1.5 * 9.81 * math.tan(0.61) / (1.225 * 0.05)))
    rotors = top_speed(dragged((0.6, 0.0)))
    assert top_speed(dragged((0.6, 0.0, 0.05))) < min(body, rotors)


def test_the_largest_tilt_bounds_what_is_flown() -> None:
    """The command is not reached; the tilt stays within its limit."""
    slow = dragged((2.0, 2.0), max_tilt=0.3)
    end = flown(slow, command((10, 0, 0)), 30.0)[-1].body
    assert end.velocity[0] == pytest.approx(top_speed(slow), rel=0.12)
    assert top_speed(dataclasses.replace(slow, max_tilt=0.6)) > 2.0 * top_speed(slow)


PARAMETERS = QuadrotorParameters()


@pytest.mark.parametrize(('axis', 'name'), [(0, 'tau_xy'), (2, 'tau_z')])
def test_the_lag_is_that_of_a_fit(axis: int, name: str) -> None:
    """Least squares over steps of several sizes."""
    assert getattr(PARAMETERS, name) == pytest.approx(fitted_lag(PARAMETERS, axis), abs=0.011)


def test_horizontally_a_model_with_a_delay_is_within_five_percent_at_5_m_s() -> None:
    """One lag and one delay for steps of 1 to 5 m/s."""
    lag, delay = fitted_lag_and_delay(PARAMETERS)
    assert 0.05 < delay * PARAMETERS.update_rate < 0.15
    for speed, measured in fit_responses(PARAMETERS, 0).items():
        model = modelled(PARAMETERS, 0, speed, lag)
        most = 0.05 if speed == 5.0 else 0.09
        assert max(deviations(measured, model, speed, delay)) < most
