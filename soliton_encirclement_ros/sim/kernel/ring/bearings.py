"""Angles of other agents round the target, as an agent computes them from what it has received."""

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.laws.agent_rules import SentPose, as_others_see
from soliton_encirclement_ros.core.ring.predict_bearing import (
    RelativeMotion,
    angle_of,
    direction_of,
    relative_motion,
)
from soliton_encirclement_ros.core.states.message_acceptance import age_at
from soliton_encirclement_ros.sim.kernel.columns import (
    HAS_SENT,
    LAST_SENT,
    SENT_VX,
    SENT_VY,
    SENT_VZ,
    SENT_X,
    SENT_Y,
    SENT_Z,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import layer_of


def note_angles(
    rules: Rules, flight: FlightMemory, i: int, now: float, age: float, count: int
) -> None:
    """Record angle and rate of the first agents in an agent's order.

    The angles come after all directions: that is 3 % faster, since the divisions of several agents
    overlap unless the arctangent is called between them.
    """
    ring, space, law, order = flight.ring, flight.scratch, rules.law, flight.links.order[i]
    xs, ys = space.a, space.b
    for p in range(count):
        j = order[p]
        if j == i:
            motion = own_relative_motion(rules, flight, i, now, age)
        else:
            motion = linked_relative_motion(rules, flight, i, j, now, age)
        there = direction_of(motion, law.r_min, law.dead_reckoning)
        xs[p], ys[p], ring.rate[j] = there
    for p in range(count):
        ring.theta[order[p]] = angle_of(xs[p], ys[p])


def linked_relative_motion(
    rules: Rules, flight: FlightMemory, i: int, j: int, now: float, target_age: float
) -> RelativeMotion:
    """Return the motion of another agent relative to the target, as an agent computes it."""
    links = flight.links
    sent = flight.sent[layer_of(flight, links.numbers[i, j]), j]
    age = age_at(now, links.received[i, j], links.ages[i, j])
    return relative_to_target(
        rules, flight, i, (sent[X], sent[Y], sent[Z]), (sent[VX], sent[VY], sent[VZ]), age,
        target_age,
    )  # fmt: skip


def own_bearing(
    rules: Rules, flight: FlightMemory, i: int, now: float, target_age: float
) -> float:
    """Return an agent's angle [rad] as the others compute it from its last state."""
    law, motion = rules.law, own_relative_motion(rules, flight, i, now, target_age)
    there = direction_of(motion, law.r_min, law.dead_reckoning)
    return angle_of(there.x, there.y)


def own_relative_motion(
    rules: Rules, flight: FlightMemory, i: int, now: float, target_age: float
) -> RelativeMotion:
    """Return an agent's motion relative to the target, as the others compute it."""
    row, body = flight.agents[i], flight.bodies[i]
    last = SentPose(
        row[HAS_SENT] != 0.0,
        row[LAST_SENT],
        (row[SENT_X], row[SENT_Y], row[SENT_Z]),
        (row[SENT_VX], row[SENT_VY], row[SENT_VZ]),
    )
    there = as_others_see(last, now, (body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ]))
    return relative_to_target(
        rules, flight, i, there.position, there.velocity, there.age, target_age
    )


def relative_to_target(
    rules: Rules, flight: FlightMemory, i: int, position: Vector, velocity: Vector, age: float,
    target_age: float,
) -> RelativeMotion:  # fmt: skip
    """Return the motion relative to the target of a body whose state is so old [s]."""
    message = flight.target_messages[i]
    return relative_motion(
        position, velocity, age, (message[X], message[Y], message[Z]),
        (message[VX], message[VY], message[VZ]), target_age, rules.law.dead_reckoning,
    )  # fmt: skip
