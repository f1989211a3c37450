"""Records, outcomes and tolerances of the polyline rules.

The records hold limits, settings, the followed body and its progress. The outcome of a step is a
whole number, for compiled code, with a name and a text; callers of Python get one type of error
with such a code, the followed entity and the vertex. The tolerances are those of the original,
scenario_simulator_v2 (Tier IV).

Is there time to go from rest to rest on a leg, the way from one timed vertex to the next? With A,
J the smaller ones of both limits of acceleration and jerk, V the largest speed and d the length of
the leg, the shortest time is

    d >= V T_acc(V):   2 T_acc + (d - V T_acc) / V,  T_acc = V / A + A / J or 2 sqrt(V / J)
    d >= 2 A^3 / J^2:  2 (v / A + A / J),  v = (-A^2 / J + sqrt(A^4 / J^2 + 4 A d)) / 2
    else:              4 (d / (2 J))^(1/3)

Source: double S profile, Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and
Robots, 2008, section 3.4. The search over a grid of accelerations needs a little more than that.
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
    """Input of the speed controller in one step.

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

FIRST_ERROR = 10
(
    NON_FINITE_STATE, TOO_FEW_VERTICES, NON_FINITE_VERTEX, NON_FINITE_ACCELERATION_LIMIT,
    ARRIVAL_TIME_MISSED, NON_FINITE_VELOCITY, NON_FINITE_DESIRED, FOLLOW_MODE_UNSUPPORTED,
    CONTRADICTORY_LIMITS, INCORRECT_LIMITS, NO_TIME_TO_ZERO_ACCELERATION,
    NO_ACCELERATION_FOUND, PREDICTED_DISTANCE_TOO_FAR, SPEED_NOT_ZERO_IN_PENULTIMATE_STEP,
    TIME_NOT_ROUNDABLE, IMMOBILE_SHORT_OF_FINAL, TIMED_WAYPOINT_NOT_REACHED, ENDLESS_ADVANCE,
) = range(FIRST_ERROR, FIRST_ERROR + 18)

TEXTS = {
    'NON_FINITE_STATE': 'position, speed, acceleration or turning of the body is not finite',
    'TOO_FEW_VERTICES': 'a polyline needs 2 vertices, the previous one and the next',
    'NON_FINITE_VERTEX': 'the position of a vertex is not finite',
    'NON_FINITE_ACCELERATION_LIMIT': 'an acceleration limit of this step is not finite',
    'ARRIVAL_TIME_MISSED': 'the arrival time has passed',
    'NON_FINITE_VELOCITY': 'the velocity to move with is not finite',
    'NON_FINITE_DESIRED': 'the chosen acceleration, speed or velocity is not finite',
    'FOLLOW_MODE_UNSUPPORTED': 'only following by position is implemented',
    'CONTRADICTORY_LIMITS': 'the smallest acceleration exceeds the largest one',
    'INCORRECT_LIMITS': 'the limits of acceleration lead to a speed out of range',
    'NO_TIME_TO_ZERO_ACCELERATION': 'no time to bring the acceleration to zero',
    'NO_ACCELERATION_FOUND': 'no acceleration leads to the vertex',
    'PREDICTED_DISTANCE_TOO_FAR': 'the vertex is too far for its arrival time',
    'SPEED_NOT_ZERO_IN_PENULTIMATE_STEP': 'too fast to stop in the last step',
    'TIME_NOT_ROUNDABLE': 'a time is not finite or too large',
    'IMMOBILE_SHORT_OF_FINAL': 'stopped too far from the last vertex',
    'TIMED_WAYPOINT_NOT_REACHED': 'the arrival time is reached, the vertex is not',
    'ENDLESS_ADVANCE': 'all vertices are at one place, passed in one step',
}
"""What is wrong, by name, in the order of the codes."""

NAMES = dict(enumerate(TEXTS, FIRST_ERROR))


class PolylineError(MobilityError):
    """A polyline is invalid, or cannot be followed.

    Attributes:
        code: Name of the error, such as ``ARRIVAL_TIME_MISSED``.
        entity: What follows the polyline; empty if not known.
        vertex: Index of the vertex, counted from 0; None if the error is about none.
        detail: What is wrong, without entity and vertex.
    """

    def __init__(
        self, code: str, detail: str, entity: str = '', vertex: int | None = None
    ) -> None:
        """Make the message."""
        self.code, self.entity, self.vertex, self.detail = code, entity, vertex, detail
        where = [entity] * bool(entity) + [f'vertex {vertex}'] * (vertex is not None)
        super().__init__(': '.join([*where, f'{detail} [{code}]']))


def error_of(code: int, time: float, entity: str = '', vertex: int | None = None) -> PolylineError:
    """Return the error of a code of a step at a time [s]."""
    detail = f'{TEXTS[NAMES[code]]} (at {time:.3f} s)'
    return PolylineError(NAMES[code], detail, entity, vertex)


RESERVE = 0.05
"""Share of the shortest time that is kept in reserve."""

RESERVE_STEPS = 3.0
"""Steps that are kept in reserve."""


class Shortfall(NamedTuple):
    """A timed vertex that cannot be reached in time.

    Attributes:
        vertex: Its index, counted from 0.
        time: Its arrival time [s], as written.
        length: Length [m] of the leg that ends there.
        needed: Time [s] that the leg needs.
        available: Time [s] that there is.
    """

    vertex: int
    time: float
    length: float
    needed: float
    available: float

    def __str__(self) -> str:
        """Return one line that names the vertex, its time and what is missing."""
        return (
            f'vertex {self.vertex} at {self.time:g} s: {self.length:.3g} m from the one before '
            f'need {self.needed:.3g} s, there are {self.available:.3g} s, '
            f'{self.needed - self.available:.3g} s too few; give it more time or raise the limits'
        )


def acceleration_time(speed: float, acceleration: float, jerk: float) -> float:
    """Return the shortest time [s] from rest to a constant speed [m/s]."""
    if speed >= acceleration * acceleration / jerk:
        return speed / acceleration + acceleration / jerk
    return 2.0 * math.sqrt(speed / jerk)


def shortest_time(length: float, limits: SpeedLimits) -> float:
    """Return the shortest time [s] from rest to rest over a length [m]."""
    speed = limits.max_speed
    a = min(limits.max_acceleration, limits.max_deceleration)
    j = min(limits.acceleration_rate, limits.deceleration_rate)
    ramp = acceleration_time(speed, a, j)
    if length >= speed * ramp:
        return 2.0 * ramp + (length - speed * ramp) / speed
    if length >= 2.0 * a * a * a / (j * j):
        k = a * a / j
        peak = (-k + math.sqrt(k * k + 4.0 * a * length)) / 2.0
        return 2.0 * (peak / a + a / j)
    return 4.0 * math.exp(math.log(length / (2.0 * j)) / 3.0) if length > 0.0 else 0.0


def needed_time(length: float, settings: FollowSettings) -> float:
    """Return the time [s] for a leg of a length [m], with a reserve."""
    reserve = RESERVE_STEPS * settings.dt
    return shortest_time(length, settings.limits) * (1.0 + RESERVE) + reserve
