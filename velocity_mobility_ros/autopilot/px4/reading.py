"""PX4's messages as reports: NED and FRD become ENU and FLU, nothing else changes."""

import math
from collections.abc import Iterable
from typing import Any

from velocity_mobility_ros.autopilot.px4.modes import mode_of, name_of
from velocity_mobility_ros.autopilot.reports import (
    UNKNOWN,
    Battery,
    Flags,
    LandState,
    LocalPosition,
    Reference,
    Resets,
    VehicleOdometry,
    VehicleStatus,
)
from velocity_mobility_ros.core.frames import (
    Quaternion,
    rotate,
    swapped_attitude,
    swapped_body,
    swapped_world,
    swapped_yaw,
    unit,
)
from velocity_mobility_ros.core.model import Vector

ARMED = 2
NED, BODY_FRD = 1, 3
"""Frames of an odometry's pose and velocity that can be converted."""

NORM_ERROR = 0.05
"""Largest difference of an attitude's norm from 1."""

REASON = 'ARM_DISARM_REASON_'

LOCAL_POSITION_FIELDS = (
    'x', 'y', 'z', 'vx', 'vy', 'vz', 'heading', 'xy_valid', 'z_valid', 'v_xy_valid', 'v_z_valid',
    'heading_good_for_control', 'dead_reckoning', 'eph', 'evh', 'delta_xy', 'delta_z', 'delta_vxy',
    'delta_vz', 'delta_heading', 'xy_reset_counter', 'z_reset_counter', 'vxy_reset_counter',
    'vz_reset_counter', 'heading_reset_counter', 'xy_global', 'z_global', 'ref_timestamp',
    'ref_lat', 'ref_lon', 'ref_alt', 'vxy_max', 'vz_max',
)  # fmt: skip
"""What is read of a VehicleLocalPosition."""

ODOMETRY_FIELDS = (
    'timestamp_sample', 'pose_frame', 'position', 'q', 'velocity_frame', 'velocity',
    'angular_velocity', 'position_variance', 'orientation_variance', 'velocity_variance',
    'reset_counter',
)  # fmt: skip
"""What is read of a VehicleOdometry."""

BATTERY_FIELDS = ('connected', 'remaining', 'warning')
"""What is read of a BatteryStatus."""


def vehicle_status(message: Any, received: float) -> VehicleStatus:
    """Return a VehicleStatus as a report.

    Args:
        message: The message.
        received: Monotonic time of its arrival [s].
    """
    locked = message.safety_button_available and not message.safety_off
    calibrates = message.rc_calibration_in_progress or message.calibration_enabled
    return VehicleStatus(
        received,
        message.arming_state == ARMED,
        mode_of(message.nav_state),
        mode_of(message.nav_state_user_intention),
        name_of(message.nav_state),
        bool(message.failsafe),
        bool(message.failsafe_and_user_took_over),
        message.system_id,
        message.component_id,
        bool(message.pre_flight_checks_pass),
        bool(calibrates),
        bool(locked),
        reason_name(message),
        message.armed_time,
    )


def reason_name(message: Any) -> str:
    """Return the name of the last reason to disarm, empty if the class has none.

    The numbers differ between releases, so the class of the message is asked.
    """
    for name in dir(type(message)):
        if name.startswith(REASON) and getattr(type(message), name) == (
            message.latest_disarming_reason
        ):
            return name.removeprefix(REASON).replace('_', ' ').lower()
    return ''


def local_position(message: Any, received: float) -> LocalPosition:
    """Return a VehicleLocalPosition as a report."""
    return LocalPosition(
        received,
        swapped_world((message.x, message.y, message.z)),
        swapped_world((message.vx, message.vy, message.vz)),
        swapped_yaw(message.heading),
        bool(message.xy_valid),
        bool(message.z_valid),
        bool(message.v_xy_valid),
        bool(message.v_z_valid),
        bool(message.heading_good_for_control),
        bool(message.dead_reckoning),
        message.eph,
        message.evh,
        _resets(message),
        _reference(message),
        message.vxy_max,
        message.vz_max,
    )


def _resets(message: Any) -> Resets:
    north, east = map(float, message.delta_xy)
    v_north, v_east = map(float, message.delta_vxy)
    return Resets(
        message.xy_reset_counter,
        message.z_reset_counter,
        message.vxy_reset_counter,
        message.vz_reset_counter,
        message.heading_reset_counter,
        (east, north),
        -message.delta_z,
        (v_east, v_north),
        -message.delta_vz,
        -message.delta_heading,
    )


def _reference(message: Any) -> Reference | None:
    if not (message.xy_global and message.z_global):
        return None
    return Reference(message.ref_timestamp, message.ref_lat, message.ref_lon, message.ref_alt)


def vehicle_odometry(message: Any, received: float) -> VehicleOdometry | None:
    """Return a VehicleOdometry as a report; None if it has no pose, or one without a north."""
    w, x, y, z = map(float, message.q)
    norm = math.sqrt(w * w + x * x + y * y + z * z)
    if message.pose_frame != NED or not abs(norm - 1.0) <= NORM_ERROR:
        return None
    attitude = unit(swapped_attitude((x, y, z, w)))
    position = swapped_world(_vector(message.position))
    velocity = _velocity(message, attitude)
    rates = swapped_body(_vector(message.angular_velocity))
    if not all(map(math.isfinite, (*position, *velocity, *rates))):
        return None
    return VehicleOdometry(
        received,
        message.timestamp_sample,
        position,
        attitude,
        velocity,
        rates,
        _swapped_variance(message.position_variance),
        _vector(message.orientation_variance),
        _swapped_variance(message.velocity_variance),
        message.reset_counter,
    )


def _velocity(message: Any, attitude: Quaternion) -> Vector:
    """Return the velocity in the local frame; NaN if its frame is another one."""
    velocity = _vector(message.velocity)
    if message.velocity_frame == NED:
        return swapped_world(velocity)
    if message.velocity_frame == BODY_FRD:
        return rotate(attitude, swapped_body(velocity))
    return UNKNOWN


def _vector(values: Iterable[float]) -> Vector:
    x, y, z = map(float, values)
    return x, y, z


def _swapped_variance(values: Iterable[float]) -> Vector:
    north, east, down = map(float, values)
    return east, north, down


def land_state(message: Any, received: float) -> LandState:
    """Return a VehicleLandDetected as a report."""
    return LandState(
        received, bool(message.landed), bool(message.ground_contact), bool(message.freefall)
    )


def battery(message: Any, received: float) -> Battery:
    """Return a BatteryStatus as a report; a charge below 0 is not known."""
    remaining = message.remaining if message.remaining >= 0.0 else math.nan
    return Battery(received, bool(message.connected), remaining, message.warning)


def flags(message: Any, names: Iterable[str], received: float) -> Flags:
    """Return FailsafeFlags as a report, the fields that no release had so far included.

    Args:
        message: The message.
        names: Its fields.
        received: Monotonic time of its arrival [s].
    """
    values = {
        name: int(getattr(message, name))
        for name in names
        if name != 'timestamp' and not name.startswith('mode_req_')
    }
    return Flags(received, values)
