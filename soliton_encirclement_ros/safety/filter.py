"""The filter: from the wanted velocity to the nearest one that keeps all barriers."""

import math

from velocity_mobility_ros.core.limits import limit_xy
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.safety.aim import aimed
from soliton_encirclement_ros.safety.braking import BrakingPath, braking_path, usable_lag
from soliton_encirclement_ros.safety.codes import (
    FENCE,
    LIMITS,
    NOBODY,
    NONE,
    RELAXED,
    SOURCE,
    STOP,
    WHO,
)
from soliton_encirclement_ros.safety.deadlock import faded, next_turn
from soliton_encirclement_ros.safety.feasibility import (
    discs,
    held_command,
    saturated,
    stopping_command,
    within_speed,
)
from soliton_encirclement_ros.safety.geofence import fence_rows
from soliton_encirclement_ros.safety.keep_out import keep_out_rows
from soliton_encirclement_ros.safety.layers import vertical_path
from soliton_encirclement_ros.safety.nearest_bodies import nearest_bodies
from soliton_encirclement_ros.safety.prediction import state_at_effect
from soliton_encirclement_ros.safety.projection import largest_violation
from soliton_encirclement_ros.safety.records import (
    START,
    STILL,
    Filtered,
    FilterMemory,
    FilterSettings,
    OwnState,
    Rows,
    Scratch,
)
from soliton_encirclement_ros.safety.relaxation import relaxed_command
from soliton_encirclement_ros.safety.separation import separation_rows
from soliton_encirclement_ros.safety.vertical import vertical_command


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
    able = discs(path, settings.limits[2], tau, settings.limits[0])
    sx, sy = saturated(able, wx, wy)
    _, worst = largest_violation(scratch, count, sx, sy)
    if worst < 0:
        reason = NONE if wx == wanted[0] and wy == wanted[1] else LIMITS
        turn = faded(detour, memory.turn, dt)
        return Filtered((wx, wy, 0.0), reason, NOBODY, FilterMemory(turn, 0.0))
    reason, pusher = int(scratch[worst][SOURCE]), int(scratch[worst][WHO])
    turn = 0.0 if reason == FENCE else memory.turn
    kept = FilterMemory(turn, memory.side)
    aim = aimed(settings, path, others, near, scratch, count, able, wx, wy, kept, tau)
    cx, cy = aim.best.x, aim.best.y
    pusher = pusher if aim.who == NOBODY else aim.who
    if not aim.best.found:
        stop_x, stop_y = stopping_command(path, settings.limits[2], tau)
        best = relaxed_command(scratch, count, able, aim.tried[0], aim.tried[1], stop_x, stop_y)
        cx, cy, reason = best.x, best.y, RELAXED
    if reason != FENCE:
        turn = next_turn(detour, turn, aim.wish[0], aim.wish[1], cx, cy, dt)
    hx, hy = held_command(able, cx, cy, dt, tau)
    hx, hy = limit_xy(hx, hy, settings.limits[0])
    return Filtered((hx, hy, 0.0), reason, pusher, FilterMemory(turn, aim.side))


def is_finite(vector: Vector) -> bool:
    """Return whether all parts of a vector are finite numbers."""
    return math.isfinite(vector[0]) and math.isfinite(vector[1]) and math.isfinite(vector[2])
