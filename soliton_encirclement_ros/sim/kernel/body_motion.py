"""The bodies between two ticks."""

import math

from velocity_mobility_ros.core.model import Vector, step

from soliton_encirclement_ros.sim.kernel.columns import (
    CX,
    CY,
    CZ,
    TICK,
    UPDATES,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory


def move(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one control period."""
    row, count = flight.counters[TICK] - 1, rules.swarm.substeps
    for i in range(flight.bodies.shape[0]):
        move_body(rules, flight, i, row, 0, count)


def update_bodies(rules: Rules, flight: FlightMemory) -> None:
    """Move every body by one update."""
    late = flight.counters[UPDATES] - rules.swarm.substeps
    row, s = late // rules.swarm.substeps, late % rules.swarm.substeps
    flight.counters[UPDATES] += 1
    for i in range(flight.bodies.shape[0]):
        move_body(rules, flight, i, row, s, 1)


def move_body(
    rules: Rules, flight: FlightMemory, i: int, row: int, first: int, count: int
) -> None:
    """Move one body by some updates; record an agent's speed after each of them for the study.

    ``row`` is that of the tick in the study, from 0 (-1: before the first tick, not recorded),
    ``first`` the number of the update within the tick.
    """
    bodies, dt = flight.bodies, rules.swarm.update_period
    noted = rules.record.study and i < rules.swarm.agents and row >= 0
    p = (bodies[i, X], bodies[i, Y], bodies[i, Z])
    v = (bodies[i, VX], bodies[i, VY], bodies[i, VZ])
    c = (bodies[i, CX], bodies[i, CY], bodies[i, CZ])
    for s in range(first, first + count):
        p, v = step(p, v, c, dt, rules.limits)
        if noted:
            flight.record.speeds[row, s, i] = speed(v)
    bodies[i, X], bodies[i, Y], bodies[i, Z] = p
    bodies[i, VX], bodies[i, VY], bodies[i, VZ] = v


def speed(v: Vector) -> float:
    """Return the norm of a velocity."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
