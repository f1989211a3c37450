"""The airframes in ``config/vehicles``: they fly, and are what others say of them."""

import math
from pathlib import Path

import pytest
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from support.vehicles.quadrotor_flights import (
    command,
    deviations,
    fit_responses,
    fitted_lag,
    fitted_lag_and_delay,
    flown,
    modelled,
)
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters, airframe

AIRFRAMES = ('crazyflie_2', 'hummingbird', 'iris', 'x500')
COEFFICIENTS = {
    'hummingbird': (8.54858e-6, 0.016), 'iris': (5.84e-6, 0.06), 'x500': (8.54858e-6, 0.016),
    'crazyflie_2': (1.909e-8, 0.005964552),
}  # fmt: skip
"""Thrust by the square of the rotor speed [N s^2] and torque by thrust [m] of the sources."""

EVERY = pytest.mark.parametrize('name', AIRFRAMES)


def parameters_of(name: str) -> QuadrotorParameters:
    """Return the parameters of an airframe."""
    return QuadrotorParameters(**read_vehicle(find_vehicle(name)).mobility)


def test_every_quadrotor_is_tested(repository: Path) -> None:
    """Those in the folder are those here."""
    files = sorted((repository / 'config' / 'vehicles').glob('*.yaml'))
    found = [one.stem for one in files if read_vehicle(one).mobility.get('vehicle') == 'quadrotor']
    assert tuple(found) == AIRFRAMES


@EVERY
def test_propellers_are_those_of_the_source(name: str) -> None:
    """The numbers in the files are converted from its coefficients."""
    derived, (thrust, arm) = airframe(parameters_of(name)), COEFFICIENTS[name]
    assert derived.thrust_coefficient == pytest.approx(thrust, rel=1e-3)
    assert derived.torque_arm == pytest.approx(arm, rel=1e-3)


@EVERY
def test_an_airframe_flies_its_commands(name: str) -> None:
    """Hover to the bit; a step within 5 % after ten seconds; no tumbling on the way."""
    parameters = parameters_of(name)
    hover = flown(parameters, command((0, 0, 0)), 1.0)
    assert hover[0] == hover[-1]
    speed = min(5.0, parameters.max_speed_xy)
    states = flown(parameters, command((speed, 0, 0.5 * parameters.max_speed_z)), 10.0)
    assert states[-1].body.velocity == pytest.approx(
        (speed, 0.0, 0.5 * parameters.max_speed_z), abs=0.05 * speed
    )
    assert max(math.hypot(*state.body.rates) for state in states) < 8.0


@EVERY
@pytest.mark.parametrize(('axis', 'lag'), [(0, 'tau_xy'), (2, 'tau_z')])
def test_the_lag_is_that_of_a_fit(name: str, axis: int, lag: str) -> None:
    """Of the velocity model to steps of the airframe."""
    parameters = parameters_of(name)
    assert getattr(parameters, lag) == pytest.approx(fitted_lag(parameters, axis), abs=0.021)


@pytest.mark.one_in(8)
@EVERY
def test_a_model_with_a_delay_is_within_five_percent(name: str) -> None:
    """In a step to 5 m/s, the Crazyflie's to 3 m/s; in those to 20 to 60 % of it within 9 %."""
    parameters = parameters_of(name)
    lag, delay = fitted_lag_and_delay(parameters)
    measured_by_speed = fit_responses(parameters, 0)
    for speed, measured in measured_by_speed.items():
        model = modelled(parameters, 0, speed, lag)
        most = 0.05 if speed == max(measured_by_speed) else 0.09
        assert max(deviations(measured, model, speed, delay)) < most
