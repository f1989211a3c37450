"""PX4 or ArduCopter behind MAVROS: its topics and services as reports and requests.

Each message tells a part of a report, in ENU and FLU already; MAVROS turns the ENU axes of a
setpoint into NED itself. Modes have the names that MAVROS uses.

``mode_sent`` tells that MAVROS has sent the request, not that the vehicle obeys: only its state
shows that. The other services wait for the acknowledgement of the vehicle; where none comes, they
say no success with the result 0, which would be an acceptance.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import (
    LandState, LocalPosition, Mode, Reference, VehicleOdometry, VehicleStatus, attitude, reference,
    stamp_us, vector
)
from velocity_mobility_ros.autopilot.autopilot_requests import (
    MAVROS_ARDUPILOT, MAVROS_PX4, Action, Answer, MavResult, ServiceCall, Setpoint, SetpointKind,
    Traits
)
from velocity_mobility_ros.autopilot.protocols import ap_dds as copter
from velocity_mobility_ros.autopilot.protocols.ardupilot_reports import PartReports
from velocity_mobility_ros.autopilot.protocols.px4_requests import ARM_DISARM, FORCE, RESULTS
from velocity_mobility_ros.core.coordinate_frames import (
    is_plausible_vector, rotate, yaw_from_quaternion
)

_PX4_MODES = {
    'OFFBOARD': Mode.OFFBOARD, 'AUTO.LOITER': Mode.HOLD, 'AUTO.LAND': Mode.LAND,
    'AUTO.RTL': Mode.RETURN, 'AUTO.TAKEOFF': Mode.TAKEOFF, 'AUTO.PRECLAND': Mode.LAND,
    'AUTO.MISSION': Mode.OTHER, 'AUTO.FOLLOW_TARGET': Mode.OTHER, 'AUTO.RTGS': Mode.OTHER,
    'AUTO.READY': Mode.OTHER, 'MANUAL': Mode.PILOT, 'ALTCTL': Mode.PILOT, 'POSCTL': Mode.PILOT,
    'ACRO': Mode.PILOT, 'STABILIZED': Mode.PILOT, 'RATTITUDE': Mode.PILOT,
}  # fmt: skip


class Dialect(NamedTuple):
    """How one autopilot is spoken to.

    Attributes:
        traits: What is particular to it.
        modes: Name of the mode that an action asks for.
        names: All names of its modes.
        mode_of: Returns the mode of a name.
    """

    traits: Traits
    modes: Mapping[Action, str]
    names: frozenset[str]
    mode_of: Callable[[str], Mode]


def _px4_mode(name: str) -> Mode:
    return _PX4_MODES.get(name, Mode.OTHER)


PX4 = Dialect(
    MAVROS_PX4,
    {
        Action.OFFBOARD: 'OFFBOARD',
        Action.HOLD: 'AUTO.LOITER',
        Action.LAND: 'AUTO.LAND',
        Action.RETURN: 'AUTO.RTL',
    },
    frozenset(_PX4_MODES),
    _px4_mode,
)


def ardupilot(hold_mode: str) -> Dialect:
    """Return the dialect of ArduCopter.

    Args:
        hold_mode: Which mode holds, of ``copter.HOLD_MODES``.
    """
    modes = {
        Action.OFFBOARD: copter.GUIDED,
        Action.HOLD: copter.HOLD_MODES[hold_mode],
        Action.LAND: copter.LAND,
        Action.RETURN: copter.RTL,
    }
    return Dialect(
        MAVROS_ARDUPILOT,
        {action: copter.NAMES[number] for action, number in modes.items()},
        frozenset(copter.NAMES.values()),
        copter.mode_of_name,
    )


def mode_fault(dialect: Dialect, name: str) -> str:
    """Return the fault of a mode that the autopilot does not have; else empty.

    MAVROS writes the number of a mode whose name it does not know: ``CMODE(21)``.
    """
    if name in dialect.names or '(' in name:
        return ''
    return f'MAVROS reports the mode {name}, which this autopilot does not have: set autopilot'


CRITICAL = 5
"""MAV_STATE from which on a failsafe acts."""

ON_GROUND, UNDEFINED = 1, 0
"""Values of MAV_LANDED_STATE."""

PREARM_CHECK = 1 << 28
"""Bit of MAV_SYS_STATUS_SENSOR for the checks before arming."""


class EstimatorValidity(NamedTuple):
    """Validity of the parts of the estimate, as the estimator reports it.

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
    """Return an ExtendedState as a report; None if the state is undefined."""
    if message.landed_state == UNDEFINED:
        return None
    return LandState(received, message.landed_state == ON_GROUND)


