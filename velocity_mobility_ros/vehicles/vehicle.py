"""Interface of a vehicle: velocity commands in, motion for the odometry out.

    state = step(coefficients, state, command, dt)

A vehicle is plain functions over records of numbers (NamedTuples): nodes and the plain loop call
them, the engine compiles them. So they are limited to what numba compiles: arithmetic, ``math``,
loops, tuples, and no memory outside of the state. World frame ENU, SI units.

Updates are counted since a start, so that time does not drift; after a long stall or a clock jump
the missed ones are skipped. A vehicle may make several physics steps in one update.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.coordinate_frames import Attitude, VehicleMotion
from velocity_mobility_ros.core.plugins import Plugin
from velocity_mobility_ros.core.step_time import to_ns, whole_ratio
from velocity_mobility_ros.core.user_errors import ParameterError, shown
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector

Coefficients = Any
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
        coefficients: Returns what ``step`` uses of the parameters; called again when they change.
        at_rest: The state of a body at rest at a position [m] with a heading [rad]; the seed is
            that of its random numbers, a whole number from 0 to 2^53.
        step: Returns the state after ``dt`` [s] from ``(coefficients, state, command, dt)``.
        motion: Returns the motion for the odometry.
        attitude: Returns the attitude for the odometry; None for a body that is always level.
        is_costly: Whether a step takes so long in plain Python that a world uses it compiled.
    """

    parameters: type[MobilityParameters]
    coefficients: Callable[[MobilityParameters], Coefficients]
    at_rest: Callable[[Vector, float, int], State]
    step: Callable[[Coefficients, State, Command, float], State]
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


MAX_CATCH_UP = 1.0
"""Longest stall [s] after which missed updates are made; two updates always are."""


class UpdateClock(NamedTuple):
    """Start of the count [ns], and the number of updates made since."""

    start_ns: int
    updates: int


class Due(NamedTuple):
    """The clock after the due updates, their number, and whether updates were skipped."""

    clock: UpdateClock
    count: int
    dropped: bool


def due_updates(clock: UpdateClock, now_ns: int, period_ns: int) -> Due:
    """Return the updates that are due.

    Args:
        clock: State of the clock.
        now_ns: Time [ns].
        period_ns: Time between two updates [ns].
    """
    updates = (now_ns - clock.start_ns) // period_ns
    count = updates - clock.updates
    longest_ns = max(to_ns(MAX_CATCH_UP), 2 * period_ns)
    if 0 <= count * period_ns <= longest_ns:
        return Due(UpdateClock(clock.start_ns, updates), count, False)
    return Due(UpdateClock(now_ns - period_ns, 1), 1, True)


def physics_steps(update_rate: float, sim_dt: float) -> int:
    """Return the number of physics steps of ``sim_dt`` [s] in an update of ``update_rate`` [s].

    Raises:
        ParameterError: It is no whole number.
    """
    steps = whole_ratio(update_rate, sim_dt)
    if steps is None:
        raise ParameterError(
            f'sim_dt = {shown(sim_dt)} s must be update_rate = {shown(update_rate)} '
            f's divided by a whole number'
        )
    return steps
