"""Geometry of a polyline: distances, remaining times, attitudes, and the checks before a step.

Rows of vertices are x, y, z, time. An attitude along a polyline points forward along a segment,
without roll.
"""

import math
from typing import Any

from velocity_mobility_ros.core.coordinate_frames import inverse, multiply, rotate
from velocity_mobility_ros.core.trajectory.polyline_records import (
    LIMIT_MAXIMUM,
    LIMIT_MINIMUM,
    MACHINE_EPSILON,
    STATE_ACCELERATION,
    STATE_ANGULAR_ACCELERATION,
    STATE_ANGULAR_VELOCITY,
    STATE_POSITION,
    STATE_SPEED,
    TOO_FEW_VERTICES,
    VERTEX_AHEAD,
    VERTEX_BEHIND,
    Attitude,
    FollowSettings,
    PathProgress,
    PathState,
)
from velocity_mobility_ros.core.velocity_model import Vector

Vertices = Any
"""Float64 array, (n, 4): x, y, z [m] and arrival time [s], NaN for none."""


def row_of(vertices: Vertices, progress: PathProgress, i: int) -> int:
    """Return the row of vertex ``i``; 0 is the previous vertex, 1 the next one."""
    return (progress.first + i) % len(vertices)


def vertex(vertices: Vertices, progress: PathProgress, i: int) -> Vector:
    """Return the position [m] of vertex ``i``."""
    row = row_of(vertices, progress, i)
    return float(vertices[row, 0]), float(vertices[row, 1]), float(vertices[row, 2])


def is_timed(vertices: Vertices, progress: PathProgress, i: int) -> bool:
    """Return whether vertex ``i`` has an arrival time that still counts."""
    if progress.passed + i <= progress.waived:
        return False
    return not math.isnan(vertices[row_of(vertices, progress, i), 3])


def timed_index(vertices: Vertices, progress: PathProgress) -> int:
    """Return the smallest ``i >= 1`` of a timed vertex, 0 if there is none."""
    for i in range(1, progress.left):
        if is_timed(vertices, progress, i):
            return i
    return 0


def arrival_time(vertices: Vertices, progress: PathProgress, i: int) -> float:
    """Return the arrival time [s] of vertex ``i`` as written, NaN for none."""
    base = 0.0 if math.isnan(progress.base_time) else progress.base_time
    return base + float(vertices[row_of(vertices, progress, i), 3])


def remaining_time(vertices: Vertices, progress: PathProgress, i: int, time: float) -> float:
    """Return the time [s] until vertex ``i`` is due, NaN if it is untimed; never exactly 0."""
    if i == 0 or not is_timed(vertices, progress, i):
        return math.nan
    remaining = arrival_time(vertices, progress, i) - time
    return MACHINE_EPSILON if remaining == 0.0 else remaining


def distance(a: Vector, b: Vector) -> float:
    """Return the distance [m] between two points."""
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


def distance_along(vertices: Vertices, progress: PathProgress, position: Vector, i: int) -> float:
    """Return the distance [m] to vertex ``i >= 1``: to the next one, and on along the polyline."""
    total = distance(position, vertex(vertices, progress, 1))
    for k in range(1, i):
        total += distance(vertex(vertices, progress, k + 1), vertex(vertices, progress, k))
    return total


def planning_index(progress: PathProgress, timed: int) -> int:
    """Return the vertex to plan for: the nearest timed one, else the last."""
    return timed if timed > 0 else progress.left - 1


def is_braking(progress: PathProgress, timed: int) -> bool:
    """Return whether to come to rest at the vertex that is planned for."""
    return timed in (0, progress.left - 1)


def is_less(a: float, b: float) -> bool:
    """Return whether ``a`` is less than ``b`` by more than rounding; False for NaN."""
    return b - a > MACHINE_EPSILON * max(abs(a), abs(b))


FORWARD: Vector = (1.0, 0.0, 0.0)


def norm(vector: Vector) -> float:
    """Return the length of a vector, in its own unit."""
    x, y, z = vector
    return math.sqrt(x * x + y * y + z * z)


def difference(a: Vector, b: Vector) -> Vector:
    """Return ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(vector: Vector, factor: float) -> Vector:
    """Return a vector times a factor."""
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


def unit_vector(vector: Vector) -> Vector:
    """Return the direction of a vector that is not zero."""
    length = norm(vector)
    return vector[0] / length, vector[1] / length, vector[2] / length


def inner(a: Vector, b: Vector) -> float:
    """Return the scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def attitude_along(vector: Vector) -> Attitude:
    """Return the attitude of a body that looks along a vector: yaw, then pitch, no roll."""
    yaw = math.atan2(vector[1], vector[0])
    level = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1])
    pitch = math.atan2(-vector[2], level)
    sy, cy = math.sin(yaw / 2.0), math.cos(yaw / 2.0)
    sp, cp = math.sin(pitch / 2.0), math.cos(pitch / 2.0)
    return -sy * sp, cy * sp, sy * cp, cy * cp


def heading(attitude: Attitude) -> Vector:
    """Return the direction in which a body looks, a unit vector."""
    return rotate(attitude, FORWARD)


def roll_pitch_yaw(attitude: Attitude) -> Vector:
    """Return the angles [rad] of a unit quaternion; yaw is applied first."""
    x, y, z, w = attitude
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return roll, pitch, yaw


def turn_between(before: Attitude, after: Attitude) -> Vector:
    """Return roll, pitch and yaw [rad] of the turn from one attitude to the next."""
    return roll_pitch_yaw(multiply(inverse(before), after))


def is_finite(vector: Vector) -> bool:
    """Return whether all components are finite."""
    return math.isfinite(vector[0]) and math.isfinite(vector[1]) and math.isfinite(vector[2])


def state_fault(state: PathState) -> int:
    """Return the code of the first number of a body that is not finite, else 0."""
    if not is_finite(state.position):
        return STATE_POSITION
    if not math.isfinite(state.acceleration):
        return STATE_ACCELERATION
    if not is_finite(state.angular_acceleration):
        return STATE_ANGULAR_ACCELERATION
    if not math.isfinite(state.speed):
        return STATE_SPEED
    if not is_finite(state.angular_velocity):
        return STATE_ANGULAR_VELOCITY
    return 0


def fault(vertices: Vertices, state: PathState, settings: FollowSettings) -> int:
    """Return the code of the first fault of body, vertices and limits, else 0."""
    found = state_fault(state)
    if found != 0:
        return found
    if state.progress.left < 2:
        return TOO_FEW_VERTICES
    if not is_finite(vertex(vertices, state.progress, 0)):
        return VERTEX_BEHIND
    if not is_finite(vertex(vertices, state.progress, 1)):
        return VERTEX_AHEAD
    limits, dt = settings.limits, settings.dt
    most = min(state.acceleration + limits.acceleration_rate * dt, limits.max_acceleration)
    if not math.isfinite(most):
        return LIMIT_MAXIMUM
    least = max(state.acceleration - limits.deceleration_rate * dt, -limits.max_deceleration)
    if not math.isfinite(least):
        return LIMIT_MINIMUM
    return 0
