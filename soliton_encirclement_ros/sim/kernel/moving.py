"""The bodies between two ticks."""

import math

from velocity_mobility_ros.core.model import step

from soliton_encirclement_ros.sim.kernel.columns import CX, CY, CZ, TICK, VX, VY, VZ, X, Y, Z
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.rules import Rules


def move(rules: Rules, flight: Flight) -> None:
    """Move every body by one control period."""
    bodies, dt = flight.bodies, rules.swarm.update_period
    for i in range(bodies.shape[0]):
        p = (bodies[i, X], bodies[i, Y], bodies[i, Z])
        v = (bodies[i, VX], bodies[i, VY], bodies[i, VZ])
        c = (bodies[i, CX], bodies[i, CY], bodies[i, CZ])
        for s in range(rules.swarm.substeps):
            p, v = step(p, v, c, dt, rules.limits)
            if rules.record.study and i < rules.swarm.agents:
                note_speed(flight, i, s, v[0], v[1], v[2])
        bodies[i, X], bodies[i, Y], bodies[i, Z] = p
        bodies[i, VX], bodies[i, VY], bodies[i, VZ] = v


def note_speed(flight: Flight, i: int, s: int, vx: float, vy: float, vz: float) -> None:
    """Note an agent's speed [m/s] after an update for the study; nothing before the first tick."""
    tick = flight.counters[TICK]
    if tick > 0:
        flight.record.speeds[tick - 1, s, i] = math.sqrt(vx * vx + vy * vy + vz * vz)
