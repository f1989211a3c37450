"""Replay of a recorded track: linear between the poses, exact at their times.

    position = p0 + (p1 - p0) s,  attitude = slerp(q0, q1, s),  s = (t - t0) / (t1 - t0)

Before the first pose and after the last one the body holds. Source: do-nothing behaviour of
scenario_simulator_v2 (Tier IV), for entities that only follow a recording; slerp by Shoemake,
Animating rotation with quaternion curves, 1985.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.frames import unit
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.codes import NOT_A_REPLAY
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.orientation import (
    attitude_along,
    difference,
    norm,
    scaled,
    turn_between,
)
from velocity_mobility_ros.core.polyline.path import polyline
from velocity_mobility_ros.core.polyline.queries import distance
from velocity_mobility_ros.core.polyline.records import LEVEL, Attitude

NEARLY_PARALLEL = 0.9995
"""Cosine between two quaternions from which they are blended linearly."""


class ReplayState(NamedTuple):
    """A replayed body.

    Attributes:
        time: Time [s].
        position: Position [m].
        attitude: Rotation from the body to the world (x, y, z, w).
        speed: Speed [m/s] on the present segment.
        yaw_rate: Yaw rate [rad/s] on it.
        acceleration: Change of the speed since the step before [m/s^2].
        jerk: Change of the acceleration since then [m/s^3].
    """

    time: float
    position: Vector
    attitude: Attitude
    speed: float
    yaw_rate: float
    acceleration: float
    jerk: float


class Track(NamedTuple):
    """A recorded track that was checked by ``track``.

    Attributes:
        vertices: Float64 array, (n, 4): x, y, z [m] and time [s].
        attitudes: Float64 array, (n, 4): x, y, z, w.
    """

    vertices: NDArray[np.float64]
    attitudes: NDArray[np.float64]


def track(
    rows: Sequence[Sequence[float]] | NDArray[np.float64],
    attitudes: Sequence[Attitude] = (),
    entity: str = '',
) -> Track:
    """Return a checked track.

    Args:
        rows: One pose a row: x, y, z [m] and time [s].
        attitudes: Its attitude, x, y, z, w; none: along the segments.
        entity: What follows it, for the error.

    Raises:
        PolylineError: There are fewer than 2 poses, one is untimed or not finite, times do not
            increase, or there is another number of attitudes.
    """
    vertices = polyline(rows, entity=entity).vertices
    times = vertices[:, 3]
    if np.isnan(times).any():
        raise PolylineError(NOT_A_REPLAY, entity, int(np.isnan(times).argmax()), 'untimed')
    if not times[1] > times[0]:
        raise PolylineError(NOT_A_REPLAY, entity, 1, f'{times[1]:g} s after {times[0]:g} s')
    if attitudes and len(attitudes) != len(vertices):
        detail = f'{len(attitudes)} attitudes, {len(vertices)} positions'
        raise PolylineError(NOT_A_REPLAY, entity, None, detail)
    given = [unit(one) for one in attitudes] or _attitudes_along(vertices)
    return Track(vertices, np.array(given))


def _attitudes_along(vertices: NDArray[np.float64]) -> list[Attitude]:
    """Return the attitudes along the segments; the last one holds to the end."""
    found: list[Attitude] = []
    for a, b in zip(vertices[:-1, :3].tolist(), vertices[1:, :3].tolist(), strict=True):
        way = difference(tuple(b), tuple(a))
        found.append(attitude_along(way) if norm(way) > 0.0 else (found or [LEVEL])[-1])
    return [*found, found[-1]]


def replay_step(vertices: Any, attitudes: Any, before: ReplayState, time: float) -> ReplayState:
    """Return a replayed body at a time [s].

    Args:
        vertices: ``Track.vertices``.
        attitudes: ``Track.attitudes``.
        before: The body a step before.
        time: The time, later than that.
    """
    i = _segment(vertices, time)
    if i < 0 or i + 1 >= len(vertices):
        row = max(i, 0)
        return _replayed(before, time, _place(vertices, row), _turn(attitudes, row), 0.0, 0.0)
    a, b = _place(vertices, i), _place(vertices, i + 1)
    p, q = _turn(attitudes, i), _turn(attitudes, i + 1)
    lasts = float(vertices[i + 1, 3] - vertices[i, 3])
    share = (time - float(vertices[i, 3])) / lasts
    x, y, z = scaled(difference(b, a), share)
    position = a[0] + x, a[1] + y, a[2] + z
    yaw_rate = turn_between(p, q)[2] / lasts
    return _replayed(before, time, position, slerp(p, q, share), distance(a, b) / lasts, yaw_rate)


def start_of(vertices: Any, attitudes: Any, time: float) -> ReplayState:
    """Return the body at rest at the first pose, at a time [s]."""
    return ReplayState(time, _place(vertices, 0), _turn(attitudes, 0), 0.0, 0.0, 0.0, 0.0)


def slerp(p: Attitude, q: Attitude, share: float) -> Attitude:
    """Return the attitude at a share of the shortest turn from ``p`` to ``q``."""
    cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
    sign = -1.0 if cosine < 0.0 else 1.0
    cosine = min(abs(cosine), 1.0)
    first, second = 1.0 - share, share
    if cosine < NEARLY_PARALLEL:
        angle = math.acos(cosine)
        first = math.sin(first * angle) / math.sin(angle)
        second = math.sin(second * angle) / math.sin(angle)
    second *= sign
    x, y = first * p[0] + second * q[0], first * p[1] + second * q[1]
    z, w = first * p[2] + second * q[2], first * p[3] + second * q[3]
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


def _segment(vertices: Any, time: float) -> int:
    """Return the last row whose time is not after a time [s], -1 if there is none."""
    low, high = -1, len(vertices)
    while high - low > 1:
        middle = (low + high) // 2
        if vertices[middle, 3] <= time:
            low = middle
        else:
            high = middle
    return low


def _place(vertices: Any, row: int) -> Vector:
    return float(vertices[row, 0]), float(vertices[row, 1]), float(vertices[row, 2])


def _turn(attitudes: Any, row: int) -> Attitude:
    x, y, z, w = attitudes[row, 0], attitudes[row, 1], attitudes[row, 2], attitudes[row, 3]
    return float(x), float(y), float(z), float(w)


def _replayed(
    before: ReplayState,
    time: float,
    position: Vector,
    attitude: Attitude,
    speed: float,
    yaw_rate: float,
) -> ReplayState:
    dt = time - before.time
    acceleration = (speed - before.speed) / dt
    jerk = (acceleration - before.acceleration) / dt
    return ReplayState(time, position, attitude, speed, yaw_rate, acceleration, jerk)
