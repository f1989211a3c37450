"""Setpoints as fields of MAVROS's PositionTarget; MAVROS turns ENU into NED itself."""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.outputs import Setpoint, SetpointKind
from velocity_mobility_ros.core.model import Vector

LOCAL_FRAME = 1
"""FRAME_LOCAL_NED: axes of the world; their signs are those of ENU on the side of ROS."""

NO_POSITION, NO_VELOCITY, NO_ACCELERATION = 1 + 2 + 4, 8 + 16 + 32, 64 + 128 + 256
NO_YAW, NO_YAW_RATE = 1024, 2048

NOTHING: Vector = (0.0, 0.0, 0.0)


class Target(NamedTuple):
    """Fields of a PositionTarget; what its mask leaves out is 0.

    Attributes:
        type_mask: Bits of what is left out.
        position: East, north, up [m].
        velocity: The same [m/s].
        acceleration: The same, fed forward [m/s^2].
        yaw: From east, counter-clockwise [rad].
        yaw_rate: Counter-clockwise [rad/s].
    """

    type_mask: int
    position: Vector
    velocity: Vector
    acceleration: Vector
    yaw: float
    yaw_rate: float


def target(setpoint: Setpoint) -> Target:
    """Return the fields of a setpoint."""
    is_position = setpoint.kind is SetpointKind.POSITION
    has_yaw = not math.isnan(setpoint.yaw)
    accelerates = all(map(math.isfinite, setpoint.acceleration))
    mask = NO_VELOCITY if is_position else NO_POSITION
    mask |= 0 if accelerates else NO_ACCELERATION
    mask |= NO_YAW_RATE if has_yaw else NO_YAW
    return Target(
        mask,
        setpoint.target if is_position else NOTHING,
        NOTHING if is_position else setpoint.target,
        setpoint.acceleration if accelerates else NOTHING,
        setpoint.yaw if has_yaw else 0.0,
        0.0 if has_yaw else setpoint.yaw_rate,
    )
