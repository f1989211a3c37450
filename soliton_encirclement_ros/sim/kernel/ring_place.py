"""An agent's place on the ring as the original laws keep it: the numbers of ``RingPlace``."""

import math

from soliton_encirclement_ros.core.plane import direction
from soliton_encirclement_ros.core.ring import (
    ALONE,
    NOBODY,
    Neighbours,
    between,
    keep_old,
    select_neighbours,
)
from soliton_encirclement_ros.core.spacing import (
    angular_rate,
    command_rate,
    damped_error,
    spacing_error,
)
from soliton_encirclement_ros.sim.kernel.columns import (
    E_EFF,
    E_TAU,
    GAP_PRED,
    GAP_SUCC,
    HEARS_SINCE,
    LAMBDA_PRED,
    LAMBDA_SELF,
    LAST_CX,
    LAST_CY,
    PRED,
    RING,
    SAID,
    SHARED,
    SUCC,
    VX,
    VY,
    X,
    Y,
)
from soliton_encirclement_ros.sim.kernel.hearing import refresh_lambdas, target_is_fresh
from soliton_encirclement_ros.sim.kernel.links import layer_of
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.rules import Rules
from soliton_encirclement_ros.sim.kernel.sorting import first_not_before


def take_place(rules: Rules, flight: Flight, i: int, now: float) -> bool:
    """Choose neighbours and look up their weights; return whether one is another now."""
    agents = flight.agents
    old = neighbours(flight, i)
    new = select(rules, flight, i, now, old)
    agents[i, PRED], agents[i, SUCC] = new.pred, new.succ
    agents[i, GAP_PRED], agents[i, GAP_SUCC] = new.gap_pred, new.gap_succ
    if flight.told[i, SAID] > 0.0 and target_is_fresh(rules, flight, i, now):
        refresh_lambdas(flight, i, layer_of(flight, int(flight.told[i, SAID])))
    return new.pred != old.pred or new.succ != old.succ


def neighbours(flight: Flight, i: int) -> Neighbours:
    """Return whom an agent has chosen."""
    row = flight.agents[i]
    return Neighbours(int(row[PRED]), int(row[SUCC]), row[GAP_PRED], row[GAP_SUCC])


def select(rules: Rules, flight: Flight, i: int, now: float, old: Neighbours) -> Neighbours:
    """Return predecessor and successor with the arcs to them."""
    if not target_is_fresh(rules, flight, i, now):
        return ALONE
    dx = flight.bodies[i, X] - flight.told[i, X]
    dy = flight.bodies[i, Y] - flight.told[i, Y]
    theta = math.atan2(dy, dx)
    if flight.counters[SHARED]:
        return select_shared(rules, flight, i, theta, old)
    count = gather(rules, flight, i, now)
    ring = flight.ring
    return select_neighbours(
        i, theta, ring.own_ids[:count], ring.own_thetas[:count], old, rules.laws.hysteresis
    )


def gather(rules: Rules, flight: Flight, i: int, now: float) -> int:
    """List whom an agent hears and where it sees them; return how many."""
    ring, links, told = flight.ring, flight.links, flight.told[i]
    count = 0
    for j in range(rules.swarm.agents):
        if links.said[i, j] == 0:
            continue
        if now - links.received[i, j] > rules.swarm.agent_timeout:
            continue
        words = flight.words[layer_of(flight, links.said[i, j]), j]
        ring.own_ids[count] = j
        ring.own_thetas[count] = math.atan2(words[Y] - told[Y], words[X] - told[X])
        count += 1
    return count


def select_shared(
    rules: Rules, flight: Flight, i: int, theta: float, old: Neighbours
) -> Neighbours:
    """Return the neighbours on the ring that all see alike."""
    ring, count = flight.ring, flight.counters[RING]
    after = first_not_before(theta, i, ring.thetas, ring.order, count)
    succ = next_present(flight, i, after, 1)
    if succ == NOBODY:
        return ALONE
    pred = next_present(flight, i, after - 1, -1)
    nearest = between(theta, pred, ring.theta[pred], succ, ring.theta[succ])
    theta_pred, theta_succ = theta_of(flight, i, old.pred), theta_of(flight, i, old.succ)
    return keep_old(theta, nearest, old, theta_pred, theta_succ, rules.laws.hysteresis)


def next_present(flight: Flight, i: int, place: int, step: int) -> int:
    """Return the first other agent that one knows of, from a place of the order on."""
    ring, count = flight.ring, flight.counters[RING]
    for _ in range(count):
        if place < 0:
            place += count
        elif place >= count:
            place -= count
        j = ring.order[place]
        if j != i and knows(flight, i, j):
            return j
        place += step
    return NOBODY


def knows(flight: Flight, i: int, j: int) -> bool:
    """Say whether an agent was listening when another one last spoke."""
    return flight.words[0, j, SAID] + 1.0 >= flight.agents[i, HEARS_SINCE]


def theta_of(flight: Flight, i: int, j: int) -> float:
    """Return the angle [rad] of an agent on the ring, NaN if one does not know of it."""
    if j == NOBODY or flight.ring.place[j] < 0 or not knows(flight, i, j):
        return math.nan
    return flight.ring.theta[j]


def words_layer(flight: Flight, i: int, j: int) -> int:
    """Return the layer of an agent's words as another one last heard them."""
    if flight.counters[SHARED]:
        return 0
    return layer_of(flight, flight.links.said[i, j])


def spacing_errors(rules: Rules, flight: Flight, i: int) -> float:
    """Note the spacing errors of an agent; return the one in use."""
    agents = flight.agents
    near = neighbours(flight, i)
    e_tau = 0.0
    if near.pred != NOBODY and near.succ != NOBODY:
        e_tau = spacing_error(
            near.gap_pred, near.gap_succ, agents[i, LAMBDA_PRED], agents[i, LAMBDA_SELF]
        )
    damped = damped_error(
        e_tau,
        rules.laws.k_omega_damp,
        own_rate(rules, flight, i),
        rate_of(flight, i, near.pred),
        rate_of(flight, i, near.succ),
    )
    agents[i, E_TAU], agents[i, E_EFF] = e_tau, damped
    return damped


def own_rate(rules: Rules, flight: Flight, i: int) -> float:
    """Return the angular rate [rad/s] of the last command."""
    body, told, row = flight.bodies[i], flight.told[i], flight.agents[i]
    ex, ey, r = direction(body[X] - told[X], body[Y] - told[Y])
    return command_rate(row[LAST_CX], row[LAST_CY], ex, ey, r, rules.laws.r_min)


def rate_of(flight: Flight, i: int, j: int) -> float:
    """Return the angular rate [rad/s] of a neighbour, NaN for nobody."""
    if j == NOBODY:
        return math.nan
    words, told = flight.words[words_layer(flight, i, j), j], flight.told[i]
    return angular_rate(
        words[X] - told[X], words[Y] - told[Y], words[VX] - told[VX], words[VY] - told[VY]
    )
