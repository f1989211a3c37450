"""Figures of the airframes against those of their makers, and their top speeds."""

import dataclasses
import math
from collections.abc import Callable
from typing import NamedTuple

import pytest
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from support.vehicles.quadrotor_flights import command, flown
from velocity_mobility_ros.core.frames import rotate
from velocity_mobility_ros.vehicles.quadrotor import (
    Airframe,
    QuadrotorParameters,
    airframe,
    top_speed,
)

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

NAMES = ('crazyflie_2', 'hummingbird', 'iris', 'x500')


def parameters_of(name: str) -> QuadrotorParameters:
    """Return the parameters of an airframe."""
    return QuadrotorParameters(**read_vehicle(find_vehicle(name)).mobility)


@pytest.mark.parametrize('figure', [*MAKERS, *OTHERS], ids=lambda one: f'{one.name}-{one.by}')
def test_a_figure_is_within_ten_percent(figure: Figure) -> None:
    """Of what makers and others publish; none of these numbers is in the files."""
    ours = figure.ours(airframe(parameters_of(figure.name)))
    assert ours == pytest.approx(figure.value, rel=0.1)


@pytest.mark.parametrize('name', NAMES)
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
