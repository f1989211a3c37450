"""One step of the body with a velocity."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.codes import MOVED, VELOCITY
from velocity_mobility_ros.core.polyline.constants import MACHINE_EPSILON
from velocity_mobility_ros.core.polyline.orientation import (
    attitude_along,
    difference,
    heading,
    norm,
    scaled,
    turn_between,
)
from velocity_mobility_ros.core.polyline.queries import Vertices, vertex
from velocity_mobility_ros.core.polyline.records import Attitude, PathProgress, PathState
from velocity_mobility_ros.core.polyline.validation import is_finite


class Followed(NamedTuple):
    """Result of a step.

    Attributes:
        state: The body after the step; before it, if the body did not move.
        code: MOVED, FINISHED, or an error code.
        vertex: Row of the vertex that an error is about.
    """

    state: PathState
    code: int
    vertex: int


def displacement(state: PathState, velocity: Vector, dt: float) -> Vector:
    """Return the way [m] of one step [s] that ends with a velocity [m/s].

    Along the velocity, or forward if it is zero, with the mean of both speeds.
    """
    speed = norm(velocity)
    way = 0.5 * (state.speed + speed) * dt
    if speed <= MACHINE_EPSILON:
        return scaled(heading(state.attitude), way)
    return scaled(velocity, way / speed)


def segment_attitude(vertices: Vertices, state: PathState) -> Attitude:
    """Return the attitude along the present segment; unchanged if the segment has no length."""
    progress = state.progress
    segment = difference(vertex(vertices, progress, 1), vertex(vertices, progress, 0))
    return attitude_along(segment) if norm(segment) > 0.0 else state.attitude


def moved_with(
    state: PathState, velocity: Vector, attitude: Attitude, row: int, dt: float
) -> Followed:
    """Return the body after one step [s] that ends with a velocity [m/s] and an attitude."""
    if not is_finite(velocity):
        return Followed(state, VELOCITY, row)
    speed, way = norm(velocity), displacement(state, velocity, dt)
    x, y, z = state.position
    turning = scaled(turn_between(state.attitude, attitude), 1.0 / dt)
    moved = PathState(
        state.time + dt,
        (x + way[0], y + way[1], z + way[2]),
        attitude,
        speed,
        (speed - state.speed) / dt,
        turning,
        scaled(difference(turning, state.angular_velocity), 1.0 / dt),
        state.progress,
    )
    return Followed(moved, MOVED, row)


def with_progress(state: PathState, progress: PathProgress) -> PathState:
    """Return a body with another progress."""
    return _placed(state, state.time, state.position, progress)


def with_position(state: PathState, position: Vector) -> PathState:
    """Return a body at another position [m]."""
    return _placed(state, state.time, position, state.progress)


def with_time(state: PathState, time: float) -> PathState:
    """Return a body at another time [s]."""
    return _placed(state, time, state.position, state.progress)


def _placed(state: PathState, time: float, position: Vector, progress: PathProgress) -> PathState:
    """Return a body with the same motion; compiled code knows no ``_replace``."""
    return PathState(
        time,
        position,
        state.attitude,
        state.speed,
        state.acceleration,
        state.angular_velocity,
        state.angular_acceleration,
        progress,
    )
