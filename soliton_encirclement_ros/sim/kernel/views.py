"""Inputs of an agent at a tick: the numbers of ``Controller._view``."""

from soliton_encirclement_ros.core.laws.law import TargetView, View
from soliton_encirclement_ros.core.states.neighbour_timeout import share_lost
from soliton_encirclement_ros.sim.kernel.columns import (
    GOT,
    HAS_SENT,
    LAST_CX,
    LAST_CY,
    LAST_CZ,
    LAST_SENT,
    LOST,
    OMEGA_REF,
    POSE_AGE,
    SENT_VX,
    SENT_VY,
    SENT_VZ,
    SENT_X,
    SENT_Y,
    SENT_Z,
    SEQ,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.reception import target_is_fresh
from soliton_encirclement_ros.sim.kernel.ring.own_ring import ring_of


def view_of(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> View:
    """Return the inputs of an agent; its target state is ``age`` [s] old."""
    body, message, row = flight.bodies[i], flight.target_messages[i], flight.agents[i]
    target = TargetView(
        int(message[SEQ]),
        (message[X], message[Y], message[Z]),
        (message[VX], message[VY], message[VZ]),
        message[OMEGA_REF],
        age,
        target_is_fresh(rules, flight, i, now),
    )
    return View(
        now,
        i + 1,
        (body[X], body[Y], body[Z]),
        (body[VX], body[VY], body[VZ]),
        (row[LAST_CX], row[LAST_CY], row[LAST_CZ]),
        share_lost(row[LOST], row[GOT]),
        target,
        ring_of(rules, flight, i, now, age),
        body[POSE_AGE],
    )


def record_sent(flight: FlightMemory, i: int, now: float) -> None:
    """Store time and pose of the states that are sent now."""
    row, body = flight.agents[i], flight.bodies[i]
    row[SENT_X], row[SENT_Y], row[SENT_Z] = body[X], body[Y], body[Z]
    row[SENT_VX], row[SENT_VY], row[SENT_VZ] = body[VX], body[VY], body[VZ]
    row[HAS_SENT], row[LAST_SENT] = 1.0, now - body[POSE_AGE]
