"""Barrier of two vehicles: if both braked from now on, they would stay D apart.

    h     = min over s of |q_i(s) - q_j(s)| - D
    n     = direction of that difference, m = G(s)^T n, G = derivative of q_i(s) by v_i
    m . (acc - acc_0) >= -share gamma h,  acc_0: acceleration at command 0

and the same for the stopping points alone, ``h = |P_i - P_j| - D``, ``m = J n``; for all values
that the error e of the other state leaves to n and h (``direction_cone``). Command 0 fulfils both
while h >= 0. Two agents that run the filter share the duty, all others leave it to us. Source:
backup barriers, gatekeeper (arXiv 2211.14361).

Least distance of both (``closest_approach``): the vehicles are at ``q(s) = p + way(s) u`` after
braking for s. Once both have left the acceleration limit, their difference moves on a straight
line to the difference of the stopping points, and its least norm is known in closed form. Before,
it is looked for on PIECES chords and taken from the curve itself: the error is of second order.

Error of a state of age A (``age_ball``):

    e(A) = a A^2 / 2 + D_b(v + a A) - D_b(v) + sigma

A body that was predicted with constant velocity over the age A has accelerated by at most a: its
position is off by a A^2 / 2, its velocity by a A, its braking distance by the difference. The
difference is a A max(tau, v / a) plus, beyond v = tau a, another a A^2 / 2.

Directions within that error (``direction_cone``):

The true difference X is in a ball of radius e round the known one, and ``|X| >= D`` holds as long
as the filter works. A rate of change is asked for along the known direction at the least distance
of the ball, and along two directions at an angle to both sides:

    sin(angle) = 0.8 e / |X|,  distance = |X| cos(angle) - 0.6 e

Between them the demand on a motion across differs by a few percent. If the ball reaches into D,
the directions of the arc ``|X| = D`` inside it count, which no motion may approach:

    cos(angle) = (|X|^2 + D^2 - e^2) / (2 |X| D)
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.filter_codes import SEPARATION
from soliton_encirclement_ros.safety.braking import (
    BrakingPath, braking_acceleration, braking_distance, other_path, sensitivity, travelled
)
from soliton_encirclement_ros.safety.filter_records import (
    AGE, DOUBTED, GHOST, ID, INDEX, KIND, MUTUAL, VX, VY, FilterSettings, Rows, Scratch
)
from soliton_encirclement_ros.safety.nearest_command import NO_DISTANCE, add_half_plane


def age_ball(age: float, speed: float, a: float, tau: float, noise: float) -> float:
    """Return the largest error [m] of a predicted stopping point.

    Args:
        age: Age of the state [s], clock error included; below 0 counts as 0.
        speed: Speed in that state [m/s].
        a: Largest acceleration [m/s^2].
        tau: Lag [s].
        noise: Error of the measurement [m].
    """
    A = max(0.0, age)
    grown = braking_distance(speed + a * A, a, tau) - braking_distance(speed, a, tau)
    return 0.5 * a * A * A + grown + noise


def ghost_radius(speed: float, run_on: float, margin: float, a: float, tau: float) -> float:
    """Return the error [m] of the stopping point of a body that fell silent.

    It may have flown on for a while before it failed. Its expected stopping point is that of half
    this time (``prediction``): the true one is before or behind it by the speed for the other
    half, and off by the age ball of the whole time.

    Args:
        speed: Speed in its last message [m/s].
        run_on: Longest time between that message and its failure [s].
        margin: Addition [m].
        a: Largest acceleration [m/s^2].
        tau: Lag [s].
    """
    return 0.5 * speed * run_on + age_ball(run_on, speed, a, tau, margin)


def uncertainty(
    settings: FilterSettings, others: Rows, i: int, speed: float, a: float, tau: float
) -> float:
    """Return the error [m] of the stopping point of another body.

    Args:
        settings: Delay, clock error, noise and bounds for silent bodies.
        others: The other bodies.
        i: Its row.
        speed: Speed in its last message [m/s].
        a: Its largest acceleration [m/s^2].
        tau: Its lag [s].
    """
    if others[i][KIND] == GHOST:
        margin = settings.ghost_margin + settings.noise
        return ghost_radius(speed, settings.run_on, margin, a, tau)
    age = others[i][AGE] + settings.delay + settings.clock_error
    return age_ball(age, speed, a, tau, settings.noise)


PIECES = 4
"""Chords into which the time at the acceleration limit is divided."""


class BrakingApproach(NamedTuple):
    """The least distance of two vehicles that brake.

    Attributes:
        x: Difference of their positions then, own minus other, east [m].
        y: The same north [m].
        slope: Derivative of the own way by the own speed [s].
        across: Own way per own speed [s].
        at_end: Whether that is where both have stopped.
    """

    x: float
    y: float
    slope: float
    across: float
    at_end: bool


def closest_approach(
    own: BrakingPath, other: BrakingPath, a: float, tau: float
) -> BrakingApproach:
    """Return the least distance of two vehicles with the same limits that brake.

    Args:
        own: Path of the own vehicle.
        other: Path of the other one.
        a: Largest acceleration of both [m/s^2].
        tau: Lag of both [s].
    """
    last = max(own.switch, other.switch)
    x, y, best, when = own.x - other.x, own.y - other.y, -1.0, 0.0
    if last > 0.0:
        for k in range(1, PIECES + 1):
            s = last * k / PIECES
            to_x, to_y, _, _ = _difference(own, other, s, a, tau)
            share, square = on_chord(x, y, to_x, to_y)
            if best < 0.0 or square < best:
                best, when = square, s - (1.0 - share) * (last / PIECES)
            x, y = to_x, to_y
    end_x, end_y = own.px - other.px, own.py - other.py
    share, square = on_chord(x, y, end_x, end_y)
    if 0.0 <= best < square:
        x, y, slope, across = _difference(own, other, when, a, tau)
        return BrakingApproach(x, y, slope, across, False)
    _, slope, across = travelled(own, last, a, tau)
    return BrakingApproach(
        x + share * (end_x - x),
        y + share * (end_y - y),
        slope + share * (own.slope - slope),
        across + share * (own.across - across),
        share == 1.0,
    )


def on_chord(x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """Return the share of the way to the nearest point of a chord to 0, and its squared norm."""
    rx, ry = to_x - x, to_y - y
    square = rx * rx + ry * ry
    share = 0.0 if square == 0.0 else min(1.0, max(0.0, -(x * rx + y * ry) / square))
    x, y = x + share * rx, y + share * ry
    return share, x * x + y * y


def _difference(
    own: BrakingPath, other: BrakingPath, s: float, a: float, tau: float
) -> tuple[float, float, float, float]:
    """Return the difference of the positions [m] at a time [s], and the own derivatives [s]."""
    way, slope, across = travelled(own, s, a, tau)
    away, _, _ = travelled(other, s, a, tau)
    return (
        own.x + way * own.ux - other.x - away * other.ux,
        own.y + way * own.uy - other.y - away * other.uy,
        slope,
        across,
    )


WIDEST = 0.1
"""Least cosine of the angle: moving straight away from the known place is always allowed."""


class DirectionCone(NamedTuple):
    """Directions, and by how much their distances exceed D.

    Attributes:
        gap: Distance to D along the known direction, 0 if the ball reaches into D; below 0, so
            that the distance must grow, if even the known distance is smaller than D, or the
            error is a lasting one [m].
        cosine: Cosine of the angle of the other two directions.
        sine: Its sine.
        side_gap: Distance to D along these [m], at least 0.
    """

    gap: float
    cosine: float
    sine: float
    side_gap: float


def direction_cone(size: float, distance: float, e: float, lasting: bool) -> DirectionCone:
    """Return the cone of a difference.

    Args:
        size: Its known norm [m].
        distance: The distance D to keep [m], > 0.
        e: Its error [m], >= 0.
        lasting: Whether no message will make it smaller; then the vehicle leaves the ball.
    """
    gap = size - e - distance
    if gap < 0.0 and not lasting:
        gap = min(0.0, size - distance)
    if e * e == 0.0:  # also where the square of an error is below all numbers
        return DirectionCone(gap, 1.0, 0.0, max(0.0, gap))
    sine = 0.8 * e / max(size, e)
    cosine = math.sqrt(1.0 - sine * sine)
    side_gap = size * cosine - 0.6 * e - distance
    if side_gap < 0.0:
        side_gap = 0.0
        cosine = (size * size + distance * distance - e * e) / max(2.0 * size * distance, e * e)
        cosine = min(1.0, max(WIDEST, cosine))
        sine = math.sqrt(1.0 - cosine * cosine)
    return DirectionCone(gap, cosine, sine, side_gap)


def cone_of(kind: float, size: float, distance: float, e: float) -> DirectionCone:
    """Return the cone of a difference to a body of a kind; see ``direction_cone``."""
    cone = direction_cone(size, distance, e, kind == GHOST)
    if kind == DOUBTED and cone.gap < 0.0:
        return DirectionCone(0.0, cone.cosine, cone.sine, cone.side_gap)
    return cone


def separation_rows(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    near: int,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of the nearest other vehicles; return how many rows there are then.

    Args:
        settings: The filter's numbers.
        own: The own vehicle when the command takes effect.
        others: The other bodies.
        near: How many of them are near; their indices are in the rows (``nearest_bodies``).
        scratch: The rows.
        count: How many there are.
        tau: Lag [s].
    """
    for k in range(near):
        count = pair_rows(settings, own, others, int(scratch[k][INDEX]), scratch, count, tau)
    return count


