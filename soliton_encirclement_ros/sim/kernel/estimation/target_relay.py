"""Reports of the target that agents pass on: the numbers of ``actors.Agent`` and its cache.

With shared reception nobody tells and nobody takes one: whoever is up hears the target itself.
"""

import math

from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_unread
from soliton_encirclement_ros.core.states.target_relay import (
    FIRST_TAKEN,
    NOTHING_TOLD,
    is_taken,
    is_told,
    relayed_age,
)
from soliton_encirclement_ros.sim.kernel.columns import (
    HEARD_AT,
    NUMBER,
    OMEGA_REF,
    POSE_AGE,
    RECEIVED_AGE,
    RECEIVED_AT,
    RELAYED,
    RELAYED_NUMBER,
    RELAYED_UNTIL,
    SEQ,
    SHARED,
    TOLD_AHEAD,
    TOLD_OMEGA,
    TOLD_REPORT_AGE,
    VZ,
    X,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.link_state import layer_of
from soliton_encirclement_ros.sim.kernel.reception import keep_weights, single_age

NOBODY = -1


def tell_of_target(rules: Rules, flight: FlightMemory, i: int, number: int, now: float) -> None:
    """Write the report that an agent passes on into its message, sent under a number."""
    if flight.counters[SHARED]:
        return
    told, known = flight.relay.told[layer_of(flight, number), i], flight.target_messages[i]
    age = single_age(known, now)
    if not is_told(age, rules.law.target_hold):
        told[TOLD_REPORT_AGE] = NOTHING_TOLD
        return
    for k in range(X, VZ + 1):
        told[k] = known[k]
    told[TOLD_OMEGA], told[TOLD_REPORT_AGE] = known[OMEGA_REF], age
    told[TOLD_AHEAD] = flight.bodies[i, POSE_AGE]


def take_relayed(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Store the youngest report that others tell, if the agent has none as young."""
    known = flight.target_messages[i]
    since, known[RELAYED_UNTIL] = known[RELAYED_UNTIL], now
    if flight.counters[SHARED] or is_youngest(rules, known, now):
        return
    own_age, hold, period = single_age(known, now), rules.law.target_hold, rules.swarm.period
    j, age = youngest_teller(rules, flight, i, since, now)
    if j == NOBODY or not is_taken(age, own_age, hold, period):
        return
    hold_weights(flight, i, own_age > hold)
    told = flight.relay.told[layer_of(flight, flight.links.numbers[i, j]), j]
    for k in range(X, VZ + 1):
        known[k] = told[k]
    known[OMEGA_REF], known[RECEIVED_AT], known[RECEIVED_AGE] = told[TOLD_OMEGA], now, age
    known[SEQ] = FIRST_TAKEN - known[RELAYED]
    known[RELAYED] += 1.0


def is_youngest(rules: Rules, known: Floats, now: float) -> bool:
    """Return whether no report can be younger than what an agent holds.

    That is so when the target's broadcast has just come: where all messages are equally long on
    the way, who passes one on has an older one. Clocks do not change that: what they take off the
    age on one part of the way they add on the other.
    """
    return known[HEARD_AT] == now and rules.radio.jitter <= 0.0


def youngest_teller(
    rules: Rules, flight: FlightMemory, i: int, since: float, now: float
) -> tuple[int, float]:
    """Return who has told the youngest report since a time [s], and its age [s]."""
    links, timeout, best, youngest = flight.links, rules.swarm.agent_timeout, NOBODY, math.inf
    for j in range(rules.swarm.agents):
        received = links.received[i, j]
        if j == i or not is_unread(received, since, now, timeout):
            continue
        told = flight.relay.told[layer_of(flight, links.numbers[i, j]), j]
        if told[TOLD_REPORT_AGE] < 0.0:
            continue
        age = relayed_age(
            age_at(now, received, links.ages[i, j]), told[TOLD_AHEAD], told[TOLD_REPORT_AGE]
        )
        if age < youngest:
            best, youngest = j, age
    return best, youngest


def hold_weights(flight: FlightMemory, i: int, is_lost: bool) -> None:
    """Keep the weights of the arcs that an agent heard last, if the target was not lost since.

    A report may be passed on for longer than the target's own messages are kept.
    """
    known, weights = flight.target_messages[i], flight.relay.weights[i]
    if is_lost:
        for k in range(len(weights)):
            weights[k] = math.nan
    elif known[NUMBER] != RELAYED_NUMBER:
        keep_weights(flight, i, int(known[NUMBER]))
    known[NUMBER] = RELAYED_NUMBER
