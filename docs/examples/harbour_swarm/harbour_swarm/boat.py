"""A boat: it keeps its height, and what it does in the water the current carries along.

    w = velocity model of (c - current)        v = w + current

c is the commanded velocity over ground, w the velocity through the water, within the limits of the
vehicle. So a boat stays where it is only in a current that is slower than its largest speed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import VehicleMotion, next_yaw, rotate_z
from velocity_mobility_ros.core.parameter_declaration import parameter
from velocity_mobility_ros.core.velocity_model import (
    Limits, MobilityParameters, Vector, limit_abs, next_velocity
)
from velocity_mobility_ros.vehicles import Vehicle


@dataclass(frozen=True)
class BoatParameters(MobilityParameters):
    """Those of all vehicles, and the current."""

    current_east: float = parameter(0.0, 'current to the east', unit='m/s')
    current_north: float = parameter(0.0, 'current to the north', unit='m/s')


class Coefficients(NamedTuple):
    """Limits through the water, the largest yaw rate [rad/s], and the current [m/s]."""

    limits: Limits
    max_yaw_rate: float
    east: float
    north: float


class State(NamedTuple):
    """Position [m], velocity through the water and over ground [m/s], heading [rad], its rate."""

    position: Vector
    through_water: Vector
    over_ground: Vector
    yaw: float
    yaw_rate: float


def coefficients(parameters):
    """Return what ``step`` needs of the parameters."""
    return Coefficients(
        parameters.limits, parameters.max_yaw_rate, parameters.current_east,
        parameters.current_north,
    )  # fmt: skip


def at_rest(position, yaw, _seed):
    """Return a boat that is held at a position [m] with a heading [rad]."""
    return State(position, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), yaw, 0.0)


def step(model, state, command, dt):
    """Return the state after ``dt`` [s]."""
    x, y, _ = command.velocity
    if command.in_body:
        x, y = rotate_z(x, y, state.yaw)
    wanted = (x - model.east, y - model.north, 0.0)
    water = next_velocity(state.through_water, wanted, dt, model.limits)
    ground = (water[0] + model.east, water[1] + model.north, 0.0)
    px, py, pz = state.position
    yaw_rate = limit_abs(command.yaw_rate, model.max_yaw_rate)
    return State(
        (px + ground[0] * dt, py + ground[1] * dt, pz), water, ground,
        next_yaw(state.yaw, yaw_rate, dt), yaw_rate,
    )  # fmt: skip


def motion(state):
    """Return what the odometry says."""
    return VehicleMotion(state.position, state.yaw, state.over_ground, state.yaw_rate)


BOAT = Vehicle(BoatParameters, coefficients, at_rest, step, motion)
