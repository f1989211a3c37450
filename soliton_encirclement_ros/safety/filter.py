"""The filter: from the wanted velocity to the nearest one that keeps all barriers.

A compiled function that returns nested records to Python is not safe, so ``filter_into``, the
filter as machine code and nodes call it, writes its result into a row.

The command of a vehicle that is to stand still: 0, unless a body is known to be too near.

The filter is asked for the command nearest to 0. Where all distances are kept that is 0. Where one
is too small it leads away, and the vehicle goes there slowly. Every command between that one and 0
keeps the distances that both keep, so a slower evasion brings it nearer to nobody else.

What is only not known moves nobody that is to stand: the errors of measured states, and where a
silent body may have gone after its last message (``known_distances``).
"""

import math
from collections.abc import MutableSequence

from soliton_encirclement_ros.core.laws.filter_codes import (
    FENCE, LIMITS, NOBODY, NONE, RELAXED, STOP
)
from soliton_encirclement_ros.safety.braking import (
    BrakingPath, braking_path, discs, saturated, state_at_effect, stopping_command,
    sustained_command, usable_lag, within_speed
)
from soliton_encirclement_ros.safety.filter_records import (
    SOURCE, START, STILL, WHO, Filtered, FilterMemory, FilterSettings, OwnState, Rows, Scratch
)
from soliton_encirclement_ros.safety.fixed_barriers import fence_rows, keep_out_rows
from soliton_encirclement_ros.safety.nearest_bodies import nearest_bodies, vertical_path
from soliton_encirclement_ros.safety.nearest_command import largest_violation, relaxed_command
from soliton_encirclement_ros.safety.pair_barrier import separation_rows
from soliton_encirclement_ros.safety.passing import choose_aim, decay_turn, next_turn
from soliton_encirclement_ros.safety.vertical import vertical_command
from velocity_mobility_ros.core.velocity_model import Vector, limit_xy


def filtered(
    settings: FilterSettings,
    own: OwnState,
    wanted: Vector,
    previous: Vector,
    others: Rows,
    fence: Rows,
    scratch: Scratch,
    memory: FilterMemory,
) -> Filtered:
    """Return the command nearest to the wanted one that keeps all barriers.

    Args:
        settings: The filter's numbers.
        own: State of the own vehicle.
        wanted: Wanted velocity [m/s, map].
        previous: The command in effect until this one is [m/s, map].
        others: The other bodies, one a row of COLUMNS numbers; see ``codes``.
        fence: Edges of the fence, ``geofence.fence_edges``; none: no fence.
        scratch: SCRATCH_ROWS rows of SCRATCH_COLUMNS numbers, overwritten.
        memory: Memory of the last call; START at first.
    """
    _, _, a, a_z, tau_xy, tau_z = settings.limits
    if not (is_finite(own.position) and is_finite(own.velocity) and a > 0.0 and a_z > 0.0):
        return Filtered(STILL, STOP, NOBODY, START)
    if not (is_finite(wanted) and is_finite(previous)):
        return Filtered(STILL, STOP, NOBODY, START)
    tau, lag_z = usable_lag(tau_xy, settings.period), usable_lag(tau_z, settings.period)
    at = state_at_effect(settings, own, previous)
    (x, y, z), (vx, vy, vz) = at.position, at.velocity
    path, height = braking_path(x, y, vx, vy, a, tau), vertical_path(z, vz, a_z, lag_z)
    near = nearest_bodies(settings, path, height, others, scratch, tau)
    count = separation_rows(settings, path, others, near.count, scratch, 0, tau)
    count = keep_out_rows(settings, path, others, scratch, count, tau)
    count = fence_rows(settings, path, fence, scratch, count, tau)
    flat = horizontal(settings, path, wanted, others, near.count, scratch, count, tau, memory)
    layered = others if near.some_above else others[:0]
    up = vertical_command(settings, path, height, wanted[2], layered, tau)
    command = (flat.command[0], flat.command[1], up.value)
    if up.reason != NONE and (flat.reason == NONE or flat.reason == LIMITS):
        return Filtered(command, up.reason, up.pusher, flat.memory)
    return Filtered(command, flat.reason, flat.pusher, flat.memory)


