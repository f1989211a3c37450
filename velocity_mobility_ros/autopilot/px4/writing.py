"""Setpoints and heartbeats as fields of PX4's messages.

What is not used is NaN, never 0: a position of 0 sends the vehicle to its origin. The time 0
stands for PX4's present time.
"""

import math

from velocity_mobility_ros.autopilot.outputs import Setpoint, SetpointKind
from velocity_mobility_ros.core.frames import swapped_world, swapped_yaw
from velocity_mobility_ros.core.model import Vector

NOTHING: Vector = (math.nan, math.nan, math.nan)

Fields = dict[str, int | float | bool | Vector]


def setpoint_fields(setpoint: Setpoint) -> Fields:
    """Return the fields of a TrajectorySetpoint, in NED."""
    target = swapped_world(setpoint.target)
    is_position = setpoint.kind is SetpointKind.POSITION
    return {
        'timestamp': 0,
        'position': target if is_position else NOTHING,
        'velocity': NOTHING if is_position else target,
        'acceleration': swapped_world(setpoint.acceleration),
        'jerk': NOTHING,
        'yaw': swapped_yaw(setpoint.yaw),
        'yawspeed': -setpoint.yaw_rate,
    }


def heartbeat_fields(kind: SetpointKind, names: tuple[str, ...]) -> Fields:
    """Return the fields of an OffboardControlMode: exactly one flag is set.

    Args:
        kind: What is controlled.
        names: Fields of the installed message, which differ between releases.
    """
    flags = {name: name == kind.value for name in names if name != 'timestamp'}
    return {'timestamp': 0, **flags}
