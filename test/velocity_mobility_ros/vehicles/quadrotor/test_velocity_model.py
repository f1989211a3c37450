"""How far the velocity model is from this vehicle, with the lag that its parameters declare."""

import pytest
from support.vehicles.quadrotor_flights import (
    deviations,
    fit_responses,
    fitted_lag,
    fitted_lag_and_delay,
    modelled,
    response,
)
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters

PARAMETERS = QuadrotorParameters()


@pytest.mark.parametrize(('axis', 'name'), [(0, 'tau_xy'), (2, 'tau_z')])
def test_the_lag_is_that_of_a_fit(axis: int, name: str) -> None:
    """Least squares over steps of several sizes."""
    assert getattr(PARAMETERS, name) == pytest.approx(fitted_lag(PARAMETERS, axis), abs=0.011)


def alone(axis: int, speed: float, tau: float) -> list[float]:
    """Return the differences of vehicle and model in a step, shares of it."""
    model = modelled(PARAMETERS, axis, speed, tau)
    return deviations(response(PARAMETERS, axis, speed), model, speed, 0)


def test_horizontally_a_model_with_a_delay_is_within_five_percent_at_5_m_s() -> None:
    """One lag and one delay for steps of 1 to 5 m/s."""
    lag, delay = fitted_lag_and_delay(PARAMETERS)
    assert 0.05 < delay * PARAMETERS.update_rate < 0.15
    for speed, measured in fit_responses(PARAMETERS, 0).items():
        model = modelled(PARAMETERS, 0, speed, lag)
        most = 0.05 if speed == 5.0 else 0.09
        assert max(deviations(measured, model, speed, delay)) < most


def test_horizontally_the_lag_alone_is_off_while_the_vehicle_tilts() -> None:
    """The model accelerates at once: 12 % for a moment."""
    found = alone(0, 5.0, PARAMETERS.tau_xy)
    assert max(found[85:]) < 0.05
    assert 0.09 < max(found[:85]) < 0.15


@pytest.mark.parametrize('speed', [3.0, -3.0])
def test_vertically_the_model_is_within_nine_percent(speed: float) -> None:
    """There is no tilt to wait for, only the rotors."""
    found = alone(2, speed, PARAMETERS.tau_z)
    assert max(found) < 0.09
    assert max(found[70:]) < 0.05
