"""Setpoints as the velocity command of AP_DDS.

Always in the frame ``map``: in ``base_link`` the sign of the second component differs between
releases, and the whole attitude turns the command instead of the heading. Any other name of a
frame is ignored without a word.
"""

from typing import NamedTuple

from velocity_mobility_ros.autopilot.outputs import Setpoint
from velocity_mobility_ros.core.model import Vector

FRAME = 'map'


class VelocityCommand(NamedTuple):
    """Fields of a TwistStamped.

    Attributes:
        frame_id: Name of the frame: ENU axes.
        linear: Velocity [m/s].
        yaw_rate: Counter-clockwise [rad/s]; NaN: the heading is not controlled.
    """

    frame_id: str
    linear: Vector
    yaw_rate: float


def velocity_command(setpoint: Setpoint) -> VelocityCommand:
    """Return the command of a setpoint, which is a velocity."""
    return VelocityCommand(FRAME, setpoint.target, setpoint.yaw_rate)
