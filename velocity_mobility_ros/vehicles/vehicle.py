"""Interface of a vehicle: velocity commands in, motion for the odometry out.

    state = step(coefficients, state, command, dt)

A vehicle is plain functions over records of numbers (NamedTuples): nodes and the plain loop call
them, the engine compiles them. So they are limited to what numba compiles: arithmetic, ``math``,
loops, tuples, and no memory outside of the state. World frame ENU, SI units.

Updates are counted since a start, so that time does not drift; after a long stall or a clock jump
the missed ones are skipped. A vehicle may make several physics steps in one update.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.coordinate_frames import Attitude, VehicleMotion
from velocity_mobility_ros.core.parameter_declaration import declarations, parameter
from velocity_mobility_ros.core.plugins import Plugin, reason_of
from velocity_mobility_ros.core.step_time import to_ns, whole_ratio
from velocity_mobility_ros.core.user_errors import ParameterError, shown
from velocity_mobility_ros.core.velocity_model import FIXED_VEHICLE, MobilityParameters, Vector

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
    coefficients: Callable[[Any], Coefficients]
    at_rest: Callable[[Vector, float, int], State]
    step: Callable[[Coefficients, State, Command, float], State]
    motion: Callable[[State], VehicleMotion]
    attitude: Callable[[State], Attitude] | None = None
    is_costly: bool = False


def try_vehicle(vehicle: Vehicle, name: str) -> None:
    """Move a vehicle by one step: what does not fit is told when it is loaded.

    Raises:
        ParameterError: Its parameters are not those of a vehicle, or a function of it fails or
            returns something else than it should.
    """
    record = vehicle.parameters
    if not (isinstance(record, type) and issubclass(record, MobilityParameters)):
        raise ParameterError(
            f'{name}: parameters = {shown(record)} must be a class that extends MobilityParameters'
        )
    try:
        before = vehicle.at_rest((0.0, 0.0, 0.0), 0.0, 0)
        after = vehicle.step(vehicle.coefficients(record()), before, STOP, record.update_rate)
        moved = vehicle.motion(after) if type(after) is type(before) else None
    except Exception as error:
        raise ParameterError(f'{name}: {reason_of(error)}') from None
    for function, found, kind in (('step', after, type(before)), ('motion', moved, VehicleMotion)):
        if type(found) is not kind:
            raise ParameterError(
                f'{name}: {function} returns {shown(found)}, must return a {kind.__name__}'
            )


VEHICLES = Plugin(Vehicle, ParameterError, 'velocity_mobility_ros.vehicles', try_vehicle)
"""Vehicles by name: ``mobility.vehicle`` of a scenario, ``vehicle`` of a node.

Entry points of users: ``name = package.module:VEHICLE``.
"""


def parameters_of(vehicle: Any) -> type[MobilityParameters]:
    """Return the record of parameters of a vehicle by name.

    For an unknown name this is the base record, whose validation refuses the name.

    Raises:
        ParameterError: It is a user's, and cannot be loaded.
    """
    if VEHICLES.is_built_in(vehicle):
        return VEHICLES[vehicle].parameters
    return _named_record(vehicle) if VEHICLES.is_foreign(vehicle) else MobilityParameters


@functools.cache
def _named_record(name: str) -> type[MobilityParameters]:
    """Return the record of a user's vehicle; its choice is the name that it was found by."""
    record = VEHICLES[name].parameters
    choosing = parameter(
        name, declarations(record)['vehicle'].meaning, choices=(name,), fixed=FIXED_VEHICLE
    )
    found: Any = dataclasses.make_dataclass(
        record.__name__, [('vehicle', str, choosing)], bases=(record,), frozen=True
    )
    found.live = record.live
    return found


MAX_CATCH_UP = 1.0
"""Longest stall [s] after which missed updates are made; two updates always are."""


class UpdateClock(NamedTuple):
    """Start of the count [ns], and the number of updates made since."""

    start_ns: int
    updates: int


class Due(NamedTuple):
    """The clock after the due updates, their number, and whether updates were skipped."""

    clock: UpdateClock
    count: int  # type: ignore[assignment]  # hides tuple.count
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
