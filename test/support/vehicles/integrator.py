"""A vehicle that is none of ours: a share of its command is its velocity, at once.

Its state has no records in it, an order of its own, and a number that no odometry tells.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from unittest.mock import patch

import pytest

from velocity_mobility_ros.core.coordinate_frames import VehicleMotion, rotate_z
from velocity_mobility_ros.core.parameter_declaration import parameter
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector, limit_velocity
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, Command, Vehicle

NAME = 'integrator'


@dataclass(frozen=True)
class IntegratorParameters(MobilityParameters):
    """What all vehicles have, and one of its own."""

    vehicle: str = parameter(NAME, 'type of the vehicle', choices=(NAME,))
    followed_share: float = parameter(
        1.0, 'share of the command that is followed', minimum=0.0, maximum=1.0, runtime=True
    )


class Coefficients(NamedTuple):
    """The share, and the limits of the speed [m/s]."""

    share: float
    max_speed_xy: float
    max_speed_z: float


class State(NamedTuple):
    """Velocity [m/s], updates made, heading [rad] and its rate, position [m]."""

    vx: float
    vy: float
    vz: float
    updates: int
    yaw: float
    yaw_rate: float
    x: float
    y: float
    z: float


def coefficients(parameters: IntegratorParameters) -> Coefficients:
    """Return what the step reads."""
    return Coefficients(parameters.followed_share, parameters.max_speed_xy, parameters.max_speed_z)


def at_rest(position: Vector, yaw: float, seed: int) -> State:
    """Return a body that stands."""
    return State(0.0, 0.0, 0.0, 0, yaw, 0.0, position[0], position[1], position[2])


def step(model: Coefficients, state: State, command: Command, dt: float) -> State:
    """Move on by what is followed of the command; every hundredth update makes a pause."""
    share = 0.0 if state.updates % 100 == 99 else model.share
    x, y, z = command.velocity
    if command.in_body:
        x, y = rotate_z(x, y, state.yaw)
    vx, vy, vz = limit_velocity(
        share * x, share * y, share * z, model.max_speed_xy, model.max_speed_z
    )
    return State(
        vx, vy, vz, state.updates + 1, state.yaw + command.yaw_rate * dt, command.yaw_rate,
        state.x + vx * dt, state.y + vy * dt, state.z + vz * dt,
    )  # fmt: skip


def motion(state: State) -> VehicleMotion:
    """Return what the odometry tells."""
    return VehicleMotion(
        (state.x, state.y, state.z), state.yaw, (state.vx, state.vy, state.vz), state.yaw_rate
    )


INTEGRATOR = Vehicle(IntegratorParameters, coefficients, at_rest, step, motion)


@contextmanager
def registered() -> Iterator[None]:
    """Let there be a vehicle of this name meanwhile."""
    with patch.dict(VEHICLES, {NAME: INTEGRATOR}):
        yield


@pytest.fixture
def integrator() -> Iterator[str]:
    """Return the name of the vehicle while there is one."""
    with registered():
        yield NAME
