"""What agents hear: in step with all others, or over links of their own."""

import math

from soliton_encirclement_ros.sim.kernel.ages import age_of
from soliton_encirclement_ros.sim.kernel.columns import (
    HEARD,
    HEARS_SINCE,
    LAMBDA_PRED,
    LAMBDA_SELF,
    LAST_HEARD,
    OMEGA_REF,
    PRED,
    SAID,
    SAID_AT,
    SEQ,
    SHARED,
    TICK,
    X,
)
from soliton_encirclement_ros.sim.kernel.links import arrival, hear_agents, layer_of
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.rules import SOLITON, Rules

NOTHING = 0
"""Instead of the tick at which something was said."""


def hear(rules: Rules, flight: Flight, i: int, now: float) -> None:
    """Take in what reaches an agent that is up at this tick."""
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


def accept_target(rules: Rules, flight: Flight, i: int, said: int, now: float) -> None:
    """Keep the target's words unless they are older than those that are fresh."""
    told = flight.told
    layer, target = layer_of(flight, said), rules.swarm.agents
    words = flight.words[layer, target]
    fresh = told[i, SEQ] > 0.0 and target_is_fresh(rules, flight, i, now)
    if fresh and words[SEQ] <= told[i, SEQ]:
        return
    for column in range(X, SEQ + 1):
        told[i, column] = words[column]
    told[i, SAID], told[i, SAID_AT] = said, words[SAID_AT]
    told[i, HEARD] = now
    told[i, OMEGA_REF] = flight.omega[layer]
    if rules.swarm.law != SOLITON:
        refresh_lambdas(flight, i, layer)


def target_is_fresh(rules: Rules, flight: Flight, i: int, now: float) -> bool:
    """Say whether an agent heard the target within the timeout."""
    told = flight.told
    return told[i, SEQ] > 0.0 and now - told[i, HEARD] <= rules.swarm.target_timeout


def target_age(flight: Flight, i: int, now: float) -> float:
    """Return how old what an agent knows of the target is [s]."""
    told = flight.told
    if told[i, SEQ] <= 0.0:
        return math.inf
    return age_of(now, told[i, SAID_AT], told[i, HEARD])


def refresh_lambdas(flight: Flight, i: int, layer: int) -> None:
    """Look the weights of the predecessor's and the own arc up; unknown ones stay."""
    agents, weights = flight.agents, flight.weights[layer]
    pred = int(agents[i, PRED])
    if pred >= 0 and not math.isnan(weights[pred]):
        agents[i, LAMBDA_PRED] = weights[pred]
    if not math.isnan(weights[i]):
        agents[i, LAMBDA_SELF] = weights[i]
