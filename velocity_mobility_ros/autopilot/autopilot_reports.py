"""Reports of an autopilot, in ROS frames and free of its message types.

Local frame: ENU axes, origin where the vehicle's own estimator began (PX4) or at its home
(ArduPilot). ``received`` is always the local monotonic time of arrival [s]: ages and timeouts are
counted from it, never from stamps of messages.

Several autopilots report places, attitudes and batteries in standard ROS messages, which are read
here for all of them.
"""

import enum
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.core.coordinate_frames import Quaternion, unit
from velocity_mobility_ros.core.velocity_model import Vector

UNKNOWN: Vector = (math.nan, math.nan, math.nan)


class Mode(enum.Enum):
    """Flight mode: who flies the vehicle, and how; the autopilots' modes are mapped to these."""

    OFFBOARD = 'offboard'
    """The bridge: OFFBOARD of PX4, GUIDED of ArduPilot."""
    HOLD = 'hold'
    LAND = 'land'
    RETURN = 'return'
    TAKEOFF = 'take-off'
    DESCEND = 'descend'
    TERMINATION = 'termination'
    PILOT = 'pilot'
    """A mode that is flown by the sticks."""
    OTHER = 'other'
    """A mission, an orbit, ...: neither the bridge nor the sticks."""


class VehicleStatus(NamedTuple):
    """The status that the autopilot reports.

    Attributes:
        received: Local monotonic time of arrival [s].
        is_armed: Whether the motors may turn.
        mode: The mode in which it flies.
        intention: The mode that its user asked for: after a failsafe not the one it flies.
        mode_name: The autopilot's own name of ``mode``, for people.
        is_failsafe: Whether a failsafe acts.
        user_took_over: Whether the pilot took over during a failsafe.
        system_id: Its MAVLink system id; 0: not known.
        component_id: Its MAVLink component id.
        passes_preflight: Whether it would arm in its present mode.
        is_calibrating: Whether a calibration runs.
        safety_locked: Whether a safety switch is there and not pressed.
        disarm_reason: Why it disarmed last, in its own words; empty if it does not say.
        armed_us: Its own time when it was armed [us], another one for each arming; 0: it does not
            say, or is not armed.
    """

    received: float
    is_armed: bool
    mode: Mode
    intention: Mode
    mode_name: str = ''
    is_failsafe: bool = False
    user_took_over: bool = False
    system_id: int = 0
    component_id: int = 1
    passes_preflight: bool = True
    is_calibrating: bool = False
    safety_locked: bool = False
    disarm_reason: str = ''
    armed_us: int = 0


COUNTS = 256
"""The estimators' counters of jumps begin again at 0 after so many."""


class Resets(NamedTuple):
    """Counters of the estimator's jumps, 0 to 255, and the last jump of each.

    Attributes:
        xy: Jumps of the horizontal position.
        z: Jumps of the height.
        v_xy: Jumps of the horizontal velocity.
        v_z: Jumps of the vertical velocity.
        heading: Jumps of the heading.
        delta_xy: Last jump east, north [m].
        delta_z: Last jump up [m].
        delta_v_xy: Last jump east, north [m/s].
        delta_v_z: Last jump up [m/s].
        delta_heading: Last jump, counter-clockwise [rad].
    """

    xy: int = 0
    z: int = 0
    v_xy: int = 0
    v_z: int = 0
    heading: int = 0
    delta_xy: tuple[float, float] = (0.0, 0.0)
    delta_z: float = 0.0
    delta_v_xy: tuple[float, float] = (0.0, 0.0)
    delta_v_z: float = 0.0
    delta_heading: float = 0.0


class Reference(NamedTuple):
    """Where on Earth the local frame has its origin.

    Attributes:
        stamp: The autopilot's time when it was set [us]; another value: another origin.
        latitude: [deg].
        longitude: [deg].
        altitude: Above mean sea level [m].
    """

    stamp: int
    latitude: float
    longitude: float
    altitude: float


