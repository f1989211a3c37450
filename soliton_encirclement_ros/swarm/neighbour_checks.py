"""Checks of what neighbours send: states that cannot be true are refused, their senders named.

An agent knows its own place, the ring, and what it received before. It compares a state with the
last one that it believed of the same sender, ``dt`` later by the stamps:

    |p - p' - (v + v') dt / 2| <= position tolerance + a dt^2 / 4    else it JUMPS
    |p - p'| <= position tolerance + v_max dt                        else it JUMPS
    |v| <= v_max + velocity tolerance                                else it is TOO_FAST
    |v - v'| <= velocity tolerance + a dt                            else it TURNS_TOO_HARD

Another vehicle may be ``OTHERS`` times as fast as the own one: that are v_max and a. A place that
repeats itself to the last bit while its sender claims to move keeps its old stamp, so that dt
grows; it is FROZEN once it should have moved by a quarter of the tolerance. A number above the
size of the roster is UNLISTED. A sender that is for ``BESIDE_TIME`` where the agent is itself,
nearer than a quarter of the separation distance, claims the SAME_PLACE (only with the filter).
A state whose number is far ahead is of another sender in that name (TWO_SENDERS).

What is refused is as good as not sent: a sender of nothing else falls silent, leaves the ring
like a failed agent, and is kept clear of where it was last believed. After ``MOST_REFUSED`` of
them its number is *named* in diagnostics and events. Beside a forger in its name the states that
continue its track are believed, and after a pause, too, if the forger's numbers are far ahead.

A named sender is believed again when its states have been consistent with each other for the
forgive time, and agree with the ring: it is near the circle, and not crowded against a member. A
false place that is off the circle, or beside somebody, stays out for ever. Meanwhile a place that
has been consistent for ``STEADY`` is one that agents keep clear of (``filter_records.DOUBTED``):
it may stop them, but never moves them.

An agent judges for itself. What this cannot find is in ``docs/concepts/trust.md``.
"""

import math

import numpy as np

