"""Reception of states by agents: shared by all, or over links of their own."""

import math

from soliton_encirclement_ros.core.states.message_acceptance import is_fresh, is_news
from soliton_encirclement_ros.sim.kernel.ages import age_of
from soliton_encirclement_ros.sim.kernel.columns import (
    HEARD,
    HEARS_SINCE,
    LAST_HEARD,
    OMEGA_REF,
    SAID,
    SAID_AT,
    SEQ,
    SHARED,
    TICK,
    X,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import arrival, hear_agents, layer_of

NOTHING = 0
"""Replaces the tick at which a state was sent."""


def hear(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive what reaches an agent that is up at this tick."""
    tick, agents = flight.counters[TICK], flight.agents
    if agents[i, LAST_HEARD] < tick - 1:
        agents[i, HEARS_SINCE] = tick
    agents[i, LAST_HEARD] = tick
    target = rules.swarm.agents
    if not flight.counters[SHARED]:
        hear_agents(rules, flight, i, now)
    said = arrival(rules, flight, target, i)
    if said != NOTHING:
        accept_target(rules, flight, i, said, now)


def accept_target(rules: Rules, flight: FlightMemory, i: int, said: int, now: float) -> None:
    """Store the target's state unless it is older than a fresh one."""
    told = flight.told
    layer, target = layer_of(flight, said), rules.swarm.agents
    words = flight.words[layer, target]
    timeout = rules.swarm.target_timeout
    if not is_news(words[SEQ], told[i, SEQ], told[i, HEARD], now, timeout):
        return
    for column in range(X, SEQ + 1):
        told[i, column] = words[column]
    told[i, SAID], told[i, SAID_AT] = said, words[SAID_AT]
    told[i, HEARD] = now
    told[i, OMEGA_REF] = flight.omega[layer]


def target_is_fresh(rules: Rules, flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent received the target within the timeout."""
    return is_fresh(flight.told[i, HEARD], now, rules.swarm.target_timeout)


def target_age(flight: FlightMemory, i: int, now: float) -> float:
    """Return the age of an agent's data of the target [s]."""
    told = flight.told
    if told[i, SEQ] <= 0.0:
        return math.inf
    return age_of(now, told[i, SAID_AT], told[i, HEARD])
