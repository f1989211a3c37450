"""The contract of a vehicle: velocity commands in, what its odometry tells out.

    state = step(means, state, command, dt)

A vehicle is plain functions over records of numbers (NamedTuples): nodes and the plain loop run
them as they stand, the engine compiles them. So they hold to what compiles as well: arithmetic,
``math``, loops, tuples, and no memory outside of the state. World frame ENU, SI units.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import MobilityParameters, Vector

Means = Any
"""A NamedTuple of numbers, one kind per vehicle; so is ``State``."""

State = Any


class Command(NamedTuple):
    """What a vehicle is told; it holds until replaced.

    Attributes:
        velocity: Wanted velocity [m/s], in map, or forward, left and up if ``in_body``.
        yaw_rate: Wanted yaw rate [rad/s], counter-clockwise.
        in_body: Whether the velocity turns with the body.
    """

    velocity: Vector
    yaw_rate: float
    in_body: bool


STOP = Command((0.0, 0.0, 0.0), 0.0, False)


class VehicleMotion(NamedTuple):
    """What the odometry of a vehicle tells, of a level body.

    Attributes:
        position: Where it is [m, map].
        yaw: Heading [rad], counter-clockwise from east.
        velocity: How it moves [m/s, map].
        yaw_rate: How it turns [rad/s], counter-clockwise.
    """

    position: Vector
    yaw: float
    velocity: Vector
    yaw_rate: float


class Vehicle(NamedTuple):
    """One type of vehicle.

    Attributes:
        parameters: The record of its parameters. All vehicles have those of
            ``MobilityParameters``: agents count with these limits.
        means: Picks what ``step`` reads from the parameters; called again when they change.
        at_rest: The state of a body that stands at a position [m] with a heading [rad].
        step: ``(means, state, command, dt)`` to the state after a time [s].
        motion: What the odometry tells of a state.
    """

    parameters: type[MobilityParameters]
    means: Callable[[MobilityParameters], Means]
    at_rest: Callable[[Vector, float], State]
    step: Callable[[Means, State, Command, float], State]
    motion: Callable[[State], VehicleMotion]
