"""An agent's place on the ring as our law sees it: the numbers of ``Soliton._look_round``."""

import math

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.time import to_ns, to_seconds

from soliton_encirclement_ros.core.encirclement import Polar
from soliton_encirclement_ros.core.ring_sight import ring_sight
from soliton_encirclement_ros.core.ring_window import (
    IN_PLACE,
    Shift,
    gap_ahead,
    gap_behind,
    window_shift,
)
from soliton_encirclement_ros.sim.kernel.ages import age_of
from soliton_encirclement_ros.sim.kernel.columns import (
    GAP_PRED,
    GAP_SUCC,
    HAS_SAID,
    HEARS_SINCE,
    LAMBDA_PRED,
    LAMBDA_SELF,
    OLDEST,
    PRED,
    RING,
    SAID,
    SAID_AT,
    SAID_LAST,
    SAID_VX,
    SAID_VY,
    SAID_VZ,
    SAID_X,
    SAID_Y,
    SAID_Z,
    SHIFT,
    SHIFT_RATE,
    SUCC,
    TICK,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.links import layer_of
from soliton_encirclement_ros.sim.kernel.records import Counts, Flight, Floats
from soliton_encirclement_ros.sim.kernel.ring_place import knows
from soliton_encirclement_ros.sim.kernel.rules import Rules
from soliton_encirclement_ros.sim.kernel.sorting import sort_by
from soliton_encirclement_ros.sim.kernel.tracks import NOT_TRACKED


def look_shared(rules: Rules, flight: Flight, i: int, at: Polar, now: float, age: float) -> Shift:
    """Find neighbours and shift on the ring that all see alike."""
    ring, counters = flight.ring, flight.counters
    theta, place = math.atan2(at.ey, at.ex), ring.place[i]
    last = counters[TICK] - 1
    complete = counters[OLDEST] + 1 >= flight.agents[i, HEARS_SINCE]
    if place < 0 or flight.words[0, i, SAID] != last or not complete:
        count = gather_shared(rules, flight, i, theta, now, age)
        return look_at_own(rules, flight, i, at, theta, count)
    others_rate = ring.rates[place]
    ring.rates[place] = at.rate
    shift = take_place(
        rules, flight, i, theta, place, ring.order, ring.thetas, ring.rates, ring.weights,
        counters[RING],
    )  # fmt: skip
    ring.rates[place] = others_rate
    return shift


def gather_shared(
    rules: Rules, flight: Flight, i: int, theta: float, now: float, age: float
) -> int:
    """Copy the ring without whom an agent does not know, and with itself; return how many."""
    ring, count = flight.ring, 0
    own = own_angle(rules, flight, i, theta, now, age)
    waiting = True
    for p in range(flight.counters[RING]):
        j = ring.order[p]
        if j == i or not knows(flight, i, j):
            continue
        if waiting and (own < ring.thetas[p] or (own == ring.thetas[p] and i < j)):
            put_own(flight, i, own, 0, count)
            waiting, count = False, count + 1
        ring.own_ids[count], ring.own_thetas[count] = j, ring.thetas[p]
        ring.own_rates[count], ring.own_weights[count] = ring.rates[p], ring.weights[p]
        count += 1
    if waiting:
        put_own(flight, i, own, 0, count)
        count += 1
    return count


def look_linked(rules: Rules, flight: Flight, i: int, at: Polar, now: float, age: float) -> Shift:
    """Find neighbours and shift on the ring of those whom an agent hears itself."""
    theta = math.atan2(at.ey, at.ex)
    count = gather_linked(rules, flight, i, theta, now, age)
    return look_at_own(rules, flight, i, at, theta, count)


def gather_linked(
    rules: Rules, flight: Flight, i: int, theta: float, now: float, age: float
) -> int:
    """List who is present and where, in order of the ring; return how many."""
    ring, links = flight.ring, flight.links
    told_layer = layer_of(flight, int(flight.told[i, SAID]))
    ring.theta[i] = own_angle(rules, flight, i, theta, now, age)
    order, count = links.order[i], 0
    for p in range(links.sizes[i]):
        if order[p] == i or links.tracked[i, order[p]] != NOT_TRACKED:
            order[count] = order[p]
            count += 1
    links.sizes[i] = count
    add_new(rules, flight, i)
    count = links.sizes[i]
    for p in range(count):
        if order[p] != i:
            sight_linked(rules, flight, i, order[p], now, age)
    sort_by(ring.theta, order, ring.own_ids, count)
    for p in range(count):
        j = order[p]
        ring.own_ids[p], ring.own_thetas[p], ring.own_rates[p] = j, ring.theta[j], ring.rate[j]
        ring.own_weights[p] = weight_of(flight, i, told_layer, j)
    return count


def add_new(rules: Rules, flight: Flight, i: int) -> None:
    """Add to an agent's order of the ring whom it counts as present but does not hold."""
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


def sight_linked(
    rules: Rules, flight: Flight, i: int, j: int, now: float, target_age: float
) -> None:
    """Note where on the ring an agent sees another one."""
    links, ring, told = flight.links, flight.ring, flight.told[i]
    said = links.said[i, j]
    words = flight.words[layer_of(flight, said), j]
    there = ring_sight(
        (words[X], words[Y], words[Z]),
        (words[VX], words[VY], words[VZ]),
        age_of(now, words[SAID_AT], links.received[i, j]),
        (told[X], told[Y], told[Z]),
        (told[VX], told[VY], told[VZ]),
        target_age,
        rules.laws.r_min,
    )
    ring.theta[j], ring.rate[j] = there.theta, there.rate


def weight_of(flight: Flight, i: int, layer: int, j: int) -> float:
    """Return the weight of an agent's arc as another one was told."""
    weight = flight.weights[layer, j]
    return 1.0 if math.isnan(weight) else weight


def own_angle(
    rules: Rules, flight: Flight, i: int, theta: float, now: float, age: float
) -> float:
    """Return an agent's angle [rad] as the others see it from its last words."""
    state, told = flight.laws[i], flight.told[i]
    if state[HAS_SAID] == 0.0:
        return theta
    there = ring_sight(
        (state[SAID_X], state[SAID_Y], state[SAID_Z]),
        (state[SAID_VX], state[SAID_VY], state[SAID_VZ]),
        to_seconds(to_ns(now - state[SAID_LAST])),
        (told[X], told[Y], told[Z]),
        (told[VX], told[VY], told[VZ]),
        age,
        rules.laws.r_min,
    )
    return there.theta


def put_own(flight: Flight, i: int, theta: float, layer: int, p: int) -> None:
    """Put an agent itself into its own ring."""
    ring = flight.ring
    ring.own_ids[p], ring.own_thetas[p], ring.own_rates[p] = i, theta, 0.0
    ring.own_weights[p] = weight_of(flight, i, layer, i)


def look_at_own(
    rules: Rules, flight: Flight, i: int, at: Polar, theta: float, count: int
) -> Shift:
    """Find neighbours and shift on an agent's own ring."""
    ring = flight.ring
    place = 0
    while ring.own_ids[place] != i:
        place += 1
    ring.own_rates[place] = at.rate
    return take_place(
        rules, flight, i, theta, place, ring.own_ids, ring.own_thetas, ring.own_rates,
        ring.own_weights, count,
    )  # fmt: skip


def take_place(
    rules: Rules, flight: Flight, i: int, theta: float, place: int, ids: Counts, thetas: Floats,
    rates: Floats, weights: Floats, count: int,
) -> Shift:  # fmt: skip
    """Note neighbours and shift of the agent that stands at a place of a ring."""
    row = flight.agents[i]
    if count < 2:
        row[PRED] = row[SUCC] = -1.0
        row[GAP_PRED] = row[GAP_SUCC] = 0.0
        return note_shift(flight, i, IN_PLACE)
    angles = thetas[:count]
    before, after = place - 1 if place > 0 else count - 1, (place + 1) % count
    row[PRED], row[SUCC] = ids[before], ids[after]
    row[GAP_PRED], row[GAP_SUCC] = gap_behind(angles, place, 1), gap_ahead(angles, place, 1)
    row[LAMBDA_PRED], row[LAMBDA_SELF] = weights[before], weights[place]
    there = window_shift(angles, rates, weights, place, rules.laws.hops)
    return note_shift(
        flight, i, Shift(there.angle - wrap_pi(theta - thetas[place]), there.rate)
    )


def note_shift(flight: Flight, i: int, shift: Shift) -> Shift:
    """Keep the shift for the record."""
    flight.laws[i, SHIFT], flight.laws[i, SHIFT_RATE] = shift.angle, shift.rate
    return shift
