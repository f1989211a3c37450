"""Which other vehicles the separation looks at: those that come nearest if all brake."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.safety.age_ball import uncertainty
from soliton_encirclement_ros.safety.braking import STANDSTILL, BrakingPath, braking_distance
from soliton_encirclement_ros.safety.closest_approach import on_chord
from soliton_encirclement_ros.safety.codes import (
    AGE,
    GHOST,
    INDEX,
    KEY,
    KIND,
    NEAREST,
    VX,
    VY,
    X,
    Y,
)
from soliton_encirclement_ros.safety.layers import VerticalPath, is_layer_apart, is_vehicle
from soliton_encirclement_ros.safety.records import FilterSettings, Rows, Scratch

ROUNDING = 1e-6
"""Addition to the bound of ``is_far`` [m] that exceeds its rounding errors."""


class FarBound(NamedTuple):
    """How near another body has to be to matter; see ``far_bound``.

    A body with speed v and age A does not matter beyond
    ``room + per_square v^2 + A (per_age + v^2 + per_age_square A)``.

    Attributes:
        room: What it is for a body at rest that is just seen [m].
        per_square: Its braking [s^2/m].
        per_age: What a body does while it is not seen, at rest [m/s].
        per_age_square: The same by its acceleration [m/s^2].
        doubt: Addition to the age of a body that was heard [s].
        run_on: Replaces the age of a silent one [s].
    """

    room: float
    per_square: float
    per_age: float
    per_age_square: float
    doubt: float
    run_on: float


def nearest_bodies(
    settings: FilterSettings,
    own: BrakingPath,
    height: VerticalPath,
    others: Rows,
    scratch: Scratch,
    tau: float,
) -> int:
    """Write the rows of the nearest vehicles into the scratch rows; return how many there are.

    The key is the distance that may be left if both brake.
    """
    a, found = settings.limits[2], 0
    reach = reach_of(settings, own)
    bound = far_bound(settings, own, reach, a, tau)
    for i in range(len(others)):
        if is_far(bound, own, others[i]) or not is_vehicle(others, i):
            continue
        key = nearness(settings, own, others, i, a, tau)
        if not key < reach or (found == NEAREST and key >= scratch[NEAREST - 1][KEY]):
            continue
        if is_layer_apart(settings, height, others, i):
            continue
        k = found if found < NEAREST else NEAREST - 1
        found = k + 1
        while k > 0 and scratch[k - 1][KEY] > key:
            scratch[k][KEY], scratch[k][INDEX] = scratch[k - 1][KEY], scratch[k - 1][INDEX]
            k -= 1
        scratch[k][KEY], scratch[k][INDEX] = key, i
    return found


def far_bound(
    settings: FilterSettings, own: BrakingPath, reach: float, a: float, tau: float
) -> FarBound:
    """Return the distance beyond which a body is farther than a reach [m] even if both brake.

    It needs no root, for the many bodies that are far away: ``D_b <= v^2 / 2a + tau^2 a / 2`` and
    ``|v| <= (1 + v^2) / 2``; what the state's age leaves open is at most
    ``A (2 |v| + a tau + 3 a A / 2)``.
    """
    return FarBound(
        reach
        + own.length
        + 0.5 * tau * tau * a
        + settings.ghost_margin
        + settings.noise
        + ROUNDING,
        0.5 / a,
        1.0 + a * tau,
        1.5 * a,
        settings.delay + settings.clock_error,
        settings.run_on,
    )


def is_far(bound: FarBound, own: BrakingPath, row: Sequence[float]) -> bool:
    """Return whether a body is too far away to matter."""
    dx, dy, square = own.x - row[X], own.y - row[Y], row[VX] * row[VX] + row[VY] * row[VY]
    age = bound.run_on if row[KIND] == GHOST else abs(row[AGE]) + bound.doubt
    open_to = age * (bound.per_age + square + bound.per_age_square * age)
    room = bound.room + bound.per_square * square + open_to
    return dx * dx + dy * dy > room * room


def nearness(
    settings: FilterSettings, own: BrakingPath, others: Rows, i: int, a: float, tau: float
) -> float:
    """Return the distance [m] that may be left if both brake, by the chord of the difference.

    It is exact without saturation, which is enough to choose by.
    """
    row = others[i]
    vx, vy = row[VX], row[VY]
    age = 0.5 * settings.run_on if row[KIND] == GHOST else row[AGE] + settings.delay
    dx, dy = own.x - row[X] - age * vx, own.y - row[Y] - age * vy
    speed = math.sqrt(vx * vx + vy * vy)
    across = braking_distance(speed, a, tau) / speed if speed > STANDSTILL else tau
    end_x, end_y = dx + own.px - own.x - across * vx, dy + own.py - own.y - across * vy
    _, square = on_chord(dx, dy, end_x, end_y)
    return math.sqrt(square) - uncertainty(settings, others, i, speed, a, tau)


def reach_of(settings: FilterSettings, own: BrakingPath) -> float:
    """Return the nearness [m] from which on a pair cannot have an active half-plane.

    A stopping point moves by ``|G (acc - acc_0)| <= 2 a slope`` at most.
    """
    fastest = 2.0 * settings.limits[2] * own.slope
    return settings.distance + 2.0 * fastest / settings.gamma
