"""PX4's messages as reports: NED and FRD become ENU and FLU, nothing else changes.

Fields of another release are read as other values, so the first messages are asked whether they
make sense. The odometry gets its own stamp or that of its arrival: the client shifts stamps to the
clock of the agent's computer, but until it knows the offset, and once whenever it finds a jump of
the clocks, a message carries the time since the boot of PX4.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import (
    NORM_ERROR, UNKNOWN, Battery, Flags, LandState, LocalPosition, Mode, Reference, Resets,
    VehicleOdometry, VehicleStatus
)
from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, is_plausible_vector, rotate, swapped_attitude, swapped_body, swapped_world,
    swapped_yaw, unit
)
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.velocity_model import Vector

OFFBOARD = 14

NAMES = {
    0: 'MANUAL', 1: 'ALTCTL', 2: 'POSCTL', 3: 'AUTO_MISSION', 4: 'AUTO_LOITER', 5: 'AUTO_RTL',
    6: 'POSITION_SLOW', 7: 'GUIDED_COURSE', 8: 'ALTITUDE_CRUISE', 10: 'ACRO', 12: 'DESCEND',
    13: 'TERMINATION', 14: 'OFFBOARD', 15: 'STAB', 17: 'AUTO_TAKEOFF', 18: 'AUTO_LAND',
    19: 'AUTO_FOLLOW_TARGET', 20: 'AUTO_PRECLAND', 21: 'ORBIT', 22: 'AUTO_VTOL_TAKEOFF',
}  # fmt: skip
"""Numbers have kept their meaning since 1.14; 23 to 30 are modes of other programs."""

_MODES = {
    4: Mode.HOLD, 5: Mode.RETURN, 12: Mode.DESCEND, 13: Mode.TERMINATION, 14: Mode.OFFBOARD,
    17: Mode.TAKEOFF, 18: Mode.LAND, 20: Mode.LAND,
}  # fmt: skip

_BY_STICKS = (0, 1, 2, 6, 8, 10, 15)


def mode_of(nav_state: int) -> Mode:
    """Return the mode of a number."""
    return Mode.PILOT if nav_state in _BY_STICKS else _MODES.get(nav_state, Mode.OTHER)


def name_of(nav_state: int) -> str:
    """Return PX4's name of a number."""
    return NAMES.get(nav_state, f'mode {nav_state}')


ARMED = 2
NED, BODY_FRD = 1, 3
"""Frames of an odometry's pose and velocity that can be converted."""

REASON = 'ARM_DISARM_REASON_'


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


def local_position(message: Any, received: float) -> LocalPosition | None:
    """Return a VehicleLocalPosition as a report, None for absurd numbers; NaN: not known."""
    position = swapped_world((message.x, message.y, message.z))
    velocity = swapped_world((message.vx, message.vy, message.vz))
    if any(abs(value) > LARGEST_COORDINATE for value in (*position, *velocity)):
        return None
    return LocalPosition(
        received,
        position,
        velocity,
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
    if not all(map(is_plausible_vector, (position, velocity, rates))):
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
    return LandState(received, bool(message.landed))


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


STATES = range(6)
LARGEST_MODE, LARGEST_ID = 31, 254


def status_faults(message: Any) -> Iterator[str]:
    """Iterate over the values of a VehicleStatus that cannot be."""
    if message.arming_state not in STATES:
        yield f'arming_state = {message.arming_state}, at most {STATES[-1]}'
    if message.nav_state > LARGEST_MODE:
        yield f'nav_state = {message.nav_state}, at most {LARGEST_MODE}'
    if not 1 <= message.system_id <= LARGEST_ID:
        yield f'system_id = {message.system_id}, from 1 to {LARGEST_ID}'


def odometry_faults(message: Any) -> Iterator[str]:
    """Iterate over the values of a VehicleOdometry that cannot be."""
    norm = math.sqrt(sum(float(value) ** 2 for value in message.q))
    if not math.isnan(norm) and abs(norm - 1.0) > NORM_ERROR:
        yield f'norm of q = {norm:.3g}, 1'
    if message.pose_frame > 2:
        yield f'pose_frame = {message.pose_frame}, at most 2'


def position_faults(message: Any) -> Iterator[str]:
    """Iterate over the values of a VehicleLocalPosition that cannot be."""
    for name, value, most in (
        ('ref_lat', message.ref_lat, 90.0),
        ('ref_lon', message.ref_lon, 180.0),
    ):
        if abs(value) > most:
            yield f'{name} = {value:g}, at most {most:g}'


def mismatch(faults: list[str]) -> str:
    """Return the fault that such values stand for; empty without one."""
    if not faults:
        return ''
    return (
        f'the messages of the vehicle make no sense ({"; ".join(faults)}): px4_msgs belongs to '
        'another release of PX4'
    )


MAX_OFFSET_NS = 500_000_000
"""Largest difference between a stamp and the time of arrival [ns]."""

GOOD_AFTER, BAD_AFTER = 20, 20
"""So many good stamps in a row are believed, so many bad ones are not any more."""

GOOD_AGAIN = 500
"""So many good ones in a row are believed after bad ones: 5 s at 100 Hz."""


class SampleClock(NamedTuple):
    """Memory of the stamps.

    Attributes:
        is_synchronised: Whether stamps are used.
        streak: Number of stamps in a row that contradict that.
        has_failed: Whether stamps were used and then not any more.
        last_ns: The last stamp that was returned [ns].
    """

    is_synchronised: bool = False
    streak: int = 0
    has_failed: bool = False
    last_ns: int = 0


def stamped(
    clock: SampleClock, sampled_us: int, received_ns: int
) -> tuple[SampleClock, int | None]:
    """Return the memory and the stamp of a message [ns]; None: drop it.

    Stamps do not go back, but for when the clock of this computer has been set back.

    Args:
        clock: The memory.
        sampled_us: Stamp of the message [us].
        received_ns: Time of its arrival by the clock of this computer [ns].
    """
    clock, stamp_ns = _choose(clock, 1000 * sampled_us, received_ns)
    if stamp_ns is None or 0 < clock.last_ns - stamp_ns < MAX_OFFSET_NS:
        return clock, None
    return clock._replace(last_ns=stamp_ns), stamp_ns


def _choose(clock: SampleClock, stamp_ns: int, received_ns: int) -> tuple[SampleClock, int | None]:
    """Return the memory, and the message's own stamp or the time of its arrival [ns]."""
    is_good = abs(received_ns - stamp_ns) < MAX_OFFSET_NS
    if is_good is clock.is_synchronised:
        return clock._replace(streak=0), stamp_ns if is_good else received_ns
    clock = clock._replace(streak=clock.streak + 1)
    needed = BAD_AFTER if clock.is_synchronised else GOOD_AGAIN if clock.has_failed else GOOD_AFTER
    if clock.streak < needed:
        return clock, None if clock.is_synchronised else received_ns
    if clock.is_synchronised:
        clock = clock._replace(is_synchronised=False, streak=0, has_failed=True)
        return clock, received_ns
    return clock._replace(is_synchronised=True, streak=0), stamp_ns
