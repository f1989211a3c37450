"""Messages of AP_DDS as parts of reports; they are in ENU and FLU already.

Several traps: the twist has a linear part along ENU axes and an angular part along those of the
body; the frame_id says ``base_link`` in all of them; and where ArduPilot does not know a place,
it repeats the last one, at first latitude 0 and longitude 0.
"""

import math
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.ardupilot.modes import mode_of_name, name_of
from velocity_mobility_ros.autopilot.reports import VehicleStatus
from velocity_mobility_ros.autopilot.standard_messages import attitude, stamp_us, vector
from velocity_mobility_ros.core.frames import Quaternion
from velocity_mobility_ros.core.model import Vector

COPTERS = (2, 13)
"""Vehicle types that fly like a copter: ArduCopter, and its helicopters."""

FAILSAFES = {21: 'remote control', 22: 'battery', 23: 'ground station', 24: 'estimator'}
EKF_FAILSAFE = 24


class Place(NamedTuple):
    """A place on Earth.

    Attributes:
        received: Local monotonic time of arrival [s].
        latitude: [deg].
        longitude: [deg].
        altitude: Above mean sea level [m].
    """

    received: float
    latitude: float
    longitude: float
    altitude: float


class Pose(NamedTuple):
    """A pose about HOME.

    Attributes:
        stamp_us: Its stamp [us].
        position: East, north, up [m].
        attitude: Of the FLU body in ENU, a unit quaternion (x, y, z, w).
    """

    stamp_us: int
    position: Vector
    attitude: Quaternion


class Speed(NamedTuple):
    """Velocity along ENU axes [m/s], angular velocity along those of the body [rad/s]."""

    received: float
    velocity: Vector
    angular_velocity: Vector


def vehicle_status(message: Any, received: float) -> VehicleStatus:
    """Return a Status as a report."""
    name = name_of(message.mode)
    failsafes = [FAILSAFES.get(one, f'failsafe {one}') for one in message.failsafe]
    said = f'{name}, failsafe: {", ".join(failsafes)}' if failsafes else name
    mode = mode_of_name(name)
    return VehicleStatus(
        received, bool(message.armed), mode, mode, said, is_failsafe=bool(failsafes)
    )


def vehicle_trouble(message: Any) -> str:
    """Return that the vehicle of a Status is none that hovers; empty if it is."""
    if message.vehicle_type in COPTERS:
        return ''
    return f'the vehicle is no ArduCopter (vehicle_type = {message.vehicle_type})'


def place(message: Any, received: float) -> Place | None:
    """Return a GeoPoseStamped; None if the place is not known."""
    at = message.pose.position
    values = (at.latitude, at.longitude, at.altitude)
    if not all(map(math.isfinite, values)) or (at.latitude, at.longitude) == (0.0, 0.0):
        return None
    return Place(received, *values)


def pose(message: Any) -> Pose | None:
    """Return a PoseStamped; None if it is not finite."""
    at, turn = vector(message.pose.position), attitude(message.pose.orientation)
    if turn is None or not all(map(math.isfinite, at)):
        return None
    return Pose(stamp_us(message), at, turn)


def speed(message: Any, received: float) -> Speed | None:
    """Return a TwistStamped; None if it is not finite."""
    linear, angular = vector(message.twist.linear), vector(message.twist.angular)
    is_finite = all(map(math.isfinite, (*linear, *angular)))
    return Speed(received, linear, angular) if is_finite else None


def horizontal_deviation(message: Any) -> float:
    """Return the standard deviation of a NavSatFix [m]: infinite without a fix, 0 if not told."""
    if message.status.status < 0:
        return math.inf
    if message.position_covariance_type == 0:
        return 0.0
    return math.sqrt(max(message.position_covariance[0], message.position_covariance[4], 0.0))