def passes_preflight(message: Any) -> bool:
    """Return whether the vehicle of a SysStatus would arm; True without that flag."""
    if not message.sensors_enabled & PREARM_CHECK:
        return True
    return bool(message.sensors_health & PREARM_CHECK)


def estimate(message: Any, received: float) -> EstimatorValidity:
    """Return an EstimatorStatus; one that holds a constant position knows none."""
    lost = message.const_pos_mode_status_flag
    knows_xy = message.pos_horiz_abs_status_flag or message.pos_horiz_rel_status_flag
    return EstimatorValidity(
        received,
        bool(knows_xy and not lost),
        bool(message.pos_vert_abs_status_flag),
        bool(message.velocity_horiz_status_flag and not lost),
        bool(message.velocity_vert_status_flag),
    )


def odometry_of(message: Any, received: float) -> VehicleOdometry | None:
    """Return an Odometry as a report, None if it is not plausible; its twist is of the body."""
    pose, twist = message.pose.pose, message.twist.twist
    turn, position = attitude(pose.orientation), vector(pose.position)
    body, rates = vector(twist.linear), vector(twist.angular)
    if turn is None or not all(map(is_plausible_vector, (position, body, rates))):
        return None
    stamp = stamp_us(message)
    return VehicleOdometry(received, stamp, position, turn, rotate(turn, body), rates)


