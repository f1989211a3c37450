"""MAVROS's messages as parts of reports; they are in ENU and FLU already."""

import math
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.mavros.dialects import Dialect
from velocity_mobility_ros.autopilot.reports import (
    LandState,
    LocalPosition,
    Reference,
    VehicleOdometry,
    VehicleStatus,
)
from velocity_mobility_ros.autopilot.standard_messages import attitude, stamp_us, vector
from velocity_mobility_ros.core.frames import rotate, yaw_from_quaternion

CRITICAL = 5
"""MAV_STATE from which on a failsafe acts."""

ON_GROUND, UNDEFINED = 1, 0
"""Values of MAV_LANDED_STATE."""

PREARM_CHECK = 1 << 28
"""Bit of MAV_SYS_STATUS_SENSOR for the checks before arming."""


class Estimate(NamedTuple):
    """What the estimator says of itself: which parts are valid.

    Attributes:
        received: Local monotonic time of arrival [s].
        xy: The horizontal position.
        z: The height.
        v_xy: The horizontal velocity.
        v_z: The vertical velocity.
    """

    received: float
    xy: bool = True
    z: bool = True
    v_xy: bool = True
    v_z: bool = True


def vehicle_status(message: Any, dialect: Dialect, received: float) -> VehicleStatus | None:
    """Return a State as a report; None where MAVROS has no connection, and makes it up."""
    if not message.connected:
        return None
    mode = dialect.mode_of(message.mode)
    return VehicleStatus(
        received, bool(message.armed), mode, mode, message.mode,
        is_failsafe=message.system_status >= CRITICAL,
    )  # fmt: skip


def land_state(message: Any, received: float) -> LandState | None:
    """Return an ExtendedState as a report; None if the vehicle does not say."""
    if message.landed_state == UNDEFINED:
        return None
    return LandState(received, message.landed_state == ON_GROUND)


def passes_preflight(message: Any) -> bool:
    """Return whether the vehicle of a SysStatus would arm; one that does not say so would."""
    if not message.sensors_enabled & PREARM_CHECK:
        return True
    return bool(message.sensors_health & PREARM_CHECK)


def estimate(message: Any, received: float) -> Estimate:
    """Return an EstimatorStatus; one that holds a constant position knows none."""
    lost = message.const_pos_mode_status_flag
    knows_xy = message.pos_horiz_abs_status_flag or message.pos_horiz_rel_status_flag
    return Estimate(
        received,
        bool(knows_xy and not lost),
        bool(message.pos_vert_abs_status_flag),
        bool(message.velocity_horiz_status_flag and not lost),
        bool(message.velocity_vert_status_flag),
    )


def odometry(message: Any, received: float) -> VehicleOdometry | None:
    """Return an Odometry as a report, None if it is not finite; its twist is of the body."""
    pose, twist = message.pose.pose, message.twist.twist
    turn, position = attitude(pose.orientation), vector(pose.position)
    body, rates = vector(twist.linear), vector(twist.angular)
    if turn is None or not all(map(math.isfinite, (*position, *body, *rates))):
        return None
    stamp = stamp_us(message)
    return VehicleOdometry(received, stamp, position, turn, rotate(turn, body), rates)


def local_position(
    report: VehicleOdometry, covariance: Any, valid: Estimate, origin: Reference | None
) -> LocalPosition:
    """Return the place of an odometry.

    Args:
        report: The odometry.
        covariance: Of its pose, 36 numbers; MAVROS leaves it 0 where the vehicle does not tell.
        valid: What the estimator says of itself.
        origin: Where on Earth the local frame has its origin.
    """
    return LocalPosition(
        report.received, report.position, report.velocity, yaw_from_quaternion(*report.attitude),
        valid.xy, valid.z, valid.v_xy, valid.v_z,
        eph=math.sqrt(max(covariance[0], covariance[7], 0.0)), reference=origin,
    )  # fmt: skip
