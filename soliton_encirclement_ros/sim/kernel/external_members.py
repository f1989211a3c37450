"""Members that are flown elsewhere: they are where they say, and down while they are silent."""

import math

from soliton_encirclement_ros.sim.kernel.columns import (
    BROKEN,
    HEARD_TIME,
    IS_EXTERNAL,
    SENDS,
    VX,
    X,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flags import flag
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory

AXES = 3


def is_external(flight: FlightMemory, member: int) -> bool:
    """Return whether a member is flown elsewhere."""
    return flight.external[member, IS_EXTERNAL] != 0.0


def is_silent(flight: FlightMemory, member: int, now: float, timeout: float) -> bool:
    """Return whether nothing has been heard of an external member for a timeout [s]."""
    return not now - flight.external[member, HEARD_TIME] <= timeout


def act_external(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Let an external agent be where it is, and send its state if it has been heard."""
    timeout = rules.swarm.agent_timeout
    silent = is_silent(flight, i, now, timeout)
    flight.health[i, BROKEN] = flag(silent)
    flight.agents[i, SENDS] = flag(not silent)
    place_external(flight, i, now, timeout)


def place_external(flight: FlightMemory, member: int, now: float, timeout: float) -> None:
    """Put a body where its member is by now, by the velocity that it last reported.

    After a timeout [s] without a word it stays where it was expected last.
    """
    heard, bodies, truth = flight.external[member], flight.bodies, flight.truth
    age = now - heard[HEARD_TIME]
    if math.isnan(age):
        return
    known, moves = min(age, timeout), flag(age <= timeout)
    for axis in range(AXES):
        speed = heard[VX + axis]
        place = heard[X + axis] + known * speed
        bodies[member, X + axis], bodies[member, VX + axis] = place, moves * speed
        truth[member, X + axis], truth[member, VX + axis] = place, moves * speed
