"""Records of the polyline rules: limits, settings, the followed body, its progress."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

Attitude = tuple[float, float, float, float]

LEVEL: Attitude = (0.0, 0.0, 0.0, 1.0)
STILL: Vector = (0.0, 0.0, 0.0)


class SpeedLimits(NamedTuple):
    """Limits of the motion along the polyline.

    Attributes:
        max_speed: Largest speed [m/s].
        max_acceleration: Largest acceleration [m/s^2].
        acceleration_rate: Largest increase of the acceleration [m/s^3].
        max_deceleration: Largest deceleration [m/s^2], positive.
        deceleration_rate: Largest decrease of the acceleration [m/s^3], positive.
    """

    max_speed: float = 8.0
    max_acceleration: float = 3.0
    acceleration_rate: float = 6.0
    max_deceleration: float = 3.0
    deceleration_rate: float = 6.0


class FollowSettings(NamedTuple):
    """How a polyline is followed.

    Attributes:
        limits: Limits of the motion.
        cruise_speed: Speed [m/s] where no timed vertex is ahead; NaN: the largest speed.
        dt: Step [s].
        original: Whether to apply the rules of the original, with their failures.
        strict: Whether a missed arrival time or a stop short of the last vertex is an error;
            else the vertex becomes untimed, and the body goes on.
        cuts_corners: Whether the step that reaches a vertex is made towards the next one, and a
            body that has passed the last vertex turns round at speed, as in the original; else
            steps pass vertices on the polyline, and the body stops before it returns.
        by_position: Whether vertices are positions to fly through, the only mode there is.
    """

    limits: SpeedLimits = SpeedLimits()
    cruise_speed: float = math.nan
    dt: float = 0.05
    original: bool = False
    strict: bool = False
    cuts_corners: bool = False
    by_position: bool = True


class PathProgress(NamedTuple):
    """Where on the polyline a body is.

    Attributes:
        first: Row of the previous vertex in the array of vertices.
        left: Number of vertices left, the previous one included.
        closed: Whether the first vertex follows the last one.
        passed: Number of vertices passed since the start.
        waived: Vertices up to this number have lost their arrival time, as it was missed.
        base_time: Time [s] from which vertex times count; NaN: they are absolute.
        due: Arrival time [s] of the last timed vertex that was missed or reached; NaN: none yet.
        lateness: By how much [s] that vertex was missed, so far if it is still ahead.
    """

    first: int
    left: int
    closed: bool
    passed: int
    waived: int
    base_time: float
    due: float
    lateness: float


class PathState(NamedTuple):
    """A body on a polyline.

    Attributes:
        time: Time [s].
        position: Position [m].
        attitude: Rotation from the body to the world (x, y, z, w).
        speed: Forward speed [m/s].
        acceleration: Its rate [m/s^2].
        angular_velocity: Roll, pitch and yaw rate [rad/s].
        angular_acceleration: Their rates [rad/s^2].
        progress: Where on the polyline it is.
    """

    time: float
    position: Vector
    attitude: Attitude
    speed: float
    acceleration: float
    angular_velocity: Vector
    angular_acceleration: Vector
    progress: PathProgress


class SpeedTask(NamedTuple):
    """What the speed controller knows in one step.

    Attributes:
        target_speed: Desired speed [m/s].
        limits: Limits of the motion.
        dt: Step [s].
        original: Whether to apply the rules of the original.
    """

    target_speed: float
    limits: SpeedLimits
    dt: float
    original: bool


def start_progress(
    vertices: int, base_time: float = math.nan, closed: bool = False
) -> PathProgress:
    """Return the progress at the start of a polyline of some vertices."""
    return PathProgress(0, vertices, closed, 0, 0, base_time, math.nan, 0.0)


def start_state(
    time: float,
    position: Vector,
    progress: PathProgress,
    speed: float = 0.0,
    acceleration: float = 0.0,
    attitude: Attitude = LEVEL,
) -> PathState:
    """Return a body at the start of a polyline, which does not turn."""
    return PathState(time, position, attitude, speed, acceleration, STILL, STILL, progress)
