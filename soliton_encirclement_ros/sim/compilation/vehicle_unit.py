"""Vehicles as the engine moves them: their steps over rows of numbers, compiled by themselves."""

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np
from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles import VEHICLES, Command, Vehicle

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.compilation.call_graph import adopt
from soliton_encirclement_ros.sim.compilation.compiled import pointed
from soliton_encirclement_ros.sim.kernel.columns import CX, CY, CZ, VX, VY, VZ, X, Y, Z
from soliton_encirclement_ros.sim.kernel.constants import VehicleRules
from soliton_encirclement_ros.sim.kernel.flags import FINE
from soliton_encirclement_ros.sim.kernel.flight_memory import Floats

ORIGIN: Vector = (0.0, 0.0, 0.0)
ROWS = np.zeros((1, 1))

TYPE = 0
"""Column of the means: number of the vehicle's type, counted from the last of the flight's types;
the means of that type begin after it."""

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
    means = [VEHICLES[vehicle.vehicle].means(vehicle) for vehicle in vehicles]
    packings = [packing(one) for one in means]
    rows = np.zeros((len(means), FIRST + max(found.size for found in packings)))
    for vehicle, one, found, row in zip(vehicles, means, packings, rows, strict=True):
        row[TYPE] = len(names) - 1 - names.index(vehicle.vehicle)
        found.pack(one, row[FIRST:])
    return VehicleRules(move, rows)


def vehicle_types(vehicles: Sequence[MobilityParameters]) -> tuple[str, ...]:
    """Return the names of the types of some vehicles, each once."""
    used = {vehicle.vehicle for vehicle in vehicles}
    return tuple(name for name in VEHICLES if name in used)


def states_at_rest(
    vehicles: Sequence[MobilityParameters], starts: Sequence[Vector], seeds: Sequence[int]
) -> Floats:
    """Return the states of vehicles that stand at some positions [m], looking east; one a row."""
    states = [
        VEHICLES[vehicle.vehicle].at_rest(start, 0.0, seed)
        for vehicle, start, seed in zip(vehicles, starts, seeds, strict=True)
    ]
    packings = [packing(state) for state in states]
    rows = np.zeros((len(states), max(found.size for found in packings)))
    for state, found, row in zip(states, packings, rows, strict=True):
        found.pack(state, row)
    return rows


@functools.cache
def moving(types: tuple[Vehicle, ...]) -> Callable[..., int]:
    """Return what moves bodies over rows; the same every time, so that it is found compiled."""
    first, others = moving_one(types[0], len(types) - 1), types[1:]
    if not others:
        return first
    rest = moving(others)

    def move_rows(
        means: Floats, states: Floats, bodies: Floats, speeds: Floats, updates: int, dt: float
    ) -> int:
        """Advance the vehicles of one type, then those of the others."""
        first(means, states, bodies, speeds, updates, dt)
        return rest(means, states, bodies, speeds, updates, dt)

    return move_rows


@functools.cache
def moving_one(vehicle: Vehicle, number: int) -> Callable[..., int]:
    """Return what moves the bodies of one type over rows.

    Args:
        vehicle: The type.
        number: Its number, counted from the last of the flight's types.
    """
    adopt(vehicle.step)
    step, motion = vehicle.step, vehicle.motion
    _, pack_state, unpack_state = packing(vehicle.at_rest(ORIGIN, 0.0, 0))
    unpack_means = packing(vehicle.means(vehicle.parameters())).unpack

    def move_rows(
        means: Floats, states: Floats, bodies: Floats, speeds: Floats, updates: int, dt: float
    ) -> int:
        """Advance the bodies of this type by some updates of a period [s], in place.

        All bodies make an update before any makes the next one: one body's updates wait for each
        other, those of several bodies run in the processor at the same time.

        Args:
            means: Types and parameters, one vehicle a row.
            states: Their states.
            bodies: What their odometry reports, and their commands, which are velocities in map.
            speeds: Gets the speeds after every update [m/s], as far as there is room.
            updates: How many there are.
            dt: The period.
        """
        rows, columns = speeds.shape
        for update in range(updates):
            for i in range(len(bodies)):
                if means[i, TYPE] != number:
                    continue
                able = unpack_means(means[i, FIRST:])
                wanted = Command((bodies[i, CX], bodies[i, CY], bodies[i, CZ]), 0.0, False)
                after = step(able, unpack_state(states[i]), wanted, dt)
                pack_state(after, states[i])
                if update < rows and i < columns:
                    vx, vy, vz = motion(after).velocity
                    speeds[update, i] = math.sqrt(vx * vx + vy * vy + vz * vz)
        for i in range(len(bodies)):
            if means[i, TYPE] != number:
                continue
            reported = motion(unpack_state(states[i]))
            bodies[i, X], bodies[i, Y], bodies[i, Z] = reported.position
            bodies[i, VX], bodies[i, VY], bodies[i, VZ] = reported.velocity
        return FINE

    return move_rows
