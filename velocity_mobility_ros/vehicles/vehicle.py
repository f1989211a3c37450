"""Interface of a vehicle: velocity commands in, motion for the odometry out.

    state = step(means, state, command, dt)

A vehicle is plain functions over records of numbers (NamedTuples): nodes and the plain loop call
them, the engine compiles them. So they are limited to what numba compiles: arithmetic, ``math``,
loops, tuples, and no memory outside of the state. World frame ENU, SI units.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.core.motion import Attitude, VehicleMotion
from velocity_mobility_ros.core.plugins import Plugin

Means = Any
"""A NamedTuple of numbers, one kind per vehicle; so is ``State``."""

State = Any


class Command(NamedTuple):
    """Command of a vehicle; it holds until replaced.

    Attributes:
        velocity: Desired velocity [m/s], in map, or forward, left and up if ``in_body``.
        yaw_rate: Desired yaw rate [rad/s], counter-clockwise.
        in_body: Whether the velocity turns with the body.
    """

    velocity: Vector
    yaw_rate: float
    in_body: bool


STOP = Command((0.0, 0.0, 0.0), 0.0, False)


class Vehicle(NamedTuple):
    """One type of vehicle.

    Attributes:
        parameters: The record of its parameters. All vehicles have those of
            ``MobilityParameters``: agents rely on these limits.
        means: Returns the parameters used by ``step``; called again when they change.
        at_rest: The state of a body at rest at a position [m] with a heading [rad]; the seed is
            that of its random numbers, a whole number from 0 to 2^53.
        step: Returns the state after ``dt`` [s] from ``(means, state, command, dt)``.
        motion: Returns the motion for the odometry.
        attitude: Returns the attitude for the odometry; None for a body that is always level.
        is_costly: Whether a step takes so long in plain Python that a world uses it compiled.
    """

    parameters: type[MobilityParameters]
    means: Callable[[MobilityParameters], Means]
    at_rest: Callable[[Vector, float, int], State]
    step: Callable[[Means, State, Command, float], State]
    motion: Callable[[State], VehicleMotion]
    attitude: Callable[[State], Attitude] | None = None
    is_costly: bool = False


VEHICLES = Plugin(Vehicle, ParameterError)
"""Vehicles by name: ``mobility.vehicle`` of a scenario, ``vehicle`` of a node."""


def parameters_of(vehicle: object) -> type[MobilityParameters]:
    """Return the record of parameters of a vehicle by name.

    For an unknown name this is the base record, whose validation refuses the name.
    """
    return VEHICLES[vehicle].parameters if VEHICLES.is_built_in(vehicle) else MobilityParameters
