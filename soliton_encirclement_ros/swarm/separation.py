"""The separation filter of an agent: its table of other bodies, and its commands.

A silent body is still there. Agents forward the states of silent ones (gossip), since one that was
down has not heard who failed meanwhile; of two states of an agent the younger one counts.

With shared reception a state that is sent reaches all agents that are up. So those that were up
when an agent last sent know the same of it: that is in ``common``, one table instead of one each.
One that was not has the states from before it went down, and receives the others as gossip: they
are in its own rows, ``known``.
"""

from soliton_encirclement_ros.core.fences import is_inside
from soliton_encirclement_ros.core.laws.filter_codes import ADVERSARY_ID, NOBODY, NONE, TARGET_ID
from soliton_encirclement_ros.core.laws.record_rows import field_names, packing
from soliton_encirclement_ros.core.states.received_states import (
    MAX_GOSSIP, YOUNGER, age_at, is_fresh, is_news
)
from soliton_encirclement_ros.core.states.states import NOT_YET
from soliton_encirclement_ros.safety.filter import command_change, filtered, stand_still_result
from soliton_encirclement_ros.safety.filter_records import (
    ADVERSARY, AGE, DOUBTED, EMPTY, GHOST, ID, KIND, MUTUAL, SPAN, START, STILL, TARGET, Filtered,
    FilterSettings, OwnState, Rows
)
from soliton_encirclement_ros.safety.nearest_bodies import span_of
from soliton_encirclement_ros.swarm.failures import is_down
from soliton_encirclement_ros.swarm.memory import (
    CX, CY, CZ, MADE_NS, NUMBER, POSE_AGE, SEQ, VX, VY, VZ, FlightMemory, Floats, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.memory_rows import GossipBody, KnownBody, TargetReport
from soliton_encirclement_ros.swarm.neighbour_checks import (
    DISTANCE, is_named, is_steady, slot_of_doubt
)
from soliton_encirclement_ros.swarm.reception import (
    age_on_arrival, is_known, on_the_way, report_age
)
from soliton_encirclement_ros.swarm.rules import Rules
from velocity_mobility_ros.core.velocity_model import Vector

EXAMPLE = FilterSettings((0.0,) * 6)
DELAY = field_names(EXAMPLE).index('delay')
"""Column of the settings."""

unpack_settings = packing(EXAMPLE).unpack
NO_FENCE: Rows = ()

NOBODY_YET = 2**62
"""Replaces the tick of reception before the first: all agents know nothing."""

NOT_COMMON = -1
"""Replaces the tick of reception where agents may know different states."""


def filter_command(
    rules: Rules, flight: FlightMemory, i: int, now: float, wanted: Vector
) -> Vector:
    """Return the command [m/s, map] nearest to the wanted one that keeps all distances.

    The filter predicts an old pose with the command in effect since then, and counts all times
    from then.
    """
    safety, guard, body = rules.safety, flight.guard, flight.bodies[i]
    settings = safety.settings[rules.law.kind[i]]
    if body[POSE_AGE] > 0.0:
        delay(guard.settings, settings, body[POSE_AGE])
        settings = guard.settings
    at_hand = do_common_rows_fit(flight, i)
    others = flight.common.rows if at_hand else guard.others
    note_bodies(rules, flight, i, now, others, at_hand)
    kind, others[i][KIND] = others[i][KIND], EMPTY  # nobody keeps away from itself
    guard.wanted[0], guard.wanted[1], guard.wanted[2] = wanted
    guard.in_effect[0], guard.in_effect[1], guard.in_effect[2] = body[CX], body[CY], body[CZ]
    result = guard.results[i]
    reason = safety.filter(
        settings, body, guard.wanted, guard.in_effect, others, safety.fence, guard.scratch,
        result,
    )  # fmt: skip
    others[i][KIND] = kind
    command = result[0], result[1], result[2]
    record_filter_result(flight, i, reason, int(result[3]), command_change(wanted, command))
    return command


def delay(own: Floats, settings: Floats, age: float) -> None:
    """Write the filter's settings for an agent whose pose has an age [s]."""
    for k in range(len(own)):
        own[k] = settings[k]
    own[DELAY] += age


def note_bodies(
    rules: Rules, flight: FlightMemory, i: int, now: float, others: Floats, at_hand: bool
) -> None:
    """Write what an agent knows of all, itself too, at its pose; agents only if not there."""
    pose_age = flight.bodies[i][POSE_AGE]
    if pose_age > 0.0:
        now -= pose_age
    if not at_hand:
        note_others(rules, flight, i, now, others)
    note_singles(rules, flight, i, now, others)


def record_filter_result(
    flight: FlightMemory, i: int, reason: int, pusher: int, change: float
) -> None:
    """Record the filter's change of an agent's command; ``change`` [m/s]."""
    done = flight.guard.done[i]
    done.reason, done.pusher, done.change = reason, pusher, change


def note_stop(flight: FlightMemory, i: int) -> None:
    """Record that an agent has command 0 without the filter."""
    record_filter_result(flight, i, NONE, NOBODY, 0.0)


def note_others(rules: Rules, flight: FlightMemory, i: int, now: float, others: Floats) -> None:
    """Write all members as an agent knows them, itself included, into rows of its own."""
    pose_age, has_doubts = flight.bodies[i][POSE_AGE], flight.agents[i].doubts > 0
    for j in range(rules.swarm.agents):
        known = known_of(flight, i, j)
        present = DOUBTED if has_doubts and is_named(flight, i, j) else MUTUAL
        write_body(rules, others[j], known, now, pose_age, flight.agents[j].number, present)
        if others[j][KIND] == DOUBTED and is_impossible(rules, flight, i, others[j]):
            others[j][KIND] = EMPTY


def is_impossible(rules: Rules, flight: FlightMemory, i: int, row: Floats) -> bool:
    """Return whether a body claims to be where it would have hit an agent."""
    body, distance = flight.bodies[i], rules.safety.settings[rules.law.kind[i]][DISTANCE]
    dx, dy, dz = row[X] - body[X], row[Y] - body[Y], row[Z] - body[Z]
    return dx * dx + dy * dy + dz * dz < 0.25 * distance * distance


def note_singles(rules: Rules, flight: FlightMemory, i: int, now: float, others: Floats) -> None:
    """Write target and adversary as an agent knows them into the last two rows."""
    agents, safety, pose_age = rules.swarm.agents, rules.safety, flight.bodies[i][POSE_AGE]
    target = TARGET if safety.avoids_target else EMPTY
    write_single(rules, others[agents], flight.reports[i], now, pose_age, target, TARGET_ID)
    adversary = ADVERSARY if safety.avoids_adversary else EMPTY
    report = flight.guard.adversary[i]
    write_single(rules, others[agents + 1], report, now, pose_age, adversary, ADVERSARY_ID)


def write_single(
    rules: Rules, row: Floats, report: TargetReport, now: float, pose_age: float, kind: int,
    number: int,
) -> None:  # fmt: skip
    """Write target or adversary unless it is lost: nothing is known of it then."""
    fresh = is_fresh(report.received_at, now, rules.swarm.target_timeout)
    if kind == EMPTY or not (is_known(report) and fresh):
        row[KIND] = EMPTY
        return
    row[X], row[Y], row[Z] = report.x, report.y, report.z
    row[VX], row[VY], row[VZ] = report.vx, report.vy, report.vz
    finish_row(rules, row, report_age(report, now), pose_age, kind, number)


def write_body(
    rules: Rules, row: Floats, known: KnownBody, now: float, pose_age: float, number: int,
    present: int,
) -> None:  # fmt: skip
    """Write the row of another agent for the filter of one whose pose has an age [s].

    One that is not silent is of the kind ``present``.
    """
    if not known.is_known:
        row[KIND] = EMPTY
        return
    kind = GHOST if is_silent(rules, known, now) else present
    row[X], row[Y], row[Z] = known.x, known.y, known.z
    row[VX], row[VY], row[VZ] = known.vx, known.vy, known.vz
    finish_row(rules, row, age_at(now, known.received, known.age), pose_age, kind, number)


def finish_row(
    rules: Rules, row: Floats, age: float, pose_age: float, kind: int, number: int
) -> None:
    """Complete the row of a body whose state has an age [s] at the time of the own pose."""
    row[AGE], row[KIND], row[ID] = age, kind, number
    row[SPAN] = span_of(rules.safety.spans, row, pose_age)


def is_silent(rules: Rules, known: KnownBody, now: float) -> bool:
    """Return whether nothing was heard of an agent within the timeout."""
    if known.seq == NOT_YET:
        return True
    return not is_fresh(known.received, now, rules.swarm.agent_timeout)


def store_body(known: KnownBody, sent: Floats, age: float, now: float) -> None:
    """Store a state of an age [s] that is received now [s]."""
    known.x, known.y, known.z = sent[X], sent[Y], sent[Z]
    known.vx, known.vy, known.vz = sent[VX], sent[VY], sent[VZ]
    known.is_known, known.seq, known.received, known.age = True, int(sent[SEQ]), now, age


def copy_body(known: KnownBody, other: KnownBody) -> None:
    """Copy the stored state of an agent."""
    known.x, known.y, known.z = other.x, other.y, other.z
    known.vx, known.vy, known.vz = other.vx, other.vy, other.vz
    known.is_known, known.seq, known.received, known.age = (
        other.is_known, other.seq, other.received, other.age
    )  # fmt: skip


def accept_body(
    rules: Rules, flight: FlightMemory, i: int, j: int, number: int, now: float
) -> bool:
    """Store a state unless it is older than a fresh one; return whether to believe its gossip.

    Of a sender that is doubted it is stored if the law believes it, or its track is steady.
    """
    sent, known = flight.sent[layer_of(flight, number)][j], flight.known[i][j]
    timeout = rules.swarm.agent_timeout
    if known.is_known and not is_news(sent[SEQ], known.seq, known.received, now, timeout):
        return False
    link = flight.links.rows[i][j]
    is_known_to_law = link.number == number and link.received == now
    is_doubted = flight.agents[i].doubts > 0 and slot_of_doubt(flight, i, j) != NOBODY
    if is_doubted and not is_known_to_law and not is_steady(flight, i, j, now):
        return False
    age = link.age if is_known_to_law else age_on_arrival(rules, flight, j, i, number, now)
    store_body(known, sent, age, now)
    return is_known_to_law or not is_doubted


def merge_gossip(
    rules: Rules, flight: FlightMemory, i: int, sender: int, number: int, now: float
) -> None:
    """Store the states of silent agents in a message, if they are younger."""
    gossip = flight.gossip[layer_of(flight, number)][sender]
    if gossip[0].who == NOBODY:
        return
    travelled = age_on_arrival(rules, flight, sender, i, number, now)
    for p in range(MAX_GOSSIP):
        body = gossip[p]
        j = body.who
        if j == NOBODY:
            return
        if j == i or is_common(flight, i, j):
            continue
        age, known = body.age + travelled, flight.known[i][j]
        if known.is_known and not (
            is_silent(rules, known, now)
            and age < age_at(now, known.received, known.age) - YOUNGER
        ):
            continue
        known.x, known.y, known.z = body.x, body.y, body.z
        known.vx, known.vy, known.vz = body.vx, body.vy, body.vz
        known.is_known, known.seq, known.received, known.age = True, NOT_YET, now, age


def write_gossip(
    rules: Rules, flight: FlightMemory, i: int, gossip: list[GossipBody], now: float
) -> None:
    """Write the silent agents that an agent knows into its message, in order of their numbers."""
    count = 0
    nobody = knows_what_is_common(flight, i) and flight.status.silent == 0
    for j in range(0 if nobody else rules.swarm.agents):
        known = known_of(flight, i, j)
        if j == i or not known.is_known or count == MAX_GOSSIP or not is_silent(rules, known, now):
            continue
        body = gossip[count]
        body.x, body.y, body.z = known.x, known.y, known.z
        body.vx, body.vy, body.vz = known.vx, known.vy, known.vz
        body.who, body.age = j, age_at(now, known.received, known.age)
        count += 1
    if count < MAX_GOSSIP:
        gossip[count].who = NOBODY


def known_of(flight: FlightMemory, i: int, j: int) -> KnownBody:
    """Return the stored state of another agent."""
    if is_common(flight, i, j):
        return flight.common.states[j]
    return flight.known[i][j]


def knows_what_is_common(flight: FlightMemory, i: int) -> bool:
    """Return whether the common states of all others are those that an agent knows."""
    status = flight.status
    return status.shared and status.common_since >= flight.agents[i].receives_since


def do_common_rows_fit(flight: FlightMemory, i: int) -> bool:
    """Return whether the common rows are valid for an agent at the time of its pose."""
    bodies = flight.bodies
    return knows_what_is_common(flight, i) and bodies[i][POSE_AGE] == bodies[0][POSE_AGE]


def is_common(flight: FlightMemory, i: int, j: int) -> bool:
    """Return whether the common state of another agent is valid for one that is up."""
    return flight.common.came[j] >= flight.agents[i].receives_since


def update_common(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Take over the states sent at the last tick, for all that are up at this one."""
    tick = flight.status.tick
    for i in range(rules.swarm.agents):
        if flight.agents[i].last_received == tick - 1 and is_down(flight, i, now):
            keep_common(rules, flight, i)
    since, silent = NOBODY_YET, 0
    common, pose_age = flight.common, flight.bodies[0][POSE_AGE]
    then = now - pose_age
    for j in range(rules.swarm.agents):
        sent, known = flight.sent[0][j], common.states[j]
        if sent[NUMBER] > 0.0 and sent[NUMBER] == tick - 1:
            store_body(known, sent, on_the_way(sent[MADE_NS], now), now)
            common.came[j] = tick
        write_body(rules, common.rows[j], known, then, pose_age, flight.agents[j].number, MUTUAL)
        if known.is_known and is_silent(rules, known, now):
            silent += 1
        since = min(since, common.came[j])
    flight.status.common_since, flight.status.silent = since, silent


def keep_common(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Copy the common states into an agent's own rows: from now on it misses states."""
    for j in range(rules.swarm.agents):
        if is_common(flight, i, j):
            copy_body(flight.known[i][j], flight.common.states[j])


def keep_all(rules: Rules, flight: FlightMemory) -> None:
    """Copy the common states into the rows of all agents that are up: they will differ."""
    for i in range(rules.swarm.agents):
        if flight.agents[i].last_received == flight.status.tick:
            keep_common(rules, flight, i)


def stand_still_command(
    rules: Rules, flight: FlightMemory, i: int, now: float, known: Floats, where: Floats
) -> Vector:
    """Return the command [m/s, map] of an agent that is to stand still.

    It is 0 while all distances to others are kept; else it leads away from them, slowly and level.
    Fence and heights move nobody; an agent inside the fence does not leave it to make way.

    Args:
        rules: The flight's constants.
        flight: The flight.
        i: Index of the agent.
        now: Time [s].
        known: The filter's settings that decide whether another body is too near.
        where: Those that decide where to go.
    """
    guard, body, own = flight.guard, flight.bodies[i], own_state(flight, i)
    note_bodies(rules, flight, i, now, guard.others, False)
    settings = unpack_settings(rules.safety.settings[rules.law.kind[i]])
    outcome = stand_still_result(settings, own, stand_by(rules, flight, i, known, NO_FENCE))
    if outcome.command != STILL:
        is_in = len(rules.safety.fence) > 0 and is_inside(rules.safety.fence, body[X], body[Y])
        fence = rules.safety.fence if is_in else NO_FENCE
        outcome = stand_still_result(settings, own, stand_by(rules, flight, i, where, fence))
    result = guard.results[i]
    result[0], result[1], result[2] = outcome.command
    result[4], result[5] = outcome.memory
    change = command_change(STILL, outcome.command)
    record_filter_result(flight, i, outcome.reason, outcome.pusher, change)
    return outcome.command


def own_state(flight: FlightMemory, i: int) -> OwnState:
    """Return position and velocity of an agent for its filter."""
    body = flight.bodies[i]
    return OwnState((body[X], body[Y], body[Z]), (body[VX], body[VY], body[VZ]))


def stand_by(
    rules: Rules, flight: FlightMemory, i: int, numbers: Floats, fence: Rows
) -> Filtered:
    """Return the filter's result for command 0, with other settings and another fence."""
    guard, body = flight.guard, flight.bodies[i]
    delay(guard.settings, numbers, max(0.0, body[POSE_AGE]))
    kind, guard.others[i][KIND] = guard.others[i][KIND], EMPTY
    in_effect = (body[CX], body[CY], body[CZ])
    outcome = filtered(
        unpack_settings(guard.settings), own_state(flight, i), STILL, in_effect, guard.others,
        fence, guard.scratch, START,
    )  # fmt: skip
    guard.others[i][KIND] = kind
    return outcome
