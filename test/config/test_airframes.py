"""The airframes in ``config/vehicles``: they fly, and are what others and makers say."""

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from support.vehicles.level_flight import top_speed
from support.vehicles.quadrotor_flights import (
    command, deviations, fit_responses, fitted_lag, fitted_lag_and_delay, flown, modelled
)
from velocity_mobility_ros.core.coordinate_frames import rotate
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    Airframe, QuadrotorParameters, airframe
)

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


HOVER_RPM = 15924 + (27.0 - 24.4) / (28.6 - 24.4) * (17174 - 15924)
"""Bitcraze measured 24.4 g at 15924 rpm and 28.6 g at 17174 rpm; a Crazyflie weighs 27 g."""


class Figure(NamedTuple):
    """A published figure: whose, of what, and how it is computed here."""

    name: str
    by: str
    value: float
    ours: Callable[[Airframe], float]


MAKERS = [
    Figure('crazyflie_2', 'Bitcraze, PWM to thrust', HOVER_RPM, lambda one: one.hover_rpm),
    Figure('crazyflie_2', 'Bitcraze, motors.c', 60.0 / 27.0, lambda one: one.thrust_to_weight),
    Figure('iris', '3DR, THR_MID of Iris.param', 0.58, lambda one: one.hover_thrust_share),
]
OTHERS = [
    Figure(
        'crazyflie_2', 'Foerster', 4 * 0.1597 / (0.027 * 9.81), lambda one: one.thrust_to_weight
    ),
    Figure('iris', 'PX4, default MPC_THR_HOVER', 0.50, lambda one: one.hover_thrust_share),
    Figure('x500', 'PX4, MPC_THR_HOVER of gz_x500', 0.60, lambda one: one.hover_thrust_share),
]


@pytest.mark.parametrize('figure', [*MAKERS, *OTHERS], ids=lambda one: f'{one.name}-{one.by}')
def test_a_figure_is_within_ten_percent(figure: Figure) -> None:
    """Of what makers and others publish; none of these numbers is in the files."""
    ours = figure.ours(airframe(parameters_of(figure.name)))
    assert ours == pytest.approx(figure.value, rel=0.1)


@EVERY
def test_at_its_top_speed_an_airframe_flies_level_at_the_largest_tilt(name: str) -> None:
    """A command of that speed.

    The loop asks for at most ``max_acc_xy``, ``max_acc_z`` and the horizontal thrust that hover at
    ``max_tilt`` has, drag included: these are raised.
    """
    parameters = parameters_of(name)
    speed = top_speed(parameters)
    fast = dataclasses.replace(
        parameters, max_speed_xy=2.0 * speed, max_tilt=1.0, drag_feedforward=0.0,
        max_acc_xy=12.0, max_acc_z=9.5, max_velocity_integral=20.0, velocity_integral_xy=0.3,
    )  # fmt: skip
    end = flown(fast, command((speed, 0.0, 0.0)), 60.0)[-1].body
    assert end.velocity == pytest.approx((speed, 0.0, 0.0), abs=0.02 * speed)
    ahead, _, up = rotate(end.attitude, (0.0, 0.0, 1.0))
    assert math.atan2(ahead, up) == pytest.approx(parameters.max_tilt, abs=0.02)
