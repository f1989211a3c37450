"""Requests as calls of MAVROS's services, and their answers.

``mode_sent`` tells that MAVROS has sent the request, not that the vehicle obeys: only its state
shows that. The other services wait for the acknowledgement of the vehicle; where none comes, they
say no success with the result 0, which would be an acceptance.
"""

from typing import Any

from velocity_mobility_ros.autopilot.mavros.dialects import Dialect
from velocity_mobility_ros.autopilot.mavros.topics import ARMING, COMMAND, SET_MODE, TAKEOFF
from velocity_mobility_ros.autopilot.outputs import Action, Answer, Result
from velocity_mobility_ros.autopilot.px4.commands import ARM_DISARM, FORCE, RESULTS
from velocity_mobility_ros.autopilot.service_call import ServiceCall

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


def _result(response: Any) -> Result | None:
    if hasattr(response, 'mode_sent'):
        return Result.IN_PROGRESS if response.mode_sent else Result.DENIED
    result = RESULTS.get(response.result, Result.DENIED)
    if result is Result.ACCEPTED and not response.success:
        return None
    return result