from soliton_encirclement_ros.core.laws.filter_codes import NOBODY
from soliton_encirclement_ros.core.laws.record_rows import field_names
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.states.received_states import age_at, is_fresh
from soliton_encirclement_ros.safety.filter_records import FilterSettings
from soliton_encirclement_ros.swarm.memory import (
    SEQ, VX, VY, VZ, FlightMemory, Floats, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.memory_rows import MAX_DOUBTS
from soliton_encirclement_ros.swarm.rules import CheckRules, Rules

TRUE, JUMPS, TOO_FAST, TURNS_TOO_HARD, FROZEN, UNLISTED, SAME_PLACE, TWO_SENDERS = range(8)
"""Why a state is refused."""

REASONS = (
    '', 'its place jumps', 'it is too fast', 'its velocity jumps', 'its place is frozen',
    'its number is not in the roster', 'it claims the place of this agent',
    'another sender has its number',
)  # fmt: skip

DISTANCE = field_names(FilterSettings((0.0,) * 6)).index('distance')
"""Column of the filter's settings."""

REFUSED = -math.inf
"""Replaces the age of a state that is refused."""

NAMED_AT, NAMED_BY, TIMES_NAMED, LAST_NAMED, NAMED_WHY = range(5)
NAMED_COLUMNS = 5
"""Columns of ``ObservedRows.named``."""

OTHERS = 2.0
"""How many times as fast as the own vehicle others may be."""

MOST_SKIPPED = 1000.0
"""A state that is so many messages, and so many a second, ahead is of another sender."""

MOST_REFUSED = 3
"""So many refused states make a sender named: one may be an accident."""

CLEAR_TIME = 2.0
"""Time [s] without a refusal after which a sender that is not named is not doubted any more."""

BESIDE_TIME = 1.0
"""Time [s] after which two vehicles at one place would have collided."""

STEADY = 1.0
"""Time [s] after which a new track of a named sender is kept clear of."""

MOVED = 1e-3
"""Way [m] beyond which a vehicle cannot be at the same place to the last bit."""

NEAR_CIRCLE = 0.15
"""Largest distance to the circle, as a share of its radius, of who is believed again."""

CROWDED = 0.25
"""Smallest angle to the nearest member, as a share of even spacing, of who is believed again."""


def check_rules(
    safety: SafetyParameters, settings: Floats, is_on: bool = True, is_filtered: bool = True,
    is_exact: bool = False,
) -> CheckRules:  # fmt: skip
    """Return the constants of the checks.

    Args:
        safety: Tolerances, forgive time and roster.
        settings: The filter's settings by kind of vehicle; the limits come first.
        is_on: Whether states may be refused at all.
        is_filtered: Whether there is a separation filter.
        is_exact: Whether all members keep the limits of their vehicle exactly, and know their
            places: of one kind of vehicle none sends a state that another one refuses.
    """
    limits = [[float(number) for number in row[:4]] for row in settings]
    return CheckRules(
        safety.neighbour_checks and is_on,
        not is_exact or len(limits) > 1 or safety.roster_size > 0,
        safety.neighbour_position_tolerance,
        safety.neighbour_velocity_tolerance,
        safety.neighbour_forgive_time,
        safety.roster_size,
        np.array([OTHERS * math.hypot(row[0], row[1]) for row in limits]),
        np.array([OTHERS * math.hypot(row[2], row[3]) for row in limits]),
        np.array([row[DISTANCE] / 4.0 if is_filtered else 0.0 for row in settings]),
    )


def believed_age(
    rules: Rules, flight: FlightMemory, i: int, j: int, number: int, age: float, now: float
) -> float:
    """Return the age [s] of the place in a state that is new to an agent; REFUSED: not believed.

    Args:
        rules: The flight's constants.
        flight: The flight.
        i: Index of the receiver.
        j: Index of the sender.
        number: Under which number the state lies in the memory of states.
        age: Its age by its stamp [s].
        now: Time [s].
    """
    link, new = flight.links.rows[i][j], flight.sent[layer_of(flight, number)][j]
    if flight.agents[i].doubts > 0:
        slot = slot_of_doubt(flight, i, j)
        if slot != NOBODY:
            return doubted_age(rules, flight, i, j, slot, new, age, now)
    checks = rules.checks
    if 0 < checks.roster < flight.agents[j].number:
        add_doubt(flight, i, j, new, new, UNLISTED, now, now - age)
        return REFUSED
    if link.number == 0 or not is_fresh(link.received, now, longest_gap(rules)):
        return age
    old, made = flight.sent[layer_of(flight, link.number)][j], link.received - link.age
    fault = fault_between(checks, rules.law.kind[i], old, new, now - age - made)
    if is_ahead(old, new, now - age - made):
        fault = TWO_SENDERS
    if fault != TRUE:
        add_doubt(flight, i, j, old, new, fault, now, made)
        return REFUSED
    if is_beside(checks.beside[rules.law.kind[i]], flight.bodies[i], new, age):
        add_doubt(flight, i, j, new, new, TRUE, now, now - age)
    return age_at(now, link.received, link.age) if repeats(old, new, now - age - made) else age


def longest_gap(rules: Rules) -> float:
    """Return the silence [s] after which a track is forgotten: as long as states are stored."""
    swarm, law = rules.swarm, rules.law
    return max(swarm.agent_timeout, law.neighbour_hold, swarm.target_timeout + law.target_hold)


def follows(
    checks: CheckRules, kind: int, old: Floats, new: Floats, body: Floats, age: float, dt: float
) -> bool:  # fmt: skip
    """Return whether a state follows the last one as those of a vehicle do: most of them do.

    Args:
        checks: Tolerances and limits.
        kind: Kind of the own vehicle.
        old: Position [m], velocity [m/s] and number of the state believed last.
        new: The same of this one.
        body: The same of the own vehicle.
        age: Age of the state [s].
        dt: Time between the two [s].
    """
    if fault_between(checks, kind, old, new, dt) != TRUE or repeats(old, new, dt):
        return False
    return not is_ahead(old, new, dt) and not is_beside(checks.beside[kind], body, new, age)


def is_ahead(old: Floats, new: Floats, dt: float) -> bool:
    """Return whether no sender can have sent so many states in a time [s]."""
    return new[SEQ] - old[SEQ] > MOST_SKIPPED * (1.0 + max(0.0, dt))


def is_beside(distance: float, body: Floats, new: Floats, age: float) -> bool:
    """Return whether a state of an age [s] is of a body nearer than a distance [m] to an agent."""
    dx, dy = new[X] + age * new[VX] - body[X], new[Y] + age * new[VY] - body[Y]
    dz = new[Z] + age * new[VZ] - body[Z]
    return dx * dx + dy * dy + dz * dz < distance * distance


def fault_between(checks: CheckRules, kind: int, old: Floats, new: Floats, dt: float) -> int:
    """Return why a state cannot follow another one after a time [s], TRUE if it can.

    Args:
        checks: Tolerances and limits.
        kind: Kind of the own vehicle.
        old: Position [m] and velocity [m/s] before.
        new: The same in the state.
        dt: Time between them [s].
    """
    dt, a, fastest = max(0.0, dt), checks.acceleration[kind], checks.speed[kind]
    dx, dy, dz = new[X] - old[X], new[Y] - old[Y], new[Z] - old[Z]
    vx, vy, vz = new[VX], new[VY], new[VZ]
    ux, uy, uz = vx + old[VX], vy + old[VY], vz + old[VZ]
    if dx == 0.0 and dy == 0.0 and dz == 0.0:
        way, moved = 0.5 * dt * math.sqrt(ux * ux + uy * uy + uz * uz), checks.position / 4.0
        return FROZEN if way > max(moved, MOVED) else TRUE
    ex, ey, ez = dx - 0.5 * dt * ux, dy - 0.5 * dt * uy, dz - 0.5 * dt * uz
    slack, reach = checks.position + 0.25 * a * dt * dt, checks.position + fastest * dt
    if ex * ex + ey * ey + ez * ez > slack * slack or dx * dx + dy * dy + dz * dz > reach * reach:
        return JUMPS
    speed, change = fastest + checks.velocity, checks.velocity + a * dt
    if vx * vx + vy * vy + vz * vz > speed * speed:
        return TOO_FAST
    ax, ay, az = 2.0 * vx - ux, 2.0 * vy - uy, 2.0 * vz - uz
    return TURNS_TOO_HARD if ax * ax + ay * ay + az * az > change * change else TRUE


def repeats(old: Floats, new: Floats, dt: float) -> bool:
    """Return whether a state has the place of one a time [s] before it although it moves."""
    if new[X] != old[X] or new[Y] != old[Y] or new[Z] != old[Z]:
        return False
    vx, vy, vz = new[VX], new[VY], new[VZ]
    return dt * dt * (vx * vx + vy * vy + vz * vz) > MOVED * MOVED


def doubted_age(
    rules: Rules, flight: FlightMemory, i: int, j: int, slot: int, new: Floats, age: float,
    now: float,
) -> float:  # fmt: skip
    """Return as ``believed_age`` of a sender that is doubted already."""
    doubts, checks, kind = flight.doubts, rules.checks, rules.law.kind[i]
    doubt, believed, heard = doubts.rows[i][slot], doubts.believed[i][slot], doubts.heard[i][slot]
    made, link = now - age, flight.links.rows[i][j]
    since_heard, since_believed = made - doubt.heard_made, made - doubt.believed_made
    jumped = fault_between(checks, kind, heard, new, since_heard) != TRUE
    if jumped or repeats(heard, new, since_heard):
        doubt.steady_since = now
    copy_pose(heard, new)
    doubt.heard_made = made
    fault = doubt.fault
    if fault != UNLISTED:
        fault = fault_between(checks, kind, believed, new, since_believed)
        if is_ahead(flight.sent[layer_of(flight, link.number)][j], new, since_believed):
            fault = TWO_SENDERS
    if not is_beside(checks.beside[kind], flight.bodies[i], new, age):
        doubt.beside_since = now
    elif fault == TRUE and now - doubt.beside_since >= BESIDE_TIME:
        fault = SAME_PLACE
    pause = longest_gap(rules) if doubt.fault == TWO_SENDERS else rules.swarm.agent_timeout
    is_going_on = is_fresh(link.received, now, pause) or not doubt.is_named
    if fault == TRUE and is_going_on:
        if repeats(believed, new, since_believed):
            age = now - doubt.believed_made
        else:
            copy_pose(believed, new)
            doubt.believed_made = made
        if now - doubt.refused_at > (checks.forgive if doubt.is_named else CLEAR_TIME):
            remove_doubt(flight, i, slot)
        return age
    if fault != TRUE:
        doubt.fault, doubt.refused_at, doubt.refused = fault, now, doubt.refused + 1
    if not doubt.is_named and (doubt.refused >= MOST_REFUSED or fault == UNLISTED):
        doubt.is_named, doubt.named_at = True, now
    is_forgiven = doubt.is_named and now - doubt.steady_since >= checks.forgive
    if is_forgiven and fault != UNLISTED and fits_ring(rules, flight, i, j, new, now):
        remove_doubt(flight, i, slot)
        return age
    return REFUSED


def fits_ring(
    rules: Rules, flight: FlightMemory, i: int, j: int, new: Floats, now: float
) -> bool:
    """Return whether a place is on the circle and not beside a member, or there is no ring."""
    report, body, links = flight.reports[i], flight.bodies[i], flight.links.rows[i]
    if not is_fresh(report.received_at, now, rules.swarm.target_timeout):
        return flight.agents[i].pred == NOBODY
    x, y, radius = new[X] - report.x, new[Y] - report.y, rules.swarm.radius
    if abs(math.sqrt(x * x + y * y) - radius) > NEAR_CIRCLE * radius:
        return False
    least, count = angle_between(x, y, body[X] - report.x, body[Y] - report.y), 2
    for k in range(rules.swarm.agents):
        if k != i and k != j and links[k].tracked >= 0:
            there = flight.sent[layer_of(flight, links[k].number)][k]
            apart = angle_between(x, y, there[X] - report.x, there[Y] - report.y)
            least, count = min(least, apart), count + 1
    return least >= CROWDED * 2.0 * math.pi / count


def angle_between(x: float, y: float, other_x: float, other_y: float) -> float:
    """Return the angle between two directions [rad]."""
    return abs(math.atan2(x * other_y - y * other_x, x * other_x + y * other_y))


def copy_pose(row: Floats, other: Floats) -> None:
    """Copy position and velocity of a state."""
    for k in range(len(row)):
        row[k] = other[k]


def slot_of_doubt(flight: FlightMemory, i: int, j: int) -> int:
    """Return where an agent keeps its doubts about another one, NOBODY for none."""
    for slot in range(flight.agents[i].doubts):
        if flight.doubts.rows[i][slot].who == j:
            return slot
    return NOBODY


def add_doubt(
    flight: FlightMemory, i: int, j: int, old: Floats, new: Floats, fault: int, now: float,
    made: float,
) -> None:  # fmt: skip
    """Begin to doubt a sender; beyond MAX_DOUBTS at once its states are refused one by one.

    Args:
        flight: The flight.
        i: Index of the receiver.
        j: Index of the sender.
        old: The state last believed.
        new: The first one refused.
        fault: Why it is.
        now: Time [s].
        made: When the state last believed was made [s].
    """
    slot = flight.agents[i].doubts
    if slot == MAX_DOUBTS:
        return
    flight.agents[i].doubts = slot + 1
    doubt = flight.doubts.rows[i][slot]
    copy_pose(flight.doubts.believed[i][slot], old)
    copy_pose(flight.doubts.heard[i][slot], new)
    doubt.who, doubt.fault, doubt.refused = j, fault, 0 if fault == TRUE else 1
    doubt.is_named, doubt.beside_since = fault == UNLISTED, now
    doubt.named_at = doubt.refused_at = doubt.steady_since = doubt.heard_made = now
    doubt.believed_made = made


def remove_doubt(flight: FlightMemory, i: int, slot: int) -> None:
    """Believe a sender again; the last of the doubts takes the place of this one."""
    doubts, last = flight.doubts, flight.agents[i].doubts - 1
    flight.agents[i].doubts = last
    copy_pose(doubts.believed[i][slot], doubts.believed[i][last])
    copy_pose(doubts.heard[i][slot], doubts.heard[i][last])
    doubt, other = doubts.rows[i][slot], doubts.rows[i][last]
    doubt.who, doubt.fault, doubt.refused = other.who, other.fault, other.refused
    doubt.is_named, doubt.named_at = other.is_named, other.named_at
    doubt.refused_at, doubt.steady_since = other.refused_at, other.steady_since
    doubt.beside_since = other.beside_since
    doubt.heard_made, doubt.believed_made = other.heard_made, other.believed_made


def is_named(flight: FlightMemory, i: int, j: int) -> bool:
    """Return whether an agent has named another one."""
    if flight.agents[i].doubts == 0:
        return False
    slot = slot_of_doubt(flight, i, j)
    return slot != NOBODY and flight.doubts.rows[i][slot].is_named


def is_steady(flight: FlightMemory, i: int, j: int, now: float) -> bool:
    """Return whether the place that a named sender claims counts for the filter."""
    doubt = flight.doubts.rows[i][slot_of_doubt(flight, i, j)]
    return doubt.is_named and now - doubt.steady_since >= STEADY


def record_names(flight: FlightMemory, i: int, now: float) -> None:
    """Record whom an agent named at this tick."""
    for slot in range(flight.agents[i].doubts):
        doubt = flight.doubts.rows[i][slot]
        if doubt.is_named and doubt.named_at == now:
            named = flight.record.named[doubt.who]
            if named[TIMES_NAMED] == 0.0:
                named[NAMED_AT], named[NAMED_BY], named[NAMED_WHY] = now, i, doubt.fault
            named[TIMES_NAMED] += 1.0
            named[LAST_NAMED] = now


def is_doubtful(checks: CheckRules, number: int, old: Floats, new: Floats, dt: float) -> bool:
    """Return whether some agent may refuse a state about to be sent: links are needed then.

    Args:
        checks: Tolerances and limits.
        number: Number of the sender.
        old: Position [m] and velocity [m/s] in its last state.
        new: The same in this one.
        dt: Time between them [s].
    """
    if 0 < checks.roster < number:
        return True
    for kind in range(len(checks.speed)):
        if fault_between(checks, kind, old, new, dt) != TRUE:
            return True
    return repeats(old, new, dt)
