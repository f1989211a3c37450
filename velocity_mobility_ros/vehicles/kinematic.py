"""A point mass that follows velocity commands with limits and lag, and yaws independently."""

from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import VehicleMotion, next_yaw, rotate_z
from velocity_mobility_ros.core.velocity_model import (
    Limits, MobilityParameters, Vector, limit_abs, step as moved
)
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle

STILL: Vector = (0.0, 0.0, 0.0)


class KinematicCoefficients(NamedTuple):
    """Limits and lags of the velocity model, and the largest yaw rate [rad/s]."""

    limits: Limits
    max_yaw_rate: float


class KinematicState(NamedTuple):
    """Position [m, map], velocity [m/s, map], heading [rad] and yaw rate [rad/s]."""

    position: Vector
    velocity: Vector
    yaw: float
    yaw_rate: float


def coefficients(parameters: MobilityParameters) -> KinematicCoefficients:
    """Return the coefficients used by ``step``."""
    return KinematicCoefficients(parameters.limits, parameters.max_yaw_rate)


def at_rest(position: Vector, yaw: float, _seed: int) -> KinematicState:
    """Return the state of a body at rest at a position [m] with a heading [rad]."""
    return KinematicState(position, STILL, yaw, 0.0)


def kinematic_step(
    model: KinematicCoefficients, state: KinematicState, command: Command, dt: float
) -> KinematicState:
    """Advance by ``dt`` [s]: velocity model and heading."""
    x, y, z = command.velocity
    if command.in_body:
        x, y = rotate_z(x, y, state.yaw)
    position, velocity = moved(state.position, state.velocity, (x, y, z), dt, model.limits)
    yaw_rate = limit_abs(command.yaw_rate, model.max_yaw_rate)
    return KinematicState(position, velocity, next_yaw(state.yaw, yaw_rate, dt), yaw_rate)


def motion(state: KinematicState) -> VehicleMotion:
    """Return the motion for the odometry: the whole state."""
    return VehicleMotion(state.position, state.yaw, state.velocity, state.yaw_rate)


KINEMATIC = Vehicle(MobilityParameters, coefficients, at_rest, kinematic_step, motion)