class LocalPosition(NamedTuple):
    """The estimate of position and velocity, and how far it can be trusted.

    Attributes:
        received: Local monotonic time of arrival [s].
        position: In the local frame [m].
        velocity: In the local frame [m/s].
        heading: From east, counter-clockwise [rad].
        xy_valid: Whether the horizontal position is valid.
        z_valid: Whether the height is valid.
        v_xy_valid: Whether the horizontal velocity is valid.
        v_z_valid: Whether the vertical velocity is valid.
        heading_valid: Whether the heading is good enough to fly by.
        dead_reckoning: Whether nothing measures the position at present.
        eph: Standard deviation of the horizontal position [m].
        evh: Standard deviation of the horizontal velocity [m/s].
        resets: Jumps of the estimate.
        reference: Origin on Earth; None: not known.
        max_speed_xy: Horizontal speed that the estimator can bear [m/s].
        max_speed_z: Vertical speed that the estimator can bear [m/s].
    """

    received: float
    position: Vector
    velocity: Vector
    heading: float
    xy_valid: bool = True
    z_valid: bool = True
    v_xy_valid: bool = True
    v_z_valid: bool = True
    heading_valid: bool = True
    dead_reckoning: bool = False
    eph: float = 0.0
    evh: float = 0.0
    resets: Resets = Resets()
    reference: Reference | None = None
    max_speed_xy: float = math.inf
    max_speed_z: float = math.inf


class VehicleOdometry(NamedTuple):
    """Pose and velocity of the body, fast.

    Attributes:
        received: Local monotonic time of arrival [s].
        sampled_us: The sender's stamp of the sample [us]: epoch, or time since its start.
        position: In the local frame [m].
        attitude: Of the FLU body in ENU, a unit quaternion (x, y, z, w).
        velocity: In the local frame [m/s].
        angular_velocity: In the FLU body [rad/s].
        position_variance: East, north, up [m^2]; NaN: not known.
        attitude_variance: Roll, pitch, yaw [rad^2]; NaN: not known.
        velocity_variance: East, north, up [m^2/s^2]; NaN: not known.
    """

    received: float
    sampled_us: int
    position: Vector
    attitude: Quaternion
    velocity: Vector
    angular_velocity: Vector
    position_variance: Vector = UNKNOWN
    attitude_variance: Vector = UNKNOWN
    velocity_variance: Vector = UNKNOWN


class LandState(NamedTuple):
    """Whether the vehicle stands.

    Attributes:
        received: Local monotonic time of arrival [s].
        landed: Whether it stands.
    """

    received: float
    landed: bool


class Battery(NamedTuple):
    """State of the battery.

    Attributes:
        received: Local monotonic time of arrival [s].
        is_connected: Whether there is one.
        remaining: Share that is left, 0 to 1; NaN: not known.
        warning: 0 none, 1 low, 2 critical, 3 emergency, 4 failed.
    """

    received: float
    is_connected: bool
    remaining: float
    warning: int = 0


class Flags(NamedTuple):
    """Results of the autopilot's own checks, by its own names, unknown ones included.

    Attributes:
        received: Local monotonic time of arrival [s].
        values: Name to value; a flag that is set (not 0) names a fault.
    """

    received: float
    values: Mapping[str, int]


NORM_ERROR = 0.05
"""Largest difference of an attitude's norm from 1."""


def reference(message: Any) -> Reference | None:
    """Return the place in a GeoPointStamped or a GeoPose; None if it is not known: 0, 0."""
    at = message.position
    if not all(map(math.isfinite, (at.latitude, at.longitude, at.altitude))):
        return None
    if (at.latitude, at.longitude) == (0.0, 0.0):
        return None
    return Reference(0, at.latitude, at.longitude, at.altitude)


def battery(message: Any, received: float) -> Battery:
    """Return a BatteryState as a report; a charge below 0 is not known.

    Args:
        message: The message.
        received: Monotonic time of its arrival [s].
    """
    share = message.percentage if message.percentage >= 0.0 else math.nan
    return Battery(received, bool(message.present), share)


def attitude(message: Any) -> Quaternion | None:
    """Return a Quaternion (x, y, z, w) with norm 1; None if it is no attitude."""
    quaternion = message.x, message.y, message.z, message.w
    return unit(quaternion) if abs(math.hypot(*quaternion) - 1.0) <= NORM_ERROR else None


def vector(message: Any) -> Vector:
    """Return a Vector3 or a Point."""
    return message.x, message.y, message.z


def stamp_us(message: Any) -> int:
    """Return the stamp of a message with a header [us]."""
    stamp = message.header.stamp
    return int(stamp.sec) * 1_000_000 + stamp.nanosec // 1000
