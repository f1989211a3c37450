"""Which other vehicles the separation looks at: those that come nearest if all brake."""

import math
from collections.abc import Sequence

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
    for i in range(len(others)):
        if not is_vehicle(others, i) or is_far(settings, own, others[i], reach, a, tau):
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


def is_far(
    settings: FilterSettings,
    own: BrakingPath,
    row: Sequence[float],
    reach: float,
    a: float,
    tau: float,
) -> bool:
    """Return whether a body is farther than a reach [m] even if both brake towards each other.

    A bound without a root, for the many that are far away: ``D_b <= v^2 / 2a + tau^2 a / 2`` and
    ``|v| <= (1 + v^2) / 2``; what the state's age leaves open is at most
    ``A (2 |v| + a tau + 3 a A / 2)``.
    """
    dx, dy, square = own.x - row[X], own.y - row[Y], row[VX] * row[VX] + row[VY] * row[VY]
    age = abs(row[AGE]) + settings.delay + settings.clock_error
    if row[KIND] == GHOST:
        age = settings.run_on
    open_to = age * (1.0 + square + a * tau + 1.5 * a * age)
    room = (
        reach
        + own.length
        + 0.5 * (square / a + tau * tau * a)
        + open_to
        + settings.ghost_margin
        + settings.noise
    )
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
