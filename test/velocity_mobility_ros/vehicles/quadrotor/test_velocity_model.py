"""How far the velocity model is from this vehicle, with the lag that its parameters declare."""

import pytest
from support.vehicles.quadrotor_flights import fitted_lag, modelled, response
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters

PARAMETERS = QuadrotorParameters()


@pytest.mark.parametrize(('axis', 'name'), [(0, 'tau_xy'), (2, 'tau_z')])
def test_the_lag_is_that_of_a_fit(axis: int, name: str) -> None:
    """Least squares over steps of several sizes."""
    assert getattr(PARAMETERS, name) == pytest.approx(fitted_lag(PARAMETERS, axis), abs=0.011)


def deviations(axis: int, speed: float, tau: float) -> list[float]:
    """Return the differences of vehicle and model in a step, shares of it."""
    pairs = zip(
        response(PARAMETERS, axis, speed), modelled(PARAMETERS, axis, speed, tau), strict=True
    )
    return [abs(one - other) / abs(speed) for one, other in pairs]


def test_horizontally_the_model_is_within_five_percent_but_for_the_tilting() -> None:
    """The model accelerates at once, the vehicle has to tilt first: 21 % for a moment."""
    found = deviations(0, 5.0, PARAMETERS.tau_xy)
    assert max(found[85:]) < 0.05
    assert 0.15 < max(found[:85]) < 0.22


@pytest.mark.parametrize('speed', [3.0, -3.0])
def test_vertically_the_model_is_within_nine_percent(speed: float) -> None:
    """There is no tilt to wait for, only the rotors."""
    found = deviations(2, speed, PARAMETERS.tau_z)
    assert max(found) < 0.09
    assert max(found[70:]) < 0.05
