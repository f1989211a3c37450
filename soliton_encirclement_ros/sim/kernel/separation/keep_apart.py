"""One command through the separation filter: the numbers of ``actors.SeparationGuard``."""

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_fresh
from soliton_encirclement_ros.safety.calling import command_change
from soliton_encirclement_ros.safety.codes import (
    ADVERSARY,
    ADVERSARY_ID,
    AGE,
    GHOST,
    ID,
    KIND,
    MUTUAL,
    NOBODY,
    NONE,
    TARGET,
    TARGET_ID,
)
from soliton_encirclement_ros.sim.kernel.columns import (
    CHANGE,
    CX,
    CY,
    CZ,
    KNOWN,
    KNOWN_AGE,
    KNOWN_AT,
    PUSHER,
    RECEIVED_AT,
    SEQ,
    WHY,
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
    reason = safety.filter(
        settings, body, guard.wanted, guard.in_effect, guard.others[:count], safety.fence,
        guard.scratch, result,
    )  # fmt: skip
    command = result[0], result[1], result[2]
    note_done(flight, i, reason, result[3], command_change(wanted, command))
    return command


def note_done(flight: FlightMemory, i: int, reason: int, pusher: float, change: float) -> None:
    """Note what the filter did to the command of an agent; ``change`` [m/s]."""
    done = flight.guard.done[i]
    done[WHY], done[PUSHER], done[CHANGE] = reason, pusher, change


def note_stop(flight: FlightMemory, i: int) -> None:
    """Note that an agent has command 0 without the filter."""
    note_done(flight, i, NONE, NOBODY, 0.0)


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
        count = note_single(
            rules, flight, flight.target_messages[i], now, TARGET, TARGET_ID, count
        )
    if rules.safety.keeps_from_adversary:
        count = note_single(
            rules, flight, flight.guard.adversary[i], now, ADVERSARY, ADVERSARY_ID, count
        )
    return count


def note_single(
    rules: Rules, flight: FlightMemory, known: Floats, now: float, kind: int, number: int,
    count: int,
) -> int:  # fmt: skip
    """Write target or adversary unless it is lost; return how many bodies there are then."""
    if known[SEQ] <= 0.0 or not is_fresh(known[RECEIVED_AT], now, rules.swarm.target_timeout):
        return count
    note(flight.guard.others[count], known, single_age(known, now), kind, number)
    return count + 1


def note(row: Floats, state: Floats, age: float, kind: int, number: int) -> None:
    """Write one other body."""
    for k in range(POSE):
        row[k] = state[k]
    row[AGE], row[KIND], row[ID] = age, kind, number
