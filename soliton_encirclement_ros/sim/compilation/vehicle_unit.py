"""Vehicles as the engine moves them: their steps over rows of numbers, compiled by themselves."""

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.compilation.call_graph import adopt
from soliton_encirclement_ros.sim.compilation.compiled import pointed
from soliton_encirclement_ros.swarm.memory import (
    ATTITUDE, CX, CY, CZ, FINE, FORWARD, LEFT, UP, VX, VY, VZ, Floats, X, Y, Z
)
from soliton_encirclement_ros.swarm.rules import VehicleRules
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, Command, State, Vehicle

ORIGIN: Vector = (0.0, 0.0, 0.0)
ROWS = np.zeros((1, 1))

TYPE = 0
"""Column of the coefficients: number of the vehicle's type, counted from the last of the flight's
types; the coefficients of that type begin after it."""

FIRST = TYPE + 1


def vehicle_rules(vehicles: Sequence[MobilityParameters], plain: bool) -> VehicleRules:
    """Return vehicles as the kernel needs them.

    Args:
        vehicles: The vehicles of all members, in their order.
        plain: Whether their steps are not compiled.
    """
    names = vehicle_types(vehicles)
    move = moving(tuple(VEHICLES[name] for name in names))
    if not plain:
        move = pointed(move, ROWS, ROWS, ROWS, ROWS, 1, 0.0)
    made = {vehicle: _coefficients_row(vehicle, names) for vehicle in set(vehicles)}
    rows = np.zeros((len(vehicles), max(row.size for row in made.values())))
    for vehicle, row in zip(vehicles, rows, strict=True):
        row[: made[vehicle].size] = made[vehicle]
    return VehicleRules(move, rows)


def _coefficients_row(vehicle: MobilityParameters, names: Sequence[str]) -> Floats:
    """Return the number of a vehicle's type and its coefficients as a row."""
    coefficients = VEHICLES[vehicle.vehicle].coefficients(vehicle)
    found = packing(coefficients)
    row = np.zeros(FIRST + found.size)
    row[TYPE] = len(names) - 1 - names.index(vehicle.vehicle)
    found.pack(coefficients, row[FIRST:])
    return row


def vehicle_types(vehicles: Sequence[MobilityParameters]) -> tuple[str, ...]:
    """Return the names of the types of some vehicles, each once; those of users come last."""
    used = {vehicle.vehicle for vehicle in vehicles}
    return (*(name for name in VEHICLES if name in used), *sorted(used - VEHICLES.keys()))


def states_at_rest(
    vehicles: Sequence[MobilityParameters], starts: Sequence[Vector], seeds: Sequence[int]
) -> Floats:
    """Return the states of vehicles that stand at some positions [m], looking east; one a row."""
    types = {name: VEHICLES[name] for name in vehicle_types(vehicles)}
    packings = {name: packing(one.at_rest(ORIGIN, 0.0, 0)) for name, one in types.items()}
    rows = np.zeros((len(starts), max(found.size for found in packings.values())))
    for vehicle, start, seed, row in zip(vehicles, starts, seeds, rows, strict=True):
        name = vehicle.vehicle
        packings[name].pack(types[name].at_rest(start, 0.0, seed), row)
    return rows


def write_state(vehicle: Vehicle, state: State, states: Floats, body: Floats) -> None:
    """Write the state of a vehicle, and its odometry, into their rows."""
    packing(state).pack(state, states)
    reporting(vehicle)(state, body)


@functools.cache
def moving(types: tuple[Vehicle, ...]) -> Callable[..., int]:
    """Return what moves bodies over rows; the same every time, so that it is found compiled."""
    first, others = moving_one(types[0], len(types) - 1), types[1:]
    if not others:
        return first
    rest = moving(others)

    def move_rows(
        coefficients: Floats,
        states: Floats,
        bodies: Floats,
        speeds: Floats,
        updates: int,
        dt: float,
    ) -> int:
        """Advance the vehicles of one type, then those of the others."""
        first(coefficients, states, bodies, speeds, updates, dt)
        return rest(coefficients, states, bodies, speeds, updates, dt)

    return move_rows


@functools.cache
def moving_one(vehicle: Vehicle, number: int) -> Callable[..., int]:
    """Return what moves the bodies of one type over rows.

    Args:
        vehicle: The type.
        number: Its number, counted from the last of the flight's types.
    """
    adopt(vehicle.step)
    step, motion, report = vehicle.step, vehicle.motion, reporting(vehicle)
    _, pack_state, unpack_state = packing(vehicle.at_rest(ORIGIN, 0.0, 0))
    unpack_model = packing(vehicle.coefficients(vehicle.parameters())).unpack

    def move_rows(
        coefficients: Floats,
        states: Floats,
        bodies: Floats,
        speeds: Floats,
        updates: int,
        dt: float,
    ) -> int:
        """Advance the bodies of this type by some updates of a period [s], in place.

        All bodies make an update before any makes the next one: one body's updates wait for each
        other, those of several bodies run in the processor at the same time.

        Args:
            coefficients: Types and parameters, one vehicle a row.
            states: Their states.
            bodies: What their odometry reports, and their commands, which are velocities in map.
            speeds: Gets the speeds after every update [m/s], as far as there is room.
            updates: How many there are.
            dt: The period.
        """
        rows, columns = speeds.shape
        for update in range(updates):
            for i in range(len(bodies)):
                if coefficients[i, TYPE] != number:
                    continue
                model = unpack_model(coefficients[i, FIRST:])
                wanted = Command((bodies[i, CX], bodies[i, CY], bodies[i, CZ]), 0.0, False)
                after = step(model, unpack_state(states[i]), wanted, dt)
                pack_state(after, states[i])
                if update < rows and i < columns:
                    vx, vy, vz = motion(after).velocity
                    speeds[update, i] = math.sqrt(vx * vx + vy * vy + vz * vz)
        for i in range(len(bodies)):
            if coefficients[i, TYPE] != number:
                continue
            report(unpack_state(states[i]), bodies[i])
        return FINE

    return move_rows


@functools.cache
def reporting(vehicle: Vehicle) -> Callable[..., None]:
    """Return what writes the odometry of a body into its row.

    A level body heads east all the time: nobody commands a yaw rate.
    """
    motion, attitude = vehicle.motion, vehicle.attitude

    def report_level(state: State, body: Floats) -> None:
        """Write position and velocity."""
        reported = motion(state)
        body[X], body[Y], body[Z] = reported.position
        body[VX], body[VY], body[VZ] = reported.velocity
        body[FORWARD], body[LEFT], body[UP] = reported.velocity

    if attitude is None:
        return report_level

    def report_tilted(state: State, body: Floats) -> None:
        """Write position, velocity and attitude."""
        reported, tilt = motion(state), attitude(state)
        body[X], body[Y], body[Z] = reported.position
        body[VX], body[VY], body[VZ] = reported.velocity
        for k in range(4):
            body[ATTITUDE + k] = tilt.rotation[k]
        for k in range(3):
            body[FORWARD + k], body[UP + 1 + k] = tilt.linear[k], tilt.angular[k]

    return report_tilted
