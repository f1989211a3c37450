"""What is sent to an autopilot, in ROS frames and free of its message types."""

import enum
import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector


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


class Result(enum.Enum):
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
    result: Result
