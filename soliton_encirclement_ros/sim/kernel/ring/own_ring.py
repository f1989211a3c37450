"""The ring of one agent: the shared one, or one of its own from what it has received."""

from typing import NamedTuple

from soliton_encirclement_ros.core.laws.law import RingView
from soliton_encirclement_ros.sim.kernel.columns import (
    HAS_SENT,
    HEARS_ALL,
    NUMBER,
    OLDEST,
    RECEIVES_SINCE,
    RELAYED_NUMBER,
    RING,
    SHARED,
    TICK,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import layer_of
from soliton_encirclement_ros.sim.kernel.ring.bearings import note_angles, own_bearing
from soliton_encirclement_ros.sim.kernel.ring.sorting import sort_by
from soliton_encirclement_ros.sim.kernel.tracks import NOT_TRACKED

NO_ROW = -1
"""Instead of a row: the own state is not among those of the ring."""

WAITING = -1
"""Instead of an index: the agent is not in its ring yet."""


class Gathered(NamedTuple):
    """How many agents an own ring has, and the index of its agent."""

    count: int
    place: int


def ring_of(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> RingView:
    """Return an agent's ring: the shared one if it has received the same messages as all."""
    if not flight.counters[SHARED]:
        return own_ring(flight, gather_linked(rules, flight, i, now, age))
    ring, counters = flight.ring, flight.counters
    place, last = ring.place[i], counters[TICK] - 1
    complete = counters[OLDEST] + 1 >= flight.agents[i, RECEIVES_SINCE]
    if place < 0 or flight.sent[0, i, NUMBER] != last or not complete:
        return own_ring(flight, gather_shared(rules, flight, i, now, age))
    decided = flight.agents[i, HAS_SENT] != 0.0  # else it sees itself where it is
    if not decided and own_bearing(rules, flight, i, now, age) != ring.thetas[place]:
        return own_ring(flight, gather_shared(rules, flight, i, now, age))
    return RingView(
        counters[RING], place, ring.ids, ring.thetas, ring.rates, ring.weights, ring.order,
        flight.rows,
    )  # fmt: skip


def own_ring(flight: FlightMemory, found: Gathered) -> RingView:
    """Return an agent's own ring, collected for it."""
    ring = flight.ring
    return RingView(
        found.count, found.place, ring.own_ids, ring.own_thetas, ring.own_rates, ring.own_weights,
        ring.own_rows, flight.rows,
    )  # fmt: skip


def gather_shared(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> Gathered:
    """Copy the ring without agents unknown to an agent, and with itself."""
    ring, count, place = flight.ring, 0, WAITING
    own = own_bearing(rules, flight, i, now, age)
    for p in range(flight.counters[RING]):
        j = ring.order[p]
        if j == i or not has_received(flight, i, j):
            continue
        before = own < ring.thetas[p] or (own == ring.thetas[p] and i < j)
        if place == WAITING and before:
            put(flight, count, i, NO_ROW, own, 0.0, flight.weights[0, i])
            place, count = count, count + 1
        put(flight, count, j, j, ring.thetas[p], ring.rates[p], ring.weights[p])
        count += 1
    if place == WAITING:
        put(flight, count, i, NO_ROW, own, 0.0, flight.weights[0, i])
        place, count = count, count + 1
    return Gathered(count, place)


def has_received(flight: FlightMemory, i: int, j: int) -> bool:
    """Return whether an agent was up when another one last sent."""
    return flight.sent[0, j, NUMBER] + 1.0 >= flight.agents[i, RECEIVES_SINCE]


def gather_linked(rules: Rules, flight: FlightMemory, i: int, now: float, age: float) -> Gathered:
    """List the present agents and their angles, in order of the ring."""
    ring, links, place = flight.ring, flight.links, WAITING
    members, number = flight.bodies.shape[0], target_number(flight, i)
    is_relayed = number == RELAYED_NUMBER
    weights = flight.relay.weights[i] if is_relayed else flight.weights[layer_of(flight, number)]
    order, count = links.order[i], hold_present(rules, flight, i)
    note_angles(rules, flight, i, now, age, count)
    sort_by(ring.theta, order, ring.own_ids, count)
    for p in range(count):
        j = order[p]
        row = layer_of(flight, links.numbers[i, j]) * members + j
        if j == i:
            place, row = p, NO_ROW
        put(flight, p, j, row, ring.theta[j], ring.rate[j], weights[j])
    return Gathered(count, place)


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
    if flight.agents[i, HEARS_ALL] != 0.0 and links.sizes[i] == rules.swarm.agents:
        return rules.swarm.agents
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
