"""Members that are flown elsewhere: they are where they say, or down if silent."""

import math

import numpy as np

from soliton_encirclement_ros.sim.kernel.agent_tick import act
from soliton_encirclement_ros.sim.kernel.columns import (
    BROKEN,
    HEARD_OMEGA,
    HEARD_TIME,
    IS_EXTERNAL,
    NEW_OMEGA,
    SENDS,
    VX,
    X,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flags import flag
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.target_tick import act_target

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


def act_here_or_elsewhere(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Let an agent act, or be where it is."""
    if is_external(flight, i):
        act_external(rules, flight, i, now)
    else:
        act(rules, flight, i, now)


def act_target_here_or_elsewhere(
    rules: Rules, flight: FlightMemory, now: float, stream: np.random.Generator
) -> None:
    """Let the target act, or be where it is; while it is silent nobody hears it."""
    me, timeout = rules.swarm.agents, rules.swarm.target_timeout
    if not is_external(flight, me):
        act_target(rules, flight, now, stream)
        return
    place_external(flight, me, now, timeout)
    omega = flight.external[me, HEARD_OMEGA]
    flight.target[NEW_OMEGA] = math.nan if is_silent(flight, me, now, timeout) else omega