def pair_rows(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    i: int,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of one other vehicle; return how many rows there are then."""
    a, kind, body_id = settings.limits[2], others[i][KIND], others[i][ID]
    vx, vy = others[i][VX], others[i][VY]
    speed = math.sqrt(vx * vx + vy * vy)
    other = other_path(settings, others, i, a, tau)
    error = uncertainty(settings, others, i, speed, a, tau)
    share = 0.5 if kind == MUTUAL else 1.0
    distance = settings.distance
    near = closest_approach(own, other, a, tau)
    if not near.at_end:
        nx, ny, gap = direction(near.x, near.y, own, other)
        count = _cone_rows(
            settings, own, nx, ny, cone_of(kind, gap, distance, error), near.slope, near.across,
            share, scratch, count, tau, body_id,
        )  # fmt: skip
    nx, ny, gap = direction(own.px - other.px, own.py - other.py, own, other)
    return _cone_rows(
        settings, own, nx, ny, cone_of(kind, gap, distance, error), own.slope, own.across, share,
        scratch, count, tau, body_id,
    )  # fmt: skip


def _cone_rows(
    settings: FilterSettings,
    own: BrakingPath,
    nx: float,
    ny: float,
    cone: DirectionCone,
    slope: float,
    across: float,
    share: float,
    scratch: Scratch,
    count: int,
    tau: float,
    body_id: float,
) -> int:
    """Add the half-planes of a direction and of those beside it that may become active."""
    ax, ay = braking_acceleration(own, settings.limits[2], tau)
    rate, fastest = share * settings.gamma, 2.0 * settings.limits[2] * slope
    for k in range(3):
        gap, x, y = cone.gap, nx, ny
        if k > 0:
            if cone.sine == 0.0:
                break
            turn = cone.sine if k == 1 else -cone.sine
            gap, x, y = cone.side_gap, cone.cosine * nx - turn * ny, cone.cosine * ny + turn * nx
        if rate * gap < fastest:
            mx, my = sensitivity(own, slope, across, x, y)
            need = -rate * gap
            count = add_half_plane(
                scratch, count, own, tau, mx, my, ax, ay, need, SEPARATION, body_id
            )  # fmt: skip
    return count


def direction(
    x: float, y: float, own: BrakingPath, other: BrakingPath
) -> tuple[float, float, float]:
    """Return the unit vector of a difference and its norm [m].

    Where two stopping points coincide the positions tell the direction; else it is east.
    """
    gap = math.sqrt(x * x + y * y)
    if gap > NO_DISTANCE:
        return x / gap, y / gap, gap
    x, y = own.x - other.x, own.y - other.y
    size = math.sqrt(x * x + y * y)
    if size > NO_DISTANCE:
        return x / size, y / size, gap
    return 1.0, 0.0, gap
