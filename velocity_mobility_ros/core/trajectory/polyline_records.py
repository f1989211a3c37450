"""Records, outcomes and tolerances of the polyline rules.

The records hold limits, settings, the followed body and its progress. The outcome of a step is a
whole number, for compiled code, with a name and a text; callers of Python get one type of error
with such a code, the followed entity and the vertex. The tolerances are those of the original,
scenario_simulator_v2 (Tier IV).
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.core.velocity_model import Vector

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


STEPS = 30
"""Number of intervals between the smallest and the largest acceleration that are searched."""

TIME_TOLERANCE = 1e-6
"""Tolerance of times [s]."""

DISTANCE_TOLERANCE = 1.0
"""Largest distance [m] by which a prediction may exceed the distance to a vertex."""

ARRIVAL_DISTANCE = 0.1
"""Distance [m] to the last vertex at which the body has arrived."""

EPSILON = 1e-12
"""Speeds [m/s] and accelerations [m/s^2] below it are zero."""

MACHINE_EPSILON = 2.220446049250313e-16
"""The spacing of floating-point numbers at 1."""

MAX_STEPS = 200_000
"""Length of a prediction after which it is given up."""

LARGEST_STEPS = 1e15
"""Number of steps from which rounding a time is refused."""


MOVED = 0
FINISHED = 1

STATE_POSITION = 10
STATE_ACCELERATION = 11
STATE_ANGULAR_ACCELERATION = 12
STATE_SPEED = 13
STATE_ANGULAR_VELOCITY = 14
TOO_FEW_VERTICES = 20
VERTEX_BEHIND = 21
VERTEX_AHEAD = 22
VERTEX_ANY = 23
LIMIT_MAXIMUM = 30
LIMIT_MINIMUM = 31
ARRIVAL_TIME_MISSED = 40
VELOCITY = 50
DESIRED_ACCELERATION = 60
DESIRED_SPEED = 61
DESIRED_VELOCITY = 62
FOLLOW_MODE_UNSUPPORTED = 70
CONTRADICTORY_LIMITS = 80
INCORRECT_LIMITS = 81
NO_TIME_TO_ZERO_ACCELERATION = 82
NO_ACCELERATION_FOUND = 83
PREDICTED_DISTANCE_TOO_FAR = 84
SPEED_NOT_ZERO_IN_PENULTIMATE_STEP = 85
TIME_NOT_ROUNDABLE = 86
IMMOBILE_SHORT_OF_FINAL = 90
TIMED_WAYPOINT_NOT_REACHED = 91
ENDLESS_ADVANCE = 92
TIMES_NOT_INCREASING = 100
NOT_A_LIMIT = 101
NOT_A_STEP = 102
CLOSED_TOO_SHORT = 103
NO_TRAJECTORY = 110
TIME_UNKNOWN = 111
NOT_A_POLYLINE = 112
NOT_A_REPLAY = 113
VERTEX_TIME = 114
CLOSED_WITHOUT_BASE = 115
NOT_A_SPEED = 116

NAMES = {
    STATE_POSITION: 'NON_FINITE_STATE',
    STATE_ACCELERATION: 'NON_FINITE_STATE',
    STATE_ANGULAR_ACCELERATION: 'NON_FINITE_STATE',
    STATE_SPEED: 'NON_FINITE_STATE',
    STATE_ANGULAR_VELOCITY: 'NON_FINITE_STATE',
    TOO_FEW_VERTICES: 'TOO_FEW_VERTICES',
    VERTEX_BEHIND: 'NON_FINITE_VERTEX',
    VERTEX_AHEAD: 'NON_FINITE_VERTEX',
    VERTEX_ANY: 'NON_FINITE_VERTEX',
    LIMIT_MAXIMUM: 'NON_FINITE_ACCELERATION_LIMIT',
    LIMIT_MINIMUM: 'NON_FINITE_ACCELERATION_LIMIT',
    ARRIVAL_TIME_MISSED: 'ARRIVAL_TIME_MISSED',
    VELOCITY: 'NON_FINITE_VELOCITY',
    DESIRED_ACCELERATION: 'NON_FINITE_DESIRED',
    DESIRED_SPEED: 'NON_FINITE_DESIRED',
    DESIRED_VELOCITY: 'NON_FINITE_DESIRED',
    FOLLOW_MODE_UNSUPPORTED: 'FOLLOW_MODE_UNSUPPORTED',
    CONTRADICTORY_LIMITS: 'CONTRADICTORY_LIMITS',
    INCORRECT_LIMITS: 'INCORRECT_LIMITS',
    NO_TIME_TO_ZERO_ACCELERATION: 'NO_TIME_TO_ZERO_ACCELERATION',
    NO_ACCELERATION_FOUND: 'NO_ACCELERATION_FOUND',
    PREDICTED_DISTANCE_TOO_FAR: 'PREDICTED_DISTANCE_TOO_FAR',
    SPEED_NOT_ZERO_IN_PENULTIMATE_STEP: 'SPEED_NOT_ZERO_IN_PENULTIMATE_STEP',
    TIME_NOT_ROUNDABLE: 'TIME_NOT_ROUNDABLE',
    IMMOBILE_SHORT_OF_FINAL: 'IMMOBILE_SHORT_OF_FINAL',
    TIMED_WAYPOINT_NOT_REACHED: 'TIMED_WAYPOINT_NOT_REACHED',
    ENDLESS_ADVANCE: 'ENDLESS_ADVANCE',
    TIMES_NOT_INCREASING: 'TIMES_NOT_INCREASING',
    NOT_A_LIMIT: 'INVALID_LIMIT',
    NOT_A_STEP: 'INVALID_STEP',
    CLOSED_TOO_SHORT: 'CLOSED_TOO_SHORT',
    NO_TRAJECTORY: 'NO_TRAJECTORY',
    TIME_UNKNOWN: 'TIME_UNKNOWN',
    NOT_A_POLYLINE: 'NOT_A_POLYLINE',
    NOT_A_REPLAY: 'NOT_A_REPLAY',
    VERTEX_TIME: 'NON_FINITE_VERTEX',
    CLOSED_WITHOUT_BASE: 'CLOSED_WITHOUT_BASE',
    NOT_A_SPEED: 'INVALID_LIMIT',
}
"""Names of the errors; several codes may share one, with a text each."""

TEXTS = {
    STATE_POSITION: 'the position is not finite',
    STATE_ACCELERATION: 'the acceleration is not finite',
    STATE_ANGULAR_ACCELERATION: 'the angular acceleration is not finite',
    STATE_SPEED: 'the speed is not finite',
    STATE_ANGULAR_VELOCITY: 'the angular velocity is not finite',
    TOO_FEW_VERTICES: 'a polyline needs 2 vertices, the previous one and the next',
    VERTEX_BEHIND: 'the position of the previous vertex is not finite',
    VERTEX_AHEAD: 'the position of the next vertex is not finite',
    VERTEX_ANY: 'its position must be finite and at most 1e+09 m',
    LIMIT_MAXIMUM: 'the largest acceleration of this step is not finite',
    LIMIT_MINIMUM: 'the smallest acceleration of this step is not finite',
    ARRIVAL_TIME_MISSED: 'the arrival time has passed',
    VELOCITY: 'the velocity to move with is not finite',
    DESIRED_ACCELERATION: 'the chosen acceleration is not finite',
    DESIRED_SPEED: 'the chosen speed is not finite',
    DESIRED_VELOCITY: 'the chosen velocity is not finite',
    FOLLOW_MODE_UNSUPPORTED: 'only following by position is implemented',
    CONTRADICTORY_LIMITS: 'the smallest acceleration exceeds the largest one',
    INCORRECT_LIMITS: 'the limits of acceleration lead to a speed out of range',
    NO_TIME_TO_ZERO_ACCELERATION: 'no time to bring the acceleration to zero',
    NO_ACCELERATION_FOUND: 'no acceleration leads to the vertex',
    PREDICTED_DISTANCE_TOO_FAR: 'the vertex is too far for its arrival time',
    SPEED_NOT_ZERO_IN_PENULTIMATE_STEP: 'too fast to stop in the last step',
    TIME_NOT_ROUNDABLE: 'a time is not finite or too large',
    IMMOBILE_SHORT_OF_FINAL: 'stopped too far from the last vertex',
    TIMED_WAYPOINT_NOT_REACHED: 'the arrival time is reached, the vertex is not',
    ENDLESS_ADVANCE: 'all vertices are at one place, passed in one step',
    TIMES_NOT_INCREASING: 'its time must be after that of the timed vertex before',
    NOT_A_LIMIT: 'every limit must be finite and above 0',
    NOT_A_STEP: 'the step must be finite and above 0 s',
    CLOSED_TOO_SHORT: 'a closed polyline needs 3 vertices',
    NO_TRAJECTORY: 'there is no polyline to follow',
    TIME_UNKNOWN: 'the time of the body is not finite',
    NOT_A_POLYLINE: 'vertices must be rows of x, y, z, time',
    NOT_A_REPLAY: 'a replay needs 2 vertices, all of them timed',
    VERTEX_TIME: 'its time must be finite, or missing',
    CLOSED_WITHOUT_BASE: 'times of a closed polyline must count from a base time',
    NOT_A_SPEED: 'the cruise speed must be finite and at least 0 m/s, or missing',
}
"""What is wrong, without the entity and the vertex."""


class PolylineError(MobilityError):
    """A polyline is invalid, or cannot be followed.

    Attributes:
        code: Name of the error, such as ``ARRIVAL_TIME_MISSED``.
        entity: What follows the polyline; empty if not known.
        vertex: Index of the vertex, counted from 0; None if the error is about none.
        detail: What is wrong, without entity and vertex.
    """

    def __init__(
        self, code: int, entity: str = '', vertex: int | None = None, detail: str = ''
    ) -> None:
        """Make the message.

        Args:
            code: The code.
            entity: What follows the polyline.
            vertex: Index of the vertex.
            detail: Values, after the text of the code.
        """
        self.code = NAMES[code]
        self.entity = entity
        self.vertex = vertex
        self.detail = TEXTS[code] + (f' ({detail})' if detail else '')
        where = [entity] * bool(entity) + [f'vertex {vertex}'] * (vertex is not None)
        super().__init__(': '.join([*where, f'{self.detail} [{self.code}]']))
