"""Inputs of an agent at a tick: the numbers of ``Controller._view``."""

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.laws.agent_rules import SentPose, as_others_see
from soliton_encirclement_ros.core.laws.law import RingView, TargetView, View
from soliton_encirclement_ros.core.ring.predict_bearing import (
    PredictedBearing,
    predict_bearings,
)
from soliton_encirclement_ros.core.states.message_acceptance import age_at
from soliton_encirclement_ros.core.states.neighbour_timeout import share_lost
from soliton_encirclement_ros.sim.kernel.columns import (
    GOT,
    HAS_SENT,
    LAST_CX,
    LAST_CY,
    LAST_CZ,
    LAST_SENT,
    LOST,
    NUMBER,
    OLDEST,
    OMEGA_REF,
    POSE_AGE,
    RECEIVES_SINCE,
    RELAYED_NUMBER,
    RING,
    SENT_VX,
    SENT_VY,
    SENT_VZ,
    SENT_X,
    SENT_Y,
    SENT_Z,
    SEQ,
    SHARED,
    TICK,
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
from soliton_encirclement_ros.sim.kernel.reception import target_is_fresh
from soliton_encirclement_ros.sim.kernel.sorting import sort_by
from soliton_encirclement_ros.sim.kernel.tracks import NOT_TRACKED

NO_ROW = -1
"""Instead of a row: the own state is not among those of the ring."""


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


def ring_of(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> RingView:
    """Return an agent's ring: the shared one if it has received the same messages as all."""
    if not flight.counters[SHARED]:
        return own_ring(flight, i, gather_linked(rules, flight, i, now, age))
    ring, counters = flight.ring, flight.counters
    place, last = ring.place[i], counters[TICK] - 1
    complete = counters[OLDEST] + 1 >= flight.agents[i, RECEIVES_SINCE]
    if place < 0 or flight.sent[0, i, NUMBER] != last or not complete:
        return own_ring(flight, i, gather_shared(rules, flight, i, now, age))
    decided = flight.agents[i, HAS_SENT] != 0.0  # else it sees itself where it is
    if not decided and own_sight(rules, flight, i, now, age).theta != ring.thetas[place]:
        return own_ring(flight, i, gather_shared(rules, flight, i, now, age))
    return RingView(
        counters[RING], place, ring.ids, ring.thetas, ring.rates, ring.weights, ring.order,
        flight.rows,
    )  # fmt: skip


def own_ring(flight: FlightMemory, i: int, count: int) -> RingView:
    """Return an agent's own ring, collected for it."""
    ring, place = flight.ring, 0
    while ring.own_ids[place] != i + 1:
        place += 1
    return RingView(
        count, place, ring.own_ids, ring.own_thetas, ring.own_rates, ring.own_weights,
        ring.own_rows, flight.rows,
    )  # fmt: skip


def gather_shared(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> int:
    """Copy the ring without agents unknown to an agent, and with itself; return how many."""
    ring, count = flight.ring, 0
    own = own_sight(rules, flight, i, now, age).theta
    waiting = True
    for p in range(flight.counters[RING]):
        j = ring.order[p]
        if j == i or not has_received(flight, i, j):
            continue
        if waiting and (own < ring.thetas[p] or (own == ring.thetas[p] and i < j)):
            put(flight, count, i, NO_ROW, own, 0.0, flight.weights[0, i])
            waiting, count = False, count + 1
        put(flight, count, j, j, ring.thetas[p], ring.rates[p], ring.weights[p])
        count += 1
    if waiting:
        put(flight, count, i, NO_ROW, own, 0.0, flight.weights[0, i])
        count += 1
    return count


def has_received(flight: FlightMemory, i: int, j: int) -> bool:
    """Return whether an agent was up when another one last sent."""
    return flight.sent[0, j, NUMBER] + 1.0 >= flight.agents[i, RECEIVES_SINCE]


def gather_linked(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> int:
    """List the present agents and their angles, in order of the ring; return how many."""
    ring, links = flight.ring, flight.links
    members, number = flight.bodies.shape[0], target_number(flight, i)
    is_relayed = number == RELAYED_NUMBER
    weights = flight.relay.weights[i] if is_relayed else flight.weights[layer_of(flight, number)]
    order, count = links.order[i], hold_present(rules, flight, i)
    for p in range(count):
        j = order[p]
        if j == i:
            there = own_sight(rules, flight, i, now, age)
        else:
            there = linked_sight(rules, flight, i, j, now, age)
        ring.theta[j], ring.rate[j] = there.theta, there.rate
    sort_by(ring.theta, order, ring.own_ids, count)
    for p in range(count):
        j = order[p]
        row = NO_ROW if j == i else layer_of(flight, links.numbers[i, j]) * members + j
        put(flight, p, j, row, ring.theta[j], ring.rate[j], weights[j])
    return count


def target_number(flight: FlightMemory, i: int) -> int:
    """Return under which number the target's state was sent that an agent holds."""
    return int(flight.target_messages[i, NUMBER])


def put(
    flight: FlightMemory, p: int, j: int, row: int, theta: float, rate: float, weight: float
) -> None:
    """Put an agent at an index of an own ring."""
    ring = flight.ring
    ring.own_ids[p], ring.own_rows[p] = j + 1, row
    ring.own_thetas[p], ring.own_rates[p], ring.own_weights[p] = theta, rate, weight


def hold_present(rules: Rules, flight: FlightMemory, i: int) -> int:
    """Update an agent's order of the ring with the present agents; return how many."""
    links = flight.links
    order, count = links.order[i], 0
    for p in range(links.sizes[i]):
        if order[p] == i or links.tracked[i, order[p]] != NOT_TRACKED:
            order[count] = order[p]
            count += 1
    links.sizes[i] = count
    return count if count == rules.swarm.agents else add_new(rules, flight, i)


def add_new(rules: Rules, flight: FlightMemory, i: int) -> int:
    """Add present agents that are missing in an agent's order; return how many."""
    links = flight.links
    order, count = links.order[i], links.sizes[i]
    held = flight.ring.place
    for j in range(rules.swarm.agents):
        held[j] = 0
    for p in range(count):
        held[order[p]] = 1
    for j in range(rules.swarm.agents):
        if not held[j] and (j == i or links.tracked[i, j] != NOT_TRACKED):
            order[count] = j
            count += 1
    links.sizes[i] = count
    return count


def linked_sight(
    rules: Rules, flight: FlightMemory, i: int, j: int, now: float, target_age: float
) -> PredictedBearing:
    """Return the position on the ring of another agent, as an agent computes it."""
    links = flight.links
    sent = flight.sent[layer_of(flight, links.numbers[i, j]), j]
    age = age_at(now, links.received[i, j], links.ages[i, j])
    return sight(
        rules, flight, i, (sent[X], sent[Y], sent[Z]), (sent[VX], sent[VY], sent[VZ]), age,
        target_age,
    )  # fmt: skip


def own_sight(
    rules: Rules, flight: FlightMemory, i: int, now: float, target_age: float
) -> PredictedBearing:
    """Return an agent's place on the ring as the others compute it from its last state."""
    row, body = flight.agents[i], flight.bodies[i]
    last = SentPose(
        row[HAS_SENT] != 0.0,
        row[LAST_SENT],
        (row[SENT_X], row[SENT_Y], row[SENT_Z]),
        (row[SENT_VX], row[SENT_VY], row[SENT_VZ]),
    )
    there = as_others_see(last, now, (body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ]))
    return sight(rules, flight, i, there.position, there.velocity, there.age, target_age)


def sight(
    rules: Rules, flight: FlightMemory, i: int, position: Vector, velocity: Vector, age: float,
    target_age: float,
) -> PredictedBearing:  # fmt: skip
    """Return the position on the ring of a body whose state [m, m/s] is so old [s]."""
    message, law = flight.target_messages[i], rules.law
    return predict_bearings(
        position, velocity, age, (message[X], message[Y], message[Z]),
        (message[VX], message[VY], message[VZ]), target_age, law.r_min, law.dead_reckoning,
    )  # fmt: skip


def record_sent(flight: FlightMemory, i: int, now: float) -> None:
    """Store time and pose of the states that are sent now."""
    row, body = flight.agents[i], flight.bodies[i]
    row[SENT_X], row[SENT_Y], row[SENT_Z] = body[X], body[Y], body[Z]
    row[SENT_VX], row[SENT_VY], row[SENT_VZ] = body[VX], body[VY], body[VZ]
    row[HAS_SENT], row[LAST_SENT] = 1.0, now - body[POSE_AGE]
