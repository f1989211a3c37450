"""The kinematic vehicle: the model with a heading."""

import dataclasses
import math

import pytest
from hypothesis import given
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.model import MobilityParameters, step
from velocity_mobility_ros.vehicles import KinematicVehicle

START = (1.0, -2.0, 3.0)


def test_starts_at_rest() -> None:
    """Without a command a body stays where it is."""
    vehicle = KinematicVehicle(MobilityParameters(), START, 0.5)
    vehicle.step()
    assert (vehicle.position, vehicle.velocity) == (START, (0.0, 0.0, 0.0))
    assert (vehicle.yaw, vehicle.yaw_rate) == (0.5, 0.0)


def test_moves_by_the_model() -> None:
    """Step by step the numbers are those of the law; the command holds until replaced."""
    body = MobilityParameters()
    vehicle = KinematicVehicle(body, START)
    vehicle.command((4.0, 3.0, -1.0), 0.0)
    p, v = START, (0.0, 0.0, 0.0)
    for _ in range(200):
        vehicle.step()
        p, v = step(p, v, (4.0, 3.0, -1.0), body.update_rate, body.limits)
    assert (vehicle.position, vehicle.velocity) == (p, v)


@given(ANY_NUMBER)
def test_yaw_rate_is_limited_for_any_input(wanted: float) -> None:
    """The yaw rate has its own limit; an undefined one is zero."""
    vehicle = KinematicVehicle(MobilityParameters(max_yaw_rate=1.5), START)
    vehicle.command((0.0, 0.0, 0.0), wanted)
    for _ in range(3):
        vehicle.step()
    assert abs(vehicle.yaw_rate) <= 1.5
    assert -math.pi <= vehicle.yaw < math.pi


def test_turns_on_the_spot() -> None:
    """A yaw rate turns the body and moves it nowhere; the heading wraps."""
    vehicle = KinematicVehicle(MobilityParameters(), START, 3.0)
    vehicle.command((0.0, 0.0, 0.0), 1.0)
    for _ in range(100):
        vehicle.step()
    assert vehicle.position == START
    assert vehicle.yaw == pytest.approx(4.0 - 2.0 * math.pi)


def test_new_limits_hold_from_the_next_step() -> None:
    """Parameters may be replaced between steps, also while moving."""
    body = MobilityParameters(tau_xy=None)
    vehicle = KinematicVehicle(body, START)
    vehicle.command((10.0, 0.0, 0.0), 0.0)
    for _ in range(300):
        vehicle.step()
    assert vehicle.velocity[0] == pytest.approx(10.0)
    vehicle.parameters = dataclasses.replace(body, max_speed_xy=2.0)
    vehicle.step()
    assert vehicle.velocity[0] == pytest.approx(2.0)


def test_a_command_in_the_body_frame_turns_with_the_body() -> None:
    """Forward and turn is a circle: after half a turn the velocity points the other way."""
    swift = MobilityParameters(max_acc_xy=1e4, tau_xy=None, update_rate=0.001)
    vehicle = KinematicVehicle(swift, (0.0, 0.0, 0.0))
    vehicle.command((2.0, 0.0, 0.0), 1.0, in_body=True)
    for _ in range(round(math.pi / 0.001)):
        vehicle.step()
    assert vehicle.velocity == pytest.approx((-2.0, 0.0, 0.0), abs=0.01)
    assert vehicle.position == pytest.approx((0.0, 4.0, 0.0), abs=0.01)
