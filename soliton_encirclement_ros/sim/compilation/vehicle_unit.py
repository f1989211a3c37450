"""A vehicle as the engine flies it: its step over rows of numbers, compiled by itself."""

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
ROW = np.zeros(1)
ROWS = np.zeros((1, 1))


def vehicle_rules(parameters: MobilityParameters, plain: bool) -> VehicleRules:
    """Return a vehicle as the kernel needs it; ``plain``: with a step that is not compiled."""
    vehicle = VEHICLES[parameters.vehicle]
    move = moving(vehicle)
    if not plain:
        move = pointed(move, ROW, ROWS, ROWS, ROWS, 1, 0.0)
    means = vehicle.means(parameters)
    found = packing(means)
    row = np.zeros(found.size)
    found.pack(means, row)
    return VehicleRules(move, row)


def states_at_rest(parameters: MobilityParameters, starts: Sequence[Vector]) -> Floats:
    """Return the states of bodies that stand at some positions [m], looking east; one a row."""
    vehicle = VEHICLES[parameters.vehicle]
    found = packing(vehicle.at_rest(ORIGIN, 0.0))
    rows = np.zeros((len(starts), found.size))
    for start, row in zip(starts, rows, strict=True):
        found.pack(vehicle.at_rest(start, 0.0), row)
    return rows


@functools.cache
def moving(vehicle: Vehicle) -> Callable[..., int]:
    """Return what moves bodies over rows; the same every time, so that it is found compiled."""
    adopt(vehicle.step)
    step, motion = vehicle.step, vehicle.motion
    _, pack_state, unpack_state = packing(vehicle.at_rest(ORIGIN, 0.0))
    unpack_means = packing(vehicle.means(vehicle.parameters())).unpack

    def move_rows(
        means: Floats, states: Floats, bodies: Floats, speeds: Floats, updates: int, dt: float
    ) -> int:
        """Advance by some updates of a period [s], in place.

        All bodies make an update before any makes the next one: one body's updates wait for each
        other, those of several bodies run in the processor at the same time.

        Args:
            means: What every vehicle can do.
            states: Their states.
            bodies: What their odometry reports, and their commands, which are velocities in map.
            speeds: Gets the speeds after every update [m/s], as far as there is room.
            updates: How many there are.
            dt: The period.
        """
        able, (rows, columns) = unpack_means(means), speeds.shape
        for update in range(updates):
            for i in range(len(bodies)):
                wanted = Command((bodies[i, CX], bodies[i, CY], bodies[i, CZ]), 0.0, False)
                after = step(able, unpack_state(states[i]), wanted, dt)
                pack_state(after, states[i])
                if update < rows and i < columns:
                    vx, vy, vz = motion(after).velocity
                    speeds[update, i] = math.sqrt(vx * vx + vy * vy + vz * vz)
        for i in range(len(bodies)):
            reported = motion(unpack_state(states[i]))
            bodies[i, X], bodies[i, Y], bodies[i, Z] = reported.position
            bodies[i, VX], bodies[i, VY], bodies[i, VZ] = reported.velocity
        return FINE

    return move_rows
