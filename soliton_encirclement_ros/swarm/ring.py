"""The ring of an agent: its members, their order and their angles round the target.

All present agents are sorted by angle and number, the agent itself by where the others see it: all
that have received the same messages sort the same numbers. With shared reception it is done once.
"""

from typing import NamedTuple

from soliton_encirclement_ros.core.laws.law import RingView, SentPose, as_others_see
from soliton_encirclement_ros.core.ring.ring_geometry import (
    RelativeMotion, angle_of, direction_of, predict_bearing, relative_motion
)
from soliton_encirclement_ros.core.states.received_states import age_at
from soliton_encirclement_ros.swarm.memory import (
    MADE_NS, NUMBER, RELAYED_NUMBER, VX, VY, VZ, Counts, FlightMemory, Floats, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.reception import NOT_TRACKED, on_the_way
from soliton_encirclement_ros.swarm.rules import Rules, time_at
from velocity_mobility_ros.core.step_time import step_ns
from velocity_mobility_ros.core.velocity_model import Vector

NO_ROW = -1
"""Instead of a row: the own state is not among those of the ring."""

WAITING = -1
"""Instead of an index: the agent is not in its ring yet."""

PATIENCE = 32
"""Moves per entry after which an order is sorted from scratch."""


class Gathered(NamedTuple):
    """How many agents an own ring has, and the index of its agent."""

    count: int
    place: int


def ring_of(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> RingView:
    """Return an agent's ring: the shared one if it has received the same messages as all."""
    status = flight.status
    if not status.shared:
        return own_ring(flight, gather_linked(rules, flight, i, now, age))
    ring, agent = flight.ring, flight.agents[i]
    place, last = ring.place[i], status.tick - 1
    complete = status.oldest + 1 >= agent.receives_since
    if place < 0 or flight.sent[0][i][NUMBER] != last or not complete:
        return own_ring(flight, gather_shared(rules, flight, i, now, age))
    # an agent that has not sent yet sees itself where it is
    if not agent.has_sent and own_bearing(rules, flight, i, now, age) != ring.thetas[place]:
        return own_ring(flight, gather_shared(rules, flight, i, now, age))
    return RingView(
        status.ring_size, place, ring.ids, ring.thetas, ring.rates, ring.weights, ring.order,
        flight.rows,
    )  # fmt: skip


def own_ring(flight: FlightMemory, gathered: Gathered) -> RingView:
    """Return an agent's own ring, collected for it."""
    ring = flight.ring
    return RingView(
        gathered.count, gathered.place, ring.own_ids, ring.own_thetas, ring.own_rates,
        ring.own_weights, ring.own_rows, flight.rows,
    )  # fmt: skip


def gather_linked(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> Gathered:
    """List the present agents and their angles, in order of the ring."""
    ring, links, place = flight.ring, flight.links, WAITING
    members, number = len(flight.bodies), flight.reports[i].number
    is_relayed = number == RELAYED_NUMBER
    weights = flight.relay.weights[i] if is_relayed else flight.weights[layer_of(flight, number)]
    order, count = links.order[i], hold_present(rules, flight, i)
    note_angles(rules, flight, i, now, age, count)
    sort_by(ring.theta, order, ring.own_ids, count)
    for p in range(count):
        j = order[p]
        row = layer_of(flight, links.rows[i][j].number) * members + j
        if j == i:
            place, row = p, NO_ROW
        put(flight, p, j, row, ring.theta[j], ring.rate[j], weights[j])
    return Gathered(count, place)


def put(
    flight: FlightMemory, p: int, j: int, row: int, theta: float, rate: float, weight: float
) -> None:
    """Put an agent at an index of an own ring."""
    ring = flight.ring
    ring.own_ids[p], ring.own_rows[p] = flight.agents[j].number, row
    ring.own_thetas[p], ring.own_rates[p], ring.own_weights[p] = theta, rate, weight


def hold_present(rules: Rules, flight: FlightMemory, i: int) -> int:
    """Update an agent's order of the ring with the present agents; return how many."""
    links, count = flight.links, 0
    if flight.agents[i].hears_all and links.sizes[i] == rules.swarm.agents:
        return rules.swarm.agents
    order, rows = links.order[i], links.rows[i]
    for p in range(links.sizes[i]):
        if order[p] == i or rows[order[p]].tracked != NOT_TRACKED:
            order[count] = order[p]
            count += 1
    links.sizes[i] = count
    return count if count == rules.swarm.agents else add_new(rules, flight, i)


def add_new(rules: Rules, flight: FlightMemory, i: int) -> int:
    """Add present agents that are missing in an agent's order; return how many."""
    links, held = flight.links, flight.ring.place
    order, rows, count = links.order[i], links.rows[i], links.sizes[i]
    for j in range(rules.swarm.agents):
        held[j] = 0
    for p in range(count):
        held[order[p]] = 1
    for j in range(rules.swarm.agents):
        if not held[j] and (j == i or rows[j].tracked != NOT_TRACKED):
            order[count] = j
            count += 1
    links.sizes[i] = count
    return count


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
    link = flight.links.rows[i][j]
    sent = flight.sent[layer_of(flight, link.number)][j]
    age = age_at(now, link.received, link.age)
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
        row.has_sent,
        row.last_sent,
        (row.sent_x, row.sent_y, row.sent_z),
        (row.sent_vx, row.sent_vy, row.sent_vz),
    )
    there = as_others_see(last, now, (body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ]))
    return relative_to_target(
        rules, flight, i, there.position, there.velocity, there.age, target_age
    )


def relative_to_target(
    rules: Rules, flight: FlightMemory, i: int, position: Vector, velocity: Vector, age: float,
    target_age: float,
) -> RelativeMotion:  # fmt: skip
    """Return the motion relative to the target of a body whose state has an age [s]."""
    report = flight.reports[i]
    return relative_motion(
        position, velocity, age, (report.x, report.y, report.z), (report.vx, report.vy, report.vz),
        target_age, rules.law.dead_reckoning,
    )  # fmt: skip


def gather_shared(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> Gathered:
    """Copy the shared ring without agents unknown to an agent, and with itself."""
    ring, count, place = flight.ring, 0, WAITING
    own = own_bearing(rules, flight, i, now, age)
    for p in range(flight.status.ring_size):
        j = ring.order[p]
        if j == i or not has_received(flight, i, j):
            continue
        before = own < ring.thetas[p] or (own == ring.thetas[p] and i < j)
        if place == WAITING and before:
            put(flight, count, i, NO_ROW, own, 0.0, flight.weights[0][i])
            place, count = count, count + 1
        put(flight, count, j, j, ring.thetas[p], ring.rates[p], ring.weights[p])
        count += 1
    if place == WAITING:
        put(flight, count, i, NO_ROW, own, 0.0, flight.weights[0][i])
        place, count = count, count + 1
    return Gathered(count, place)


def has_received(flight: FlightMemory, i: int, j: int) -> bool:
    """Return whether an agent was up when another one last sent."""
    return flight.sent[0][j][NUMBER] + 1.0 >= flight.agents[i].receives_since


def update_shared_ring(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Update the ring of all agents whose last states are still valid."""
    ring, status = flight.ring, flight.status
    first = oldest_alive(rules, status.tick, now, rules.law.neighbour_timeout) - 1
    count = keep_members(rules, flight, max(first, 1))
    last = status.tick - 1
    made_ns = step_ns(last, rules.swarm.period)
    latest = age_at(now, now, on_the_way(made_ns, now))
    target_age = state_age(rules, flight, rules.swarm.agents, now, last, latest)
    for p in range(count):
        j = ring.order[p]
        age = state_age(rules, flight, j, now, last, latest)
        ring.theta[j], ring.rate[j] = shared_bearing(rules, flight, j, age, target_age)
    sort_by(ring.theta, ring.order, flight.scratch.spare, count)
    oldest = status.tick
    for p in range(count):
        j = ring.order[p]
        oldest = min(oldest, int(flight.sent[0][j][NUMBER]))
        ring.place[j] = p
        ring.thetas[p], ring.rates[p] = ring.theta[j], ring.rate[j]
        ring.ids[p], ring.weights[p] = flight.agents[j].number, flight.weights[0][j]
    status.ring_size, status.oldest = count, oldest


def oldest_alive(rules: Rules, tick: int, now: float, timeout: float) -> int:
    """Return the first tick whose states are within a timeout [s] at a later tick."""
    first = max(0, tick - int(timeout / rules.swarm.period) - 2)
    while now - time_at(rules, first) > timeout:
        first += 1
    return first


def keep_members(rules: Rules, flight: FlightMemory, first: int) -> int:
    """Remove agents silent since before a tick, add those that sent; return how many there are."""
    ring, sent, count = flight.ring, flight.sent[0], 0
    for p in range(flight.status.ring_size):
        j = ring.order[p]
        if sent[j][NUMBER] >= first:
            ring.order[count] = j
            count += 1
        else:
            ring.place[j] = -1
    for j in range(rules.swarm.agents):
        if ring.place[j] < 0 and sent[j][NUMBER] >= first:
            ring.order[count] = j
            ring.place[j] = count
            count += 1
    return count


def state_age(
    rules: Rules, flight: FlightMemory, member: int, now: float, last: int, latest: float
) -> float:
    """Return the age of a member's state [s] with shared reception.

    Most are of the last tick, and have its age if everybody measures without latency.

    Args:
        rules: The flight's constants.
        flight: The flight.
        member: The sender.
        now: Time [s].
        last: The last tick.
        latest: Age of states of the last tick [s].
    """
    sent = flight.sent[0][member]
    if sent[NUMBER] == last and not rules.sensing.on:
        return latest
    received = time_at(rules, int(sent[NUMBER]) + 1)
    return age_at(now, received, on_the_way(sent[MADE_NS], received))


def shared_bearing(
    rules: Rules, flight: FlightMemory, j: int, age: float, target_age: float
) -> tuple[float, float]:
    """Return an agent's angle [rad] and rate [rad/s], as its receivers compute them."""
    sent, target, law = flight.sent[0][j], flight.sent[0][rules.swarm.agents], rules.law
    there = predict_bearing(
        (sent[X], sent[Y], sent[Z]), (sent[VX], sent[VY], sent[VZ]), age,
        (target[X], target[Y], target[Z]), (target[VX], target[VY], target[VZ]), target_age,
        law.r_min, law.dead_reckoning,
    )  # fmt: skip
    return there.theta, there.rate


def comes_before(key: Floats, a: int, b: int) -> bool:
    """Return whether one comes before another: by key, then by number."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


def sort_by(key: Floats, order: Counts, spare: Counts, count: int) -> None:
    """Sort the first ``count`` numbers of an order in place, by their key and then by number.

    An order is kept from tick to tick: agents rarely overtake each other.

    Args:
        key: By number.
        order: The numbers, best nearly sorted.
        spare: Space for as many.
        count: How many there are.
    """
    moves = 0
    for p in range(1, count):
        moving = order[p]
        q = p
        while q > 0 and comes_before(key, moving, order[q - 1]):
            order[q] = order[q - 1]
            q -= 1
        order[q] = moving
        moves += p - q
        if moves > PATIENCE * count:
            merge_sort(key, order, spare, count)
            return


def merge_sort(key: Floats, order: Counts, spare: Counts, count: int) -> None:
    """Sort from scratch, by merging runs of doubling length."""
    width = 1
    while width < count:
        for low in range(0, count, 2 * width):
            merge(key, order, spare, low, min(low + width, count), min(low + 2 * width, count))
        for p in range(count):
            order[p] = spare[p]
        width *= 2


def merge(key: Floats, order: Counts, spare: Counts, low: int, middle: int, high: int) -> None:
    """Merge two sorted runs of an order into the spare one."""
    a, b = low, middle
    for p in range(low, high):
        if b >= high or (a < middle and comes_before(key, order[a], order[b])):
            spare[p] = order[a]
            a += 1
        else:
            spare[p] = order[b]
            b += 1
