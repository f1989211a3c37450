"""One command through the separation filter: the numbers of ``actors.SeparationGuard``."""

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_fresh
from soliton_encirclement_ros.safety.codes import (
    ADVERSARY,
    AGE,
    GHOST,
    ID,
    KIND,
    MUTUAL,
    TARGET,
)
from soliton_encirclement_ros.sim.kernel.columns import (
    CX,
    CY,
    CZ,
    KNOWN,
    KNOWN_AGE,
    KNOWN_AT,
    RECEIVED_AT,
    SEQ,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.reception import single_age
from soliton_encirclement_ros.sim.kernel.separation.known_bodies import POSE, is_silent


def kept_apart(rules: Rules, flight: FlightMemory, i: int, now: float, wanted: Vector) -> Vector:
    """Return the command [m/s, map] nearest to the wanted one that keeps all distances."""
    safety, guard, body = rules.safety, flight.guard, flight.bodies[i]
    count = note_others(rules, flight, i, now)
    guard.wanted[0], guard.wanted[1], guard.wanted[2] = wanted
    guard.in_effect[0], guard.in_effect[1], guard.in_effect[2] = body[CX], body[CY], body[CZ]
    settings, result = safety.settings[rules.law.kind[i]], guard.results[i]
    safety.filter(
        settings, body, guard.wanted, guard.in_effect, guard.others[:count], safety.fence,
        guard.scratch, result,
    )  # fmt: skip
    return result[0], result[1], result[2]


def note_others(rules: Rules, flight: FlightMemory, i: int, now: float) -> int:
    """Write what an agent knows of the others into the filter's rows; return how many."""
    others, count = flight.guard.others, 0
    for j in range(rules.swarm.agents):
        known = flight.known[i, j]
        if known[KNOWN] == 0.0:
            continue
        silent = is_silent(rules, flight, i, j, now)
        age = age_at(now, known[KNOWN_AT], known[KNOWN_AGE])
        note(others[count], known, age, GHOST if silent else MUTUAL, j + 1)
        count += 1
    if rules.safety.keeps_from_target:
        count = note_single(rules, flight, flight.target_messages[i], now, TARGET, count)
    if rules.safety.keeps_from_adversary:
        count = note_single(rules, flight, flight.guard.adversary[i], now, ADVERSARY, count)
    return count


def note_single(
    rules: Rules, flight: FlightMemory, known: Floats, now: float, kind: int, count: int
) -> int:
    """Write target or adversary unless it is lost; return how many bodies there are then."""
    if known[SEQ] <= 0.0 or not is_fresh(known[RECEIVED_AT], now, rules.swarm.target_timeout):
        return count
    note(flight.guard.others[count], known, single_age(known, now), kind, 0)
    return count + 1


def note(row: Floats, state: Floats, age: float, kind: int, number: int) -> None:
    """Write one other body."""
    for k in range(POSE):
        row[k] = state[k]
    row[AGE], row[KIND], row[ID] = age, kind, number
