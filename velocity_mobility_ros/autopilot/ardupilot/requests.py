"""Requests as calls of the services of AP_DDS, and their answers.

The answers are true or false without a reason; the reason is a text on the ground station.
"""

from typing import Any

from velocity_mobility_ros.autopilot.ardupilot.modes import GUIDED, HOLD_MODES, LAND, RTL
from velocity_mobility_ros.autopilot.ardupilot.topics import ARM_MOTORS, MODE_SWITCH, TAKEOFF
from velocity_mobility_ros.autopilot.outputs import Action, Answer, Result
from velocity_mobility_ros.autopilot.service_call import ServiceCall

_MODES = {Action.OFFBOARD: GUIDED, Action.LAND: LAND, Action.RETURN: RTL}


def call_of(action: Action, hold_mode: str, height: float) -> ServiceCall | None:
    """Return the call that asks for an action; None if no service does.

    Args:
        action: What is asked for.
        hold_mode: Name of the mode that holds, of ``HOLD_MODES``.
        height: Of a take-off above the ground [m].
    """
    if action is Action.HOLD:
        return ServiceCall(MODE_SWITCH, {'mode': HOLD_MODES[hold_mode]})
    if action in _MODES:
        return ServiceCall(MODE_SWITCH, {'mode': _MODES[action]})
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
    result = Result.ACCEPTED if said_yes else Result.TEMPORARILY_REJECTED
    return Answer(received, frozenset({action}), result)
