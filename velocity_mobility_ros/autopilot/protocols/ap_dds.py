"""AP_DDS, the DDS client of ArduPilot: modes, services and topics, requests and setpoints.

The answers of the services are true or false without a reason; the reason is a text on the ground
station. Names of topics and services are without their prefix (``/ap``).

A velocity command is always in the frame ``map``: in ``base_link`` the sign of the second
component differs between releases, and the whole attitude turns the command instead of the
heading. Any other name of a frame is ignored without a word.
"""

from typing import Any

from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import (
    Action, Answer, MavResult, ServiceCall
)

GUIDED, LOITER, RTL, LAND, BRAKE = 4, 5, 6, 9, 17

NAMES = {
    0: 'STABILIZE', 1: 'ACRO', 2: 'ALT_HOLD', 3: 'AUTO', 4: 'GUIDED', 5: 'LOITER', 6: 'RTL',
    7: 'CIRCLE', 8: 'POSITION', 9: 'LAND', 10: 'OF_LOITER', 11: 'DRIFT', 13: 'SPORT', 14: 'FLIP',
    15: 'AUTOTUNE', 16: 'POSHOLD', 17: 'BRAKE', 18: 'THROW', 19: 'AVOID_ADSB',
    20: 'GUIDED_NOGPS', 21: 'SMART_RTL', 22: 'FLOWHOLD', 23: 'FOLLOW', 24: 'ZIGZAG',
    25: 'SYSTEMID', 26: 'AUTOROTATE', 27: 'AUTO_RTL', 28: 'TURTLE',
}  # fmt: skip

_MODES = {
    'GUIDED': Mode.OFFBOARD, 'LOITER': Mode.HOLD, 'BRAKE': Mode.HOLD, 'LAND': Mode.LAND,
    'RTL': Mode.RETURN, 'SMART_RTL': Mode.RETURN, 'AUTO_RTL': Mode.RETURN,
}  # fmt: skip

_BY_STICKS = frozenset({
    'STABILIZE', 'ACRO', 'ALT_HOLD', 'POSITION', 'OF_LOITER', 'DRIFT', 'SPORT', 'FLIP',
    'AUTOTUNE', 'POSHOLD', 'FLOWHOLD', 'ZIGZAG', 'SYSTEMID', 'AUTOROTATE', 'TURTLE',
})  # fmt: skip

HOLD_MODES = {'brake': BRAKE, 'loiter': LOITER}
"""Modes that stop and stay; LOITER obeys the sticks, BRAKE does not need any."""


def mode_of_name(name: str) -> Mode:
    """Return the mode of a name."""
    return Mode.PILOT if name in _BY_STICKS else _MODES.get(name, Mode.OTHER)


def name_of(number: int) -> str:
    """Return ArduCopter's name of a number."""
    return NAMES.get(number, f'mode {number}')


STATUS, POSE, TWIST = 'status', 'pose/filtered', 'twist/filtered'
GEOPOSE, BATTERY, FIX = 'geopose/filtered', 'battery', 'navsat'
COMMAND = 'cmd_vel'

MESSAGES_OUT = {
    STATUS: ('ardupilot_msgs', 'Status'),
    GEOPOSE: ('geographic_msgs', 'GeoPoseStamped'),
    TWIST: ('geometry_msgs', 'TwistStamped'),
    FIX: ('sensor_msgs', 'NavSatFix'),
    BATTERY: ('sensor_msgs', 'BatteryState'),
    POSE: ('geometry_msgs', 'PoseStamped'),
}
"""Package and message by topic, from the autopilot; the last one completes those before it."""

MODE_SWITCH, ARM_MOTORS, TAKEOFF = 'mode_switch', 'arm_motors', 'experimental/takeoff'
PREARM_CHECK = 'prearm_check'

SERVICES = {
    MODE_SWITCH: ('ardupilot_msgs', 'ModeSwitch'),
    ARM_MOTORS: ('ardupilot_msgs', 'ArmMotors'),
    TAKEOFF: ('ardupilot_msgs', 'Takeoff'),
    PREARM_CHECK: ('std_srvs', 'Trigger'),
}
"""Package and type by service."""


_MODE_OF_ACTION = {Action.OFFBOARD: GUIDED, Action.LAND: LAND, Action.RETURN: RTL}


def call_of(action: Action, hold_mode: str, height: float) -> ServiceCall | None:
    """Return the call that asks for an action; None if no service does.

    Args:
        action: What is asked for.
        hold_mode: Name of the mode that holds, of ``HOLD_MODES``.
        height: Of a take-off above the ground [m].
    """
    if action is Action.HOLD:
        return ServiceCall(MODE_SWITCH, {'mode': HOLD_MODES[hold_mode]})
    if action in _MODE_OF_ACTION:
        return ServiceCall(MODE_SWITCH, {'mode': _MODE_OF_ACTION[action]})
    if action in (Action.ARM, Action.DISARM):
        return ServiceCall(ARM_MOTORS, {'arm': action is Action.ARM})
    if action is Action.TAKEOFF:
        return ServiceCall(TAKEOFF, {'alt': height})
    return None


def answer(action: Action, response: Any, received: float) -> Answer:
    """Return the response to a call as an answer.

    Args:
        action: What was asked for.
        response: Of ArmMotors, ModeSwitch or Takeoff.
        received: Monotonic time of its arrival [s].
    """
    is_arming = action in (Action.ARM, Action.DISARM)
    said_yes = response.result if is_arming else response.status
    result = MavResult.ACCEPTED if said_yes else MavResult.TEMPORARILY_REJECTED
    return Answer(received, frozenset({action}), result)


FRAME = 'map'
"""Frame of a velocity command [m/s]; its yaw rate is NaN where the heading is not controlled."""
