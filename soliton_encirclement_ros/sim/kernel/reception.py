"""Reception of states by agents: shared by all, or over links of their own."""

import math

from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_fresh, is_news
from soliton_encirclement_ros.sim.kernel.ages import age_when_received
from soliton_encirclement_ros.sim.kernel.columns import (
    HEARD_AT,
    HEARD_SEQ,
    LAST_RECEIVED,
    MADE_NS,
    NUMBER,
    OMEGA_REF,
    RECEIVED_AGE,
    RECEIVED_AT,
    RECEIVES_SINCE,
    RELAYED_NUMBER,
    SEQ,
    SHARED,
    TICK,
    X,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.link_state import arrival, layer_of, receive_agents

NOTHING = 0
"""Replaces the tick at which a state was sent."""


def receive(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive what reaches an agent that is up at this tick."""
    tick, agents = flight.counters[TICK], flight.agents
    if agents[i, LAST_RECEIVED] < tick - 1:
        agents[i, RECEIVES_SINCE] = tick
    agents[i, LAST_RECEIVED] = tick
    target = rules.swarm.agents
    if not flight.counters[SHARED]:
        receive_agents(rules, flight, i, now)
    number = NOTHING if rules.sight.on else arrival(rules, flight, target, i)
    if number != NOTHING:
        accept_target(rules, flight, i, number, now)


def accept_target(rules: Rules, flight: FlightMemory, i: int, number: int, now: float) -> None:
    """Store the target's state unless it is older than a fresh one."""
    known, target = flight.target_messages[i], rules.swarm.agents
    if accept_single(rules, flight, known, target, i, number, now):
        known[OMEGA_REF] = flight.omega[layer_of(flight, number)]


def accept_single(
    rules: Rules,
    flight: FlightMemory,
    known: Floats,
    member: int,
    receiver: int,
    number: int,
    now: float,
) -> bool:
    """Store the state of target or adversary, as ``TargetCache``; return whether it was stored.

    While a relayed report is younger, the weights of the arcs are all that is taken of it.
    """
    sent = flight.sent[layer_of(flight, number), member]
    timeout = rules.swarm.target_timeout
    if not is_news(sent[SEQ], known[HEARD_SEQ], known[HEARD_AT], now, timeout):
        return False
    known[HEARD_SEQ], known[HEARD_AT] = sent[SEQ], now
    age = age_when_received(rules, sent[MADE_NS], number, now, member, receiver)
    if known[NUMBER] == RELAYED_NUMBER and single_age(known, now) < age:
        keep_weights(flight, receiver, number)
        return False
    for column in range(X, SEQ + 1):
        known[column] = sent[column]
    known[NUMBER] = number
    known[RECEIVED_AGE] = age
    known[RECEIVED_AT] = now
    return True


def keep_weights(flight: FlightMemory, i: int, number: int) -> None:
    """Keep the weights of the arcs in a target's state for an agent that holds a relayed one."""
    kept, heard = flight.relay.weights[i], flight.weights[layer_of(flight, number)]
    for k in range(len(kept)):
        kept[k] = heard[k]


def target_is_fresh(rules: Rules, flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent received the target within the timeout."""
    return is_fresh(flight.target_messages[i, RECEIVED_AT], now, rules.swarm.target_timeout)


def target_age(flight: FlightMemory, i: int, now: float) -> float:
    """Return the age of an agent's data of the target [s]."""
    return single_age(flight.target_messages[i], now)


def single_age(known: Floats, now: float) -> float:
    """Return the age of a state of target or adversary [s], infinite before the first."""
    if not is_known(known):
        return math.inf
    return age_at(now, known[RECEIVED_AT], known[RECEIVED_AGE])


def is_known(known: Floats) -> bool:
    """Return whether there is a state of target or adversary; those relayed count down from 0."""
    return known[SEQ] != 0.0
