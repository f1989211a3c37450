"""What is sent to an autopilot, in ROS frames and free of its message types.

Setpoints with their intents, actions with their answers, and the calls of ROS services where that
is how an autopilot is asked. The same state machine and the same guidance serve all autopilots:
where they have to know how these differ, that is a field of ``Traits``, not a branch by name.
"""

import enum
import math
from typing import NamedTuple

from velocity_mobility_ros.core.velocity_model import Vector


class Intent(enum.Enum):
    """What the state machine wants of the vehicle; ``guidance`` makes setpoints of it."""

    SILENT = 'silent'
    """No setpoint: somebody else flies."""
    HOLD = 'hold'
    """Stay at the point where the intent began."""
    TAKE_OFF = 'take off'
    """Rise slowly from the point where the intent began to the take-off height above it."""
    TRACK = 'track'
    """Follow the commanded velocity within the limits."""
    BRAKE = 'brake'
    """Reduce the velocity to zero within the limits."""
    STOP = 'stop'
    """Velocity zero at once: there is no position to hold."""


NO_ACCELERATION: Vector = (math.nan, math.nan, math.nan)


class SetpointKind(enum.Enum):
    """What a setpoint and the heartbeat beside it control."""

    POSITION = 'position'
    VELOCITY = 'velocity'


class Setpoint(NamedTuple):
    """Where to be, or how to move, in the vehicle's local frame (``reports``).

    Attributes:
        kind: What ``target`` is.
        target: Position [m] or velocity [m/s].
        yaw: Heading from east, counter-clockwise [rad]; NaN: not controlled.
        yaw_rate: Counter-clockwise [rad/s]; NaN: not controlled. One of both is NaN.
        acceleration: That belongs to a velocity [m/s^2], fed forward; NaN: none.
    """

    kind: SetpointKind
    target: Vector
    yaw: float = math.nan
    yaw_rate: float = math.nan
    acceleration: Vector = NO_ACCELERATION


class Action(enum.Enum):
    """What an autopilot can be asked for."""

    OFFBOARD = 'offboard'
    HOLD = 'hold'
    LAND = 'land'
    RETURN = 'return'
    TAKEOFF = 'take off'
    """By the autopilot itself, where its offboard mode cannot (ArduPilot)."""
    ARM = 'arm'
    DISARM = 'disarm'
    KILL = 'kill'
    """Motors off, also in the air."""


class MavResult(enum.Enum):
    """An autopilot's answer to a request (MAV_RESULT)."""

    ACCEPTED = 'accepted'
    TEMPORARILY_REJECTED = 'temporarily rejected'
    DENIED = 'denied'
    UNSUPPORTED = 'unsupported'
    FAILED = 'failed'
    IN_PROGRESS = 'in progress'
    CANCELLED = 'cancelled'


class Answer(NamedTuple):
    """An answer that was meant for this bridge; answers to others are dropped where they arrive.

    Attributes:
        received: Local monotonic time of arrival [s].
        actions: What was asked for; all actions that share the command (the modes of PX4) match.
        result: The answer.
    """

    received: float
    actions: frozenset[Action]
    result: MavResult


class ServiceCall(NamedTuple):
    """A call.

    Attributes:
        service: Name of the service, without the autopilot's prefix.
        fields: Fields of its request, by name.
    """

    service: str
    fields: dict[str, float | int | bool | str]


def unsupported(action: Action, received: float) -> Answer:
    """Return the answer to an action for which there is no service.

    Args:
        action: What was asked for.
        received: Monotonic time of the request [s].
    """
    return Answer(received, frozenset({action}), MavResult.UNSUPPORTED)


class Traits(NamedTuple):
    """What is particular to an autopilot and to the way in which it is connected.

    Attributes:
        has_heartbeat: Whether offboard mode needs a heartbeat beside the setpoints.
        stream_is_heartbeat: Whether the setpoints are the heartbeat: then they have to be sent
            before offboard mode is asked for, and only in that mode they move the vehicle.
        resumes: Whether offboard mode comes back by itself when the heartbeat does. Where it does
            not, offboard mode without a request is the choice of somebody else, who flies it.
        takes_off_itself: Whether a velocity or a position does not lift it off the ground: it
            takes off on request, and a setpoint meanwhile would end that.
        velocity_only: Whether it takes velocities and no positions.
        feeds_forward: Whether it adds the acceleration of a setpoint to what its own control of
            the velocity asks for.
        can_kill: Whether its motors can be stopped in flight.
        leaves_landing_mode: Whether it is in another mode after a landing; if not, that mode is
            no obstacle: offboard mode is chosen before it is armed.
        tells_preflight: Whether ``VehicleStatus.passes_preflight`` holds for any mode.
        statements: What the operator has to state before a flight, since the bridge cannot read
            it: name of the parameter, and what to state.
        no_answer_text: What is wrong if it does not answer, in words.
        fallback_text: What happens if it cannot be handed over, in words.
    """

    has_heartbeat: bool = False
    stream_is_heartbeat: bool = False
    resumes: bool = False
    takes_off_itself: bool = False
    velocity_only: bool = False
    feeds_forward: bool = False
    can_kill: bool = True
    leaves_landing_mode: bool = True
    tells_preflight: bool = False
    statements: tuple[tuple[str, str], ...] = ()
    no_answer_text: str = ''
    fallback_text: str = ''


_PX4_STATEMENTS = (
    ('px4_offboard_loss_action', 'state what COM_OBL_RC_ACT is set to'),
    ('px4_rc_policy', 'state how the loss of the remote control is handled'),
)
_ARDUPILOT_STATEMENTS = (
    (
        'ardupilot_failsafes',
        'state what FS_GCS_ENABLE and BATT_FS_LOW_ACT are set to: without this bridge the vehicle '
        'only hovers',
    ),
)
_HOVERS = 'the setpoints end, so that it stops after GUID_TIMEOUT and hovers: land it by hand'

PX4 = Traits(
    has_heartbeat=True,
    resumes=True,
    feeds_forward=True,
    statements=_PX4_STATEMENTS,
    no_answer_text='the link for commands is dead, or target_system is not that of the vehicle',
    fallback_text='the heartbeat ends, so that its failsafe acts',
)
"""PX4 over its own DDS client."""

ARDUPILOT = Traits(
    takes_off_itself=True,
    velocity_only=True,
    can_kill=False,
    leaves_landing_mode=False,
    tells_preflight=True,
    statements=_ARDUPILOT_STATEMENTS,
    no_answer_text='its services do not answer; is its agent running?',
    fallback_text=_HOVERS,
)
"""ArduPilot over its own DDS client."""

MAVROS_PX4 = Traits(
    stream_is_heartbeat=True,
    resumes=True,
    feeds_forward=True,
    statements=_PX4_STATEMENTS,
    no_answer_text='MAVROS or its link to the vehicle does not answer',
    fallback_text='the setpoints end, so that its failsafe acts',
)
"""PX4 behind MAVROS."""

MAVROS_ARDUPILOT = Traits(
    takes_off_itself=True,
    leaves_landing_mode=False,
    tells_preflight=True,
    statements=_ARDUPILOT_STATEMENTS,
    no_answer_text='MAVROS or its link to the vehicle does not answer',
    fallback_text=_HOVERS,
)
"""ArduPilot behind MAVROS."""
