"""The ring as everybody sees it who heard the same words."""

import math

from soliton_encirclement_ros.core.ring_sight import ring_sight
from soliton_encirclement_ros.sim.kernel.ages import age_of, oldest_alive, time_at
from soliton_encirclement_ros.sim.kernel.columns import (
    OLDEST,
    RING,
    SAID,
    SAID_AT,
    TICK,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.rules import SOLITON, Rules
from soliton_encirclement_ros.sim.kernel.sorting import sort_by


def look_round(rules: Rules, flight: Flight, now: float) -> None:
    """Renew the ring of all agents whose last words still count."""
    ring, tick = flight.ring, flight.counters[TICK]
    first = oldest_alive(rules, tick, now, rules.swarm.agent_timeout) - 1
    count = keep_members(rules, flight, max(first, 1))
    for p in range(count):
        sight(rules, flight, ring.order[p], now)
    sort_by(ring.theta, ring.order, flight.room.spare, count)
    oldest = tick
    for p in range(count):
        j = ring.order[p]
        oldest = min(oldest, int(flight.words[0, j, SAID]))
        ring.place[j] = p
        ring.thetas[p] = ring.theta[j]
        ring.rates[p] = ring.rate[j]
        weight = flight.weights[0, j]
        ring.weights[p] = 1.0 if math.isnan(weight) else weight
    flight.counters[RING], flight.counters[OLDEST] = count, oldest


def keep_members(rules: Rules, flight: Flight, first: int) -> int:
    """Leave out who has been silent since before a tick, add who spoke; return how many."""
    ring, words = flight.ring, flight.words[0]
    count = 0
    for p in range(flight.counters[RING]):
        j = ring.order[p]
        if words[j, SAID] >= first:
            ring.order[count] = j
            count += 1
        else:
            ring.place[j] = -1
    for j in range(rules.swarm.agents):
        if ring.place[j] < 0 and words[j, SAID] >= first:
            ring.order[count] = j
            ring.place[j] = count
            count += 1
    return count


def sight(rules: Rules, flight: Flight, j: int, now: float) -> None:
    """Note where on the ring an agent is, as its law's listeners see it."""
    ring, words = flight.ring, flight.words[0]
    target = rules.swarm.agents
    if rules.swarm.law != SOLITON:
        dx = words[j, X] - words[target, X]
        dy = words[j, Y] - words[target, Y]
        ring.theta[j] = math.atan2(dy, dx)
        return
    said, heard = words[j, SAID_AT], words[target, SAID_AT]
    there = ring_sight(
        (words[j, X], words[j, Y], words[j, Z]),
        (words[j, VX], words[j, VY], words[j, VZ]),
        age_of(now, said, next_tick(rules, words[j, SAID])),
        (words[target, X], words[target, Y], words[target, Z]),
        (words[target, VX], words[target, VY], words[target, VZ]),
        age_of(now, heard, next_tick(rules, words[target, SAID])),
        rules.laws.r_min,
    )
    ring.theta[j] = there.theta
    ring.rate[j] = there.rate


def next_tick(rules: Rules, said: float) -> float:
    """Return the time [s] of the tick after that at which something was said."""
    return time_at(rules, int(said) + 1)
