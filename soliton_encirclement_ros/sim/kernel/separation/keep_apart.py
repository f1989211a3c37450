"""One command through the separation filter: the numbers of ``actors.SeparationGuard``."""

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.laws.record_rows import field_names
from soliton_encirclement_ros.core.states.message_acceptance import is_fresh
from soliton_encirclement_ros.safety.calling import command_change
from soliton_encirclement_ros.safety.codes import (
    ADVERSARY,
    ADVERSARY_ID,
    EMPTY,
    KIND,
    NOBODY,
    NONE,
    TARGET,
    TARGET_ID,
)
from soliton_encirclement_ros.safety.records import FilterSettings
from soliton_encirclement_ros.sim.kernel.columns import (
    CHANGE,
    CX,
    CY,
    CZ,
    POSE_AGE,
    PUSHER,
    RECEIVED_AT,
    WHY,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.reception import is_known, single_age
from soliton_encirclement_ros.sim.kernel.separation.common_bodies import (
    is_at_hand,
    is_common,
    write_body,
    write_row,
)

DELAY = field_names(FilterSettings((0.0,) * 6)).index('delay')
"""Column of the settings."""


def kept_apart(rules: Rules, flight: FlightMemory, i: int, now: float, wanted: Vector) -> Vector:
    """Return the command [m/s, map] nearest to the wanted one that keeps all distances."""
    safety, guard, body = rules.safety, flight.guard, flight.bodies[i]
    complete = is_at_hand(flight, i)
    settings = safety.settings[rules.law.kind[i]]
    if body[POSE_AGE] > 0.0:
        delay(guard.settings, settings, body[POSE_AGE])
        settings = guard.settings
        now -= body[POSE_AGE]
    others = flight.common.rows if complete else guard.others
    if not complete:
        note_others(rules, flight, i, now, others)
    note_singles(rules, flight, i, now, others)
    kind, others[i, KIND] = others[i, KIND], EMPTY  # nobody keeps away from itself
    guard.wanted[0], guard.wanted[1], guard.wanted[2] = wanted
    guard.in_effect[0], guard.in_effect[1], guard.in_effect[2] = body[CX], body[CY], body[CZ]
    result = guard.results[i]
    reason = safety.filter(
        settings, body, guard.wanted, guard.in_effect, others, safety.fence, guard.scratch,
        result,
    )  # fmt: skip
    others[i, KIND] = kind
    command = result[0], result[1], result[2]
    note_done(flight, i, reason, result[3], command_change(wanted, command))
    return command


def delay(own: Floats, settings: Floats, age: float) -> None:
    """Write the numbers of a filter whose agent knows its pose of so long ago [s]."""
    for k in range(len(own)):
        own[k] = settings[k]
    own[DELAY] += age


def note_done(flight: FlightMemory, i: int, reason: int, pusher: float, change: float) -> None:
    """Note what the filter did to the command of an agent; ``change`` [m/s]."""
    done = flight.guard.done[i]
    done[WHY], done[PUSHER], done[CHANGE] = reason, pusher, change


def note_stop(flight: FlightMemory, i: int) -> None:
    """Note that an agent has command 0 without the filter."""
    note_done(flight, i, NONE, NOBODY, 0.0)


def note_others(rules: Rules, flight: FlightMemory, i: int, now: float, others: Floats) -> None:
    """Write what an agent knows of all members, itself included, into rows of its own."""
    late = flight.bodies[i, POSE_AGE]
    for j in range(rules.swarm.agents):
        known = flight.common.states[j] if is_common(flight, i, j) else flight.known[i, j]
        write_body(rules, others[j], known, now, late, j + 1)


def note_singles(rules: Rules, flight: FlightMemory, i: int, now: float, others: Floats) -> None:
    """Write what an agent knows of target and adversary into the last two rows."""
    agents, safety, late = rules.swarm.agents, rules.safety, flight.bodies[i, POSE_AGE]
    target = TARGET if safety.keeps_from_target else EMPTY
    write_single(rules, others[agents], flight.target_messages[i], now, late, target, TARGET_ID)
    adversary = ADVERSARY if safety.keeps_from_adversary else EMPTY
    write_single(
        rules, others[agents + 1], flight.guard.adversary[i], now, late, adversary, ADVERSARY_ID
    )


def write_single(
    rules: Rules, row: Floats, known: Floats, now: float, late: float, kind: int, number: int
) -> None:
    """Write target or adversary unless it is lost."""
    is_alive = is_known(known) and is_fresh(known[RECEIVED_AT], now, rules.swarm.target_timeout)
    if kind == EMPTY or not is_alive:
        row[KIND] = EMPTY
    else:
        write_row(rules, row, known, single_age(known, now), late, kind, number)