def horizontal(
    settings: FilterSettings,
    path: BrakingPath,
    wanted: Vector,
    others: Rows,
    near: int,
    scratch: Scratch,
    count: int,
    tau: float,
    memory: FilterMemory,
) -> Filtered:
    """Return the horizontal command, with 0 for the vertical one.

    Args:
        settings: The filter's numbers.
        path: The own vehicle.
        wanted: Wanted velocity [m/s].
        others: The other bodies.
        near: How many of them are near; their indices are in the rows.
        scratch: The half-planes.
        count: How many there are.
        tau: Lag [s].
        memory: Memory of the last call.
    """
    detour, dt = settings.detour, settings.period
    wx, wy = within_speed(wanted[0], wanted[1], settings.limits[0])
    feasible = discs(path, settings.limits[2], tau, settings.limits[0])
    sx, sy = saturated(feasible, wx, wy)
    _, worst = largest_violation(scratch, count, sx, sy)
    if worst < 0:
        reason = NONE if wx == wanted[0] and wy == wanted[1] else LIMITS
        turn = decay_turn(detour, memory.turn, dt)
        return Filtered((wx, wy, 0.0), reason, NOBODY, FilterMemory(turn, 0.0))
    reason, pusher = int(scratch[worst][SOURCE]), int(scratch[worst][WHO])
    turn = 0.0 if reason == FENCE else memory.turn
    last = FilterMemory(turn, memory.side)
    aim = choose_aim(settings, path, others, near, scratch, count, feasible, wx, wy, last, tau)
    cx, cy = aim.best.x, aim.best.y
    pusher = pusher if aim.who == NOBODY else aim.who
    if not aim.best.found:
        stop_x, stop_y = stopping_command(path, settings.limits[2], tau)
        tx, ty = aim.tried
        best = relaxed_command(scratch, count, feasible, tx, ty, stop_x, stop_y)
        cx, cy, reason = best.x, best.y, RELAXED
    if reason != FENCE:
        turn = next_turn(detour, turn, aim.wish[0], aim.wish[1], cx, cy, dt)
    hx, hy = sustained_command(feasible, cx, cy, dt, tau)
    hx, hy = limit_xy(hx, hy, settings.limits[0])
    return Filtered((hx, hy, 0.0), reason, pusher, FilterMemory(turn, aim.side))


def is_finite(vector: Vector) -> bool:
    """Return whether all parts of a vector are finite numbers."""
    return math.isfinite(vector[0]) and math.isfinite(vector[1]) and math.isfinite(vector[2])


RESULT = 6
"""Length of a result row: command [m/s], pusher, and the memory: turn [rad], side."""


def filter_into(
    settings: FilterSettings,
    own: OwnState,
    wanted: Vector,
    previous: Vector,
    others: Rows,
    fence: Rows,
    scratch: Scratch,
    result: MutableSequence[float],
) -> int:
    """Filter a velocity and return the reason; see ``filtered``.

    Args:
        settings: The filter's numbers.
        own: State of the own vehicle.
        wanted: Wanted velocity [m/s, map].
        previous: The command in effect until this one is [m/s, map].
        others: The other bodies.
        fence: Edges of the fence.
        scratch: Rows that are overwritten.
        result: Command, pusher and memory of the last call, of which the memory is read; gets
            those of this one.
    """
    memory = FilterMemory(result[4], result[5])
    outcome = filtered(settings, own, wanted, previous, others, fence, scratch, memory)
    result[0], result[1], result[2] = outcome.command
    result[3] = outcome.pusher
    result[4], result[5] = outcome.memory
    return outcome.reason


def command_change(wanted: Vector, command: Vector) -> float:
    """Return by how much a command differs from the wanted one [m/s].

    A wanted velocity that is not finite counts as 0.
    """
    x, y, z = wanted if is_finite(wanted) else STILL
    dx, dy, dz = command[0] - x, command[1] - y, command[2] - z
    return math.sqrt(dx * dx + dy * dy + dz * dz)


FASTEST = 1.0
"""Largest speed of an evasion [m/s]: a slow walk, so that a stopped vehicle never dashes, and
twice as fast as vehicles that hold no position were seen to drift."""

SLOWEST = 0.05
"""An evasion slower than this [m/s] is rounding or noise, and none."""


def level(settings: FilterSettings) -> FilterSettings:
    """Return the settings without the height band: a vehicle at rest keeps its height."""
    return settings._replace(lowest=-math.inf, highest=math.inf)


def known_distances(settings: FilterSettings) -> FilterSettings:
    """Return the filter's numbers without errors and without height band.

    A body that was heard is as far away as its last state says, a silent one where it would have
    stopped from its last state on.
    """
    exact = settings._replace(clock_error=0.0, noise=0.0, run_on=0.0, ghost_margin=0.0)
    return level(exact)


def stand_still_result(settings: FilterSettings, own: OwnState, answer: Filtered) -> Filtered:
    """Return the command of a vehicle that is to stand still, from the filter's result for 0.

    It keeps its height and forgets all detours. The reason is that of the filter, NONE where
    command 0 is all that it asks for.

    Args:
        settings: The filter's numbers.
        own: State of the own vehicle.
        answer: The result.
    """
    if _acts_as_zero(settings, own, answer.command):
        if answer.reason in (RELAXED, STOP):
            return Filtered(STILL, answer.reason, answer.pusher, START)
        return Filtered(STILL, NONE, NOBODY, START)
    x, y = limit_xy(answer.command[0], answer.command[1], FASTEST)
    return Filtered((x, y, 0.0), answer.reason, answer.pusher, START)


def _acts_as_zero(settings: FilterSettings, own: OwnState, command: Vector) -> bool:
    """Return whether the vehicle answers a horizontal command [m/s] as command 0, but for a trace.

    While it is fast both brake with all that it has.
    """
    _, _, a, _, tau_xy, _ = settings.limits
    reach = a * usable_lag(tau_xy, settings.period)
    (vx, vy, _), (cx, cy, _) = own.velocity, command
    if cx == 0.0 and cy == 0.0:
        return True
    x, y = limit_xy(cx - vx, cy - vy, reach)
    still_x, still_y = limit_xy(-vx, -vy, reach)
    return math.hypot(x - still_x, y - still_y) < SLOWEST