def local_position(
    report: VehicleOdometry, covariance: Any, valid: EstimatorValidity, origin: Reference | None
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


STATE, EXTENDED_STATE, SYSTEM = 'state', 'extended_state', 'sys_status'
ODOMETRY, ORIGIN = 'local_position/odom', 'global_position/gp_origin'
BATTERY, ESTIMATOR = 'battery', 'estimator_status'
SETPOINT = 'setpoint_raw/local'

MESSAGES_OUT = {
    STATE: ('mavros_msgs', 'State'),
    EXTENDED_STATE: ('mavros_msgs', 'ExtendedState'),
    SYSTEM: ('mavros_msgs', 'SysStatus'),
    ESTIMATOR: ('mavros_msgs', 'EstimatorStatus'),
    ODOMETRY: ('nav_msgs', 'Odometry'),
    ORIGIN: ('geographic_msgs', 'GeoPointStamped'),
    BATTERY: ('sensor_msgs', 'BatteryState'),
}
"""Package and message by topic, from MAVROS."""

LATCHED = frozenset({STATE, EXTENDED_STATE, SYSTEM, ESTIMATOR, ORIGIN})
"""Topics that MAVROS publishes reliably, for late subscribers too."""

SET_MODE, ARMING = 'set_mode', 'cmd/arming'
TAKEOFF, COMMAND = 'cmd/takeoff', 'cmd/command'

SERVICES = {
    SET_MODE: ('mavros_msgs', 'SetMode'),
    ARMING: ('mavros_msgs', 'CommandBool'),
    TAKEOFF: ('mavros_msgs', 'CommandTOL'),
    COMMAND: ('mavros_msgs', 'CommandLong'),
}
"""Package and type by service."""


ESTIMATE_TIME = 3.0
"""Age from which on what the estimator said of itself does not count any more [s]."""


class MavrosReports(PartReports):
    """The last report of each kind."""

    def __init__(self, dialect: Dialect) -> None:
        """Start without reports.

        Args:
            dialect: How the autopilot is spoken to.
        """
        super().__init__({
            STATE: self._take_state,
            EXTENDED_STATE: self._take_land,
            SYSTEM: self._take_system,
            ODOMETRY: self._take_odometry,
            ORIGIN: self._take_origin,
            BATTERY: self._take_battery,
            ESTIMATOR: self._take_estimate,
        })  # fmt: skip
        self._dialect = dialect
        self._origin: Reference | None = None
        self._estimate: EstimatorValidity | None = None

    @property
    def has_origin(self) -> bool:
        """Whether the origin of the estimator is known."""
        return self._origin is not None

    def _take_state(self, message: Any, received: float) -> None:
        status = vehicle_status(message, self._dialect, received)
        if status is None:
            return
        self.fault = mode_fault(self._dialect, message.mode)
        self._know_status(status)

    def _take_land(self, message: Any, received: float) -> None:
        self._know(land=land_state(message, received))

    def _take_system(self, message: Any, received: float) -> None:
        self.take_preflight(passes_preflight(message))

    def _take_origin(self, message: Any, received: float) -> None:
        self._origin = reference(message) or self._origin

    def _take_estimate(self, message: Any, received: float) -> None:
        self._estimate = estimate(message, received)

    def _take_odometry(self, message: Any, received: float) -> None:
        odometry = odometry_of(message, received)
        if odometry is None:
            return
        valid = self._estimate
        if valid is None or received - valid.received > ESTIMATE_TIME:
            valid = EstimatorValidity(received)
        covariance = message.pose.covariance
        local = local_position(odometry, covariance, valid, self._origin)
        self._know(odometry=odometry, local=local)


REQUEST_MESSAGE, GPS_GLOBAL_ORIGIN = 512, 49
"""MAVLink command that asks for a message, and the message that tells the origin."""

ORIGIN_REQUEST = ServiceCall(
    COMMAND, {'command': REQUEST_MESSAGE, 'param1': float(GPS_GLOBAL_ORIGIN)}
)
"""ArduPilot tells the origin of its estimator when it is set, and then on request only."""


def call_of(action: Action, dialect: Dialect, height: float) -> ServiceCall:
    """Return the call that asks for an action.

    Args:
        action: What is asked for.
        dialect: How the autopilot is spoken to.
        height: Of a take-off above the ground [m].
    """
    if action in dialect.modes:
        return ServiceCall(SET_MODE, {'base_mode': 0, 'custom_mode': dialect.modes[action]})
    if action is Action.TAKEOFF:
        return ServiceCall(TAKEOFF, {'altitude': height})
    if action is Action.KILL:
        return ServiceCall(COMMAND, {'command': ARM_DISARM, 'param1': 0.0, 'param2': FORCE})
    return ServiceCall(ARMING, {'value': action is Action.ARM})


def answer(action: Action, response: Any, received: float) -> Answer | None:
    """Return the response to a call as an answer; None if the vehicle gave none.

    Args:
        action: What was asked for.
        response: Of SetMode, CommandBool, CommandTOL or CommandLong.
        received: Monotonic time of its arrival [s].
    """
    result = _result(response)
    return None if result is None else Answer(received, frozenset({action}), result)


def _result(response: Any) -> MavResult | None:
    if hasattr(response, 'mode_sent'):
        return MavResult.IN_PROGRESS if response.mode_sent else MavResult.DENIED
    result = RESULTS.get(response.result, MavResult.DENIED)
    if result is MavResult.ACCEPTED and not response.success:
        return None
    return result


LOCAL_FRAME = 1
"""FRAME_LOCAL_NED: axes of the world; their signs are those of ENU on the side of ROS."""

NO_POSITION, NO_VELOCITY, NO_ACCELERATION = 1 + 2 + 4, 8 + 16 + 32, 64 + 128 + 256
NO_YAW, NO_YAW_RATE = 1024, 2048

def fill(message: Any, setpoint: Setpoint) -> None:
    """Write a setpoint into a new PositionTarget, in ENU; what its mask leaves out stays 0."""
    is_position = setpoint.kind is SetpointKind.POSITION
    has_yaw = not math.isnan(setpoint.yaw)
    accelerates = all(map(math.isfinite, setpoint.acceleration))
    mask = NO_VELOCITY if is_position else NO_POSITION
    mask |= 0 if accelerates else NO_ACCELERATION
    mask |= NO_YAW_RATE if has_yaw else NO_YAW
    message.coordinate_frame, message.type_mask = LOCAL_FRAME, mask
    goal, ahead = message.position if is_position else message.velocity, setpoint.acceleration
    goal.x, goal.y, goal.z = setpoint.target
    if accelerates:
        fed = message.acceleration_or_force
        fed.x, fed.y, fed.z = ahead
    if has_yaw:
        message.yaw = setpoint.yaw
    else:
        message.yaw_rate = setpoint.yaw_rate
