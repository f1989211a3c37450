"""Which other vehicles the separation looks at: those that come nearest if all brake.

Pairs that keep a vertical distance leave each other's horizontal half-planes.

A pair is a layer apart while its heights and its vertical stopping points differ by the layer
and the error of the state. If such a pair comes near horizontally, the vertical distance is kept
like any other distance, so that one of the two barriers always holds.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.safety.braking import (
    STANDSTILL, BrakingPath, braking_distance, braking_slope
)
from soliton_encirclement_ros.safety.filter_records import (
    AGE, DOUBTED, GHOST, INDEX, KEY, KIND, MUTUAL, NEAREST, SPAN, STRANGER, VX, VY, VZ,
    FilterSettings, Rows, Scratch, X, Y, Z
)
from soliton_encirclement_ros.safety.pair_barrier import on_chord, uncertainty

NEVER = -1.0
"""Vertical room of a pair that is not a layer apart [m]."""


class VerticalPath(NamedTuple):
    """A vehicle vertically.

    Attributes:
        z: Height [m].
        vz: Velocity up [m/s].
        slope: Derivative of its braking distance by its speed [s].
        end: Height at which it stops [m].
        tau: Its lag [s].
    """

    z: float
    vz: float
    slope: float
    end: float
    tau: float


def vertical_path(z: float, vz: float, a: float, tau: float) -> VerticalPath:
    """Return the vertical braking path from a height [m] and a velocity [m/s]."""
    way = braking_distance(abs(vz), a, tau)
    return VerticalPath(
        z, vz, braking_slope(abs(vz), a, tau), z + (way if vz > 0.0 else -way), tau
    )


def is_layer_apart(settings: FilterSettings, own: VerticalPath, others: Rows, i: int) -> bool:
    """Return whether another body is a layer above or below, also after braking."""
    if is_level(settings, own, others, i):
        return False
    return vertical_room(settings, own, others, i) >= 0.0


def is_level(settings: FilterSettings, own: VerticalPath, others: Rows, i: int) -> bool:
    """Return whether another body is less than a layer above or below."""
    return abs(others[i][Z] - own.z) < settings.layer


def vertical_room(settings: FilterSettings, own: VerticalPath, others: Rows, i: int) -> float:
    """Return by how much [m] a pair is more than a layer apart; NEVER if its ways cross."""
    a, vz = settings.limits[3], others[i][VZ]
    is_ghost = others[i][KIND] == GHOST
    age = 0.5 * settings.run_on if is_ghost else others[i][AGE] + settings.delay
    other = vertical_path(others[i][Z] + age * vz, vz, a, own.tau)
    gap, end = own.z - other.z, own.end - other.end
    if gap * end <= 0.0:
        return NEVER
    error = uncertainty(settings, others, i, abs(vz), a, own.tau)
    return min(abs(gap), abs(end)) - settings.layer - error


def layer_bounds(
    settings: FilterSettings, own: VerticalPath, others: Rows, i: int
) -> tuple[float, float]:
    """Return lowest and highest velocity of the own stopping point [m/s] that keep the layer."""
    share = 0.5 if others[i][KIND] == MUTUAL else 1.0
    bound = share * settings.gamma * vertical_room(settings, own, others, i)
    return (-bound, math.inf) if own.z > others[i][Z] else (-math.inf, bound)


def is_vehicle(others: Rows, i: int) -> bool:
    """Return whether a row is a vehicle that the separation looks at."""
    kind = others[i][KIND]
    return kind in (MUTUAL, GHOST, STRANGER, DOUBTED)


ROUNDING = 1e-6
"""Addition to the bound of ``is_far`` [m] that exceeds its rounding errors."""


class SpanBound(NamedTuple):
    """How much farther than one at rest that is just seen a body matters; see ``span_bound``.

    With speed v and age A it is ``per_square v^2 + A (per_age + v^2 + per_age_square A)``.

    Attributes:
        per_square: Its braking [s^2/m].
        per_age: What a body does while it is not seen, at rest [m/s].
        per_age_square: The same by its acceleration [m/s^2].
        doubt: Addition to the age of a body that was heard [s].
        run_on: Replaces the age of a silent one [s].
    """

    per_square: float
    per_age: float
    per_age_square: float
    doubt: float
    run_on: float


class FarBound(NamedTuple):
    """How far away a body can be that may come within a reach; see ``far_bound``.

    Attributes:
        room: How much farther than the reach a body at rest that is just seen [m].
        spans: How much farther others.
    """

    room: float
    spans: SpanBound


class NearBodies(NamedTuple):
    """Summary of the near bodies in the scratch rows.

    Attributes:
        count: How many there are.
        some_above: Whether some body that may be near is a layer above or below.
    """

    count: int  # type: ignore[assignment]  # hides tuple.count
    some_above: bool


def nearest_bodies(
    settings: FilterSettings,
    own: BrakingPath,
    height: VerticalPath,
    others: Rows,
    scratch: Scratch,
    tau: float,
) -> NearBodies:
    """Write the rows of the nearest vehicles into the scratch rows.

    The key is the distance that may be left if both brake.
    """
    a, count, some_above = settings.limits[2], 0, False
    reach, least = reach_of(settings, own), layer_reach(settings)
    bound = far_bound(settings, own, a, tau)
    i = -1
    while True:
        i = next_near(bound, max(reach, least), own, others, i + 1)
        if i == len(others):
            return NearBodies(count, some_above)
        if not is_vehicle(others, i):
            continue
        some_above = some_above or not is_level(settings, height, others, i)
        key = nearness(settings, own, others, i, a, tau)
        if not key < reach or is_layer_apart(settings, height, others, i):
            continue
        k = count if count < NEAREST else NEAREST - 1
        count = k + 1
        while k > 0 and scratch[k - 1][KEY] > key:
            scratch[k][KEY], scratch[k][INDEX] = scratch[k - 1][KEY], scratch[k - 1][INDEX]
            k -= 1
        scratch[k][KEY], scratch[k][INDEX] = key, i
        if count == NEAREST:
            reach = min(reach, scratch[NEAREST - 1][KEY])


def far_bound(settings: FilterSettings, own: BrakingPath, a: float, tau: float) -> FarBound:
    """Return beyond which distance a body is farther than a reach even if both brake.

    It needs no root, for the many bodies that are far away: ``D_b <= v^2 / 2a + tau^2 a / 2`` and
    ``|v| <= (1 + v^2) / 2``; what the state's age leaves open is at most
    ``A (2 |v| + a tau + 3 a A / 2)``.
    """
    return FarBound(
        own.length + 0.5 * tau * tau * a + settings.ghost_margin + settings.noise + ROUNDING,
        span_bound(settings, a, tau),
    )


def span_bound(settings: FilterSettings, a: float, tau: float) -> SpanBound:
    """Return the part of ``far_bound`` for bodies that move or were seen some time ago.

    Args:
        settings: The filter's numbers.
        a: Largest acceleration [m/s^2], > 0.
        tau: Lag [s].
    """
    doubt = settings.delay + settings.clock_error
    return SpanBound(0.5 / a, 1.0 + a * tau, 1.5 * a, doubt, settings.run_on)


def span_of(bound: SpanBound, row: Sequence[float], late: float = 0.0) -> float:
    """Return how much farther than one at rest that is just seen a body matters [m].

    ``late`` [s] is the age of the own pose, which the settings behind the bound leave out.
    """
    square = row[VX] * row[VX] + row[VY] * row[VY]
    age = bound.run_on if row[KIND] == GHOST else abs(row[AGE]) + bound.doubt + late
    return bound.per_square * square + age * (bound.per_age + square + bound.per_age_square * age)


def is_far(bound: FarBound, reach: float, own: BrakingPath, row: Sequence[float]) -> bool:
    """Return whether a body is too far away to come within a reach [m]."""
    span = row[SPAN] if len(row) > SPAN else span_of(bound.spans, row)
    dx, dy, room = own.x - row[X], own.y - row[Y], reach + bound.room + span
    return dx * dx + dy * dy > room * room


def next_near(bound: FarBound, reach: float, own: BrakingPath, others: Rows, i: int) -> int:
    """Return the next row from i on of a body that is not far; else how many rows there are."""
    while i < len(others) and is_far(bound, reach, own, others[i]):
        i += 1
    return i


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


def layer_reach(settings: FilterSettings) -> float:
    """Return the nearness [m] from which on a body above or below does not matter."""
    return 2.0 * settings.distance


def reach_of(settings: FilterSettings, own: BrakingPath) -> float:
    """Return the nearness [m] from which on a pair cannot have an active half-plane.

    A stopping point moves by ``|G (acc - acc_0)| <= 2 a slope`` at most.
    """
    fastest = 2.0 * settings.limits[2] * own.slope
    return settings.distance + 2.0 * fastest / settings.gamma
