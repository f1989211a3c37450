"""What agents know of others for ever: the numbers of ``core.states.KnownBodies``."""

from soliton_encirclement_ros.core.states.known_bodies import MOST_TOLD, YOUNGER
from soliton_encirclement_ros.core.states.message_acceptance import NOT_YET, age_at, is_news
from soliton_encirclement_ros.sim.kernel.columns import (
    KNOWN,
    KNOWN_AGE,
    KNOWN_AT,
    KNOWN_SEQ,
    SEQ,
    SHARED,
    SILENT,
    TICK,
    TOLD_AGE,
    TOLD_ID,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import age_on_arrival, arrival, layer_of
from soliton_encirclement_ros.sim.kernel.reception import accept_single
from soliton_encirclement_ros.sim.kernel.separation.common_bodies import (
    POSE,
    is_common,
    is_complete,
    is_silent,
    store,
)

NOBODY = -1.0
NONE_ACCEPTED = 0


def receive_bodies(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Store the states that reach an agent at this tick, then what they tell of silent ones.

    Who has received all that is common hears of nobody a younger state.
    """
    if not is_complete(flight, i):
        for j in range(rules.swarm.agents):
            flight.scratch.order[j] = accepted(rules, flight, i, j, now)
        for j in range(rules.swarm.agents):
            if flight.scratch.order[j] != NONE_ACCEPTED:
                hear_of_silent(rules, flight, i, j, flight.scratch.order[j], now)
    if rules.safety.keeps_from_adversary and rules.swarm.adversary:
        receive_adversary(rules, flight, i, now)


def receive_adversary(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Store the adversary's state if it reaches an agent at this tick."""
    adversary = rules.swarm.agents + 1
    number = arrival(rules, flight, adversary, i)
    if number > 0:
        accept_single(rules, flight, flight.guard.adversary[i], adversary, i, number, now)


def accepted(rules: Rules, flight: FlightMemory, i: int, j: int, now: float) -> int:
    """Store the state that reaches an agent at this tick; return when it was sent, 0 for none."""
    if j == i:
        return NONE_ACCEPTED
    if flight.counters[SHARED]:  # stored as what is common
        tick = flight.counters[TICK]
        return tick - 1 if flight.common.came[j] == tick else NONE_ACCEPTED
    number = flight.links.arriving[j]
    if number > 0 and accept_body(rules, flight, i, j, number, now):
        return number
    return NONE_ACCEPTED


def accept_body(
    rules: Rules, flight: FlightMemory, i: int, j: int, number: int, now: float
) -> bool:
    """Store a state unless it is older than a fresh one; return whether it was stored."""
    sent, known = flight.sent[layer_of(flight, number), j], flight.known[i, j]
    timeout = rules.swarm.agent_timeout
    if known[KNOWN] != 0.0 and not is_news(
        sent[SEQ], known[KNOWN_SEQ], known[KNOWN_AT], now, timeout
    ):
        return False
    links = flight.links
    if links.numbers[i, j] == number and links.received[i, j] == now:  # the law accepted it, too
        age = links.ages[i, j]
    else:
        age = age_on_arrival(rules, flight, j, i, number, now)
    store(known, sent, age, now)
    return True


def hear_of_silent(
    rules: Rules, flight: FlightMemory, i: int, sender: int, number: int, now: float
) -> None:
    """Store the states of silent agents that a message tells of, if they are younger."""
    layer = layer_of(flight, number)
    told = flight.told[layer, sender]
    if told[0, TOLD_ID] == NOBODY:
        return
    travelled = age_on_arrival(rules, flight, sender, i, number, now)
    for p in range(MOST_TOLD):
        if told[p, TOLD_ID] == NOBODY:
            return
        j = int(told[p, TOLD_ID])
        if j == i or is_common(flight, i, j):
            continue
        age, known = told[p, TOLD_AGE] + travelled, flight.known[i, j]
        if known[KNOWN] != 0.0 and not (
            is_silent(rules, known, now)
            and age < age_at(now, known[KNOWN_AT], known[KNOWN_AGE]) - YOUNGER
        ):
            continue
        for k in range(POSE):
            known[k] = told[p, k]
        known[KNOWN], known[KNOWN_SEQ], known[KNOWN_AT] = 1.0, NOT_YET, now
        known[KNOWN_AGE] = age


def tell_of_silent(rules: Rules, flight: FlightMemory, i: int, number: int, now: float) -> None:
    """Write the silent agents that an agent knows into its message."""
    told, count = flight.told[layer_of(flight, number), i], 0
    nobody = is_complete(flight, i) and flight.counters[SILENT] == 0
    for j in range(0 if nobody else rules.swarm.agents):
        known = flight.common.states[j] if is_common(flight, i, j) else flight.known[i, j]
        if j == i or known[KNOWN] == 0.0 or count == MOST_TOLD or not is_silent(rules, known, now):
            continue
        for k in range(POSE):
            told[count, k] = known[k]
        told[count, TOLD_ID] = j
        told[count, TOLD_AGE] = age_at(now, known[KNOWN_AT], known[KNOWN_AGE])
        count += 1
    if count < MOST_TOLD:
        told[count, TOLD_ID] = NOBODY
