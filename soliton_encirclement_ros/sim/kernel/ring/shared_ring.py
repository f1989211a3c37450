"""The ring, equal for all members that received the same messages."""

from velocity_mobility_ros.core.time import step_ns

from soliton_encirclement_ros.core.ring.predict_bearing import predict_bearing
from soliton_encirclement_ros.sim.kernel.ages import age_of, oldest_alive, time_at
from soliton_encirclement_ros.sim.kernel.columns import (
    MADE_NS,
    NUMBER,
    OLDEST,
    RING,
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
from soliton_encirclement_ros.sim.kernel.ring.sorting import sort_by


def update_ring(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Update the ring of all agents whose last states are still valid."""
    ring, tick = flight.ring, flight.counters[TICK]
    first = oldest_alive(rules, tick, now, rules.law.neighbour_timeout) - 1
    count = keep_members(rules, flight, max(first, 1))
    last, latest = tick - 1, age_of(now, step_ns(tick - 1, rules.swarm.period), now)
    target_age = state_age(rules, flight, rules.swarm.agents, now, last, latest)
    for p in range(count):
        j = ring.order[p]
        shared_bearing(
            rules, flight, j, state_age(rules, flight, j, now, last, latest), target_age
        )
    sort_by(ring.theta, ring.order, flight.scratch.spare, count)
    oldest = tick
    for p in range(count):
        j = ring.order[p]
        oldest = min(oldest, int(flight.sent[0, j, NUMBER]))
        ring.place[j] = p
        ring.thetas[p] = ring.theta[j]
        ring.rates[p] = ring.rate[j]
        ring.ids[p], ring.weights[p] = j + 1, flight.weights[0, j]
    flight.counters[RING], flight.counters[OLDEST] = count, oldest


def keep_members(rules: Rules, flight: FlightMemory, first: int) -> int:
    """Remove agents silent since before a tick, add those that sent; return how many there are."""
    ring, sent = flight.ring, flight.sent[0]
    count = 0
    for p in range(flight.counters[RING]):
        j = ring.order[p]
        if sent[j, NUMBER] >= first:
            ring.order[count] = j
            count += 1
        else:
            ring.place[j] = -1
    for j in range(rules.swarm.agents):
        if ring.place[j] < 0 and sent[j, NUMBER] >= first:
            ring.order[count] = j
            ring.place[j] = count
            count += 1
    return count


def state_age(
    rules: Rules, flight: FlightMemory, member: int, now: float, last: int, latest: float
) -> float:
    """Return the age of a member's state [s].

    Most are of the last tick, and have its age if everybody measures without latency.

    Args:
        rules: The flight's constants.
        flight: The flight.
        member: The sender.
        now: Time [s].
        last: The last tick.
        latest: Age of states of the last tick [s].
    """
    sent = flight.sent[0, member]
    if sent[NUMBER] == last and not rules.sensing.on:
        return latest
    return age_of(now, sent[MADE_NS], time_at(rules, int(sent[NUMBER]) + 1))


def shared_bearing(
    rules: Rules, flight: FlightMemory, j: int, age: float, target_age: float
) -> None:
    """Record an agent's position on the ring, as its receivers compute it."""
    ring, sent, law = flight.ring, flight.sent[0], rules.law
    target = rules.swarm.agents
    there = predict_bearing(
        (sent[j, X], sent[j, Y], sent[j, Z]),
        (sent[j, VX], sent[j, VY], sent[j, VZ]),
        age,
        (sent[target, X], sent[target, Y], sent[target, Z]),
        (sent[target, VX], sent[target, VY], sent[target, VZ]),
        target_age,
        law.r_min,
        law.dead_reckoning,
    )
    ring.theta[j], ring.rate[j] = there.theta, there.rate
