"""What agents know alike of each other with shared reception: one table instead of one each.

A state that is sent then reaches all agents that are up. So those that were up when an agent last
sent know the same of it. One that was not has kept what it knew when it went down, and hears of
the rest from others: that is in its own rows, ``known``.
"""

from soliton_encirclement_ros.core.states.message_acceptance import NOT_YET, age_at, is_fresh
from soliton_encirclement_ros.safety.codes import AGE, EMPTY, GHOST, ID, KIND, MUTUAL, SPAN
from soliton_encirclement_ros.safety.nearest_bodies import span_of
from soliton_encirclement_ros.sim.kernel.ages import on_the_way
from soliton_encirclement_ros.sim.kernel.columns import (
    COMMON_SINCE,
    KNOWN,
    KNOWN_AGE,
    KNOWN_AT,
    KNOWN_COLUMNS,
    KNOWN_SEQ,
    LAST_RECEIVED,
    MADE_NS,
    NUMBER,
    POSE_AGE,
    RECEIVES_SINCE,
    SEQ,
    SHARED,
    SILENT,
    TICK,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.outage_state import is_down

POSE = 6

NOBODY_YET = 2**62
"""Replaces the tick of reception before the first: all agents know nothing."""

NOT_COMMON = -1
"""Replaces the tick of reception where agents may know different states."""


def is_complete(flight: FlightMemory, i: int) -> bool:
    """Return whether an agent knows of all others what is common."""
    counters = flight.counters
    return counters[SHARED] != 0 and counters[COMMON_SINCE] >= flight.agents[i, RECEIVES_SINCE]


def is_at_hand(flight: FlightMemory, i: int) -> bool:
    """Return whether the common rows are what an agent knows at the time of its pose."""
    same_time = flight.bodies[i, POSE_AGE] == flight.bodies[0, POSE_AGE]
    return same_time and is_complete(flight, i)


def is_common(flight: FlightMemory, i: int, j: int) -> bool:
    """Return whether an agent that is up knows of another one what is common; else ``known``."""
    return flight.common.came[j] >= flight.agents[i, RECEIVES_SINCE]


def update_common(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Take over the states sent at the last tick, for all that are up at this one."""
    tick = flight.counters[TICK]
    for i in range(rules.swarm.agents):
        if flight.agents[i, LAST_RECEIVED] == tick - 1 and is_down(flight, i, now):
            keep_common(rules, flight, i)
    since, silent = NOBODY_YET, 0
    common, late = flight.common, flight.bodies[0, POSE_AGE]
    then = now - late
    for j in range(rules.swarm.agents):
        sent, known = flight.sent[0, j], common.states[j]
        if sent[NUMBER] > 0.0 and sent[NUMBER] == tick - 1:
            store(known, sent, on_the_way(sent[MADE_NS], now), now)
            common.came[j] = tick
        write_body(rules, common.rows[j], known, then, late, j + 1)
        silent += known[KNOWN] != 0.0 and is_silent(rules, known, now)
        since = min(since, common.came[j])
    flight.counters[COMMON_SINCE], flight.counters[SILENT] = since, silent


def keep_common(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Let an agent keep what it has received: from now on it misses states."""
    for j in range(rules.swarm.agents):
        if is_common(flight, i, j):
            for k in range(KNOWN_COLUMNS):
                flight.known[i, j, k] = flight.common.states[j, k]


def store(known: Floats, sent: Floats, age: float, now: float) -> None:
    """Store a state of an age [s] that is received now [s]."""
    for k in range(POSE):
        known[k] = sent[k]
    known[KNOWN], known[KNOWN_SEQ], known[KNOWN_AT] = 1.0, sent[SEQ], now
    known[KNOWN_AGE] = age


def is_silent(rules: Rules, known: Floats, now: float) -> bool:
    """Return whether nothing was heard of an agent within the timeout."""
    if known[KNOWN_SEQ] == NOT_YET:
        return True
    return not is_fresh(known[KNOWN_AT], now, rules.swarm.agent_timeout)


def write_body(
    rules: Rules, row: Floats, known: Floats, now: float, late: float, number: int
) -> None:
    """Write what is known of an agent as the filter takes it, whose pose is so old [s]."""
    if known[KNOWN] == 0.0:
        row[KIND] = EMPTY
        return
    kind = GHOST if is_silent(rules, known, now) else MUTUAL
    age = age_at(now, known[KNOWN_AT], known[KNOWN_AGE])
    write_row(rules, row, known, age, late, kind, number)


def write_row(
    rules: Rules, row: Floats, state: Floats, age: float, late: float, kind: int, number: int
) -> None:
    """Write one other body, whose state is so old [s] at the time of the own pose."""
    for k in range(POSE):
        row[k] = state[k]
    row[AGE], row[KIND], row[ID] = age, kind, number
    row[SPAN] = span_of(rules.safety.spans, row, late)
