"""A receiver's cache of agents in the order of first reception: the numbers of ``AgentCache``."""

from soliton_encirclement_ros.core.states.message_acceptance import is_fresh, is_news
from soliton_encirclement_ros.sim.kernel.columns import (
    KEPT,
    KEPT_AT,
    KEPT_SEQ,
    KEPT_VX,
    KEPT_VY,
    KEPT_X,
    KEPT_Y,
    SEQ,
    VX,
    VY,
    X,
    Y,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import CachedStates, FlightMemory


def keep(
    rules: Rules,
    flight: FlightMemory,
    keeps: CachedStates,
    counter: int,
    j: int,
    layer: int,
    now: float,
) -> None:
    """Store an agent's state unless it is older than a fresh one."""
    sent, row = flight.sent[layer, j], keeps.rows[j]
    if not is_news(sent[SEQ], row[KEPT_SEQ], row[KEPT_AT], now, rules.swarm.agent_timeout):
        return
    keep_numbers(flight, keeps, counter, j, sent[X], sent[Y], sent[VX], sent[VY], sent[SEQ], now)


def keep_numbers(
    flight: FlightMemory, keeps: CachedStates, counter: int, j: int,
    x: float, y: float, vx: float, vy: float,
    seq: float, now: float,
) -> None:  # fmt: skip
    """Store an agent's position [m], velocity [m/s] and number of the state."""
    row = keeps.rows[j]
    if row[KEPT] == 0.0:
        keeps.order[flight.counters[counter]] = j
        flight.counters[counter] += 1
        row[KEPT] = 1.0
    row[KEPT_X], row[KEPT_Y], row[KEPT_VX], row[KEPT_VY] = x, y, vx, vy
    row[KEPT_SEQ], row[KEPT_AT] = seq, now


def drop_old(
    rules: Rules, flight: FlightMemory, keeps: CachedStates, counter: int, now: float
) -> None:
    """Remove agents not received within the timeout; the others keep their order."""
    count = 0
    for p in range(flight.counters[counter]):
        j = keeps.order[p]
        if is_fresh(keeps.rows[j, KEPT_AT], now, rules.swarm.agent_timeout):
            keeps.order[count] = j
            count += 1
        else:
            keeps.rows[j, KEPT] = 0.0
    flight.counters[counter] = count
