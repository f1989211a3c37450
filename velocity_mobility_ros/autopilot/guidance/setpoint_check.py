"""The last look at a setpoint before it is sent."""

import math

from velocity_mobility_ros.autopilot.outputs import Setpoint

LARGEST = 1e4
"""Largest position [m], velocity [m/s] or acceleration [m/s^2] in the local frame."""


def fault_of(setpoint: Setpoint) -> str:
    """Return what is wrong with a setpoint, empty if nothing is."""
    if not all(abs(value) < LARGEST for value in setpoint.target):
        return f'{setpoint.kind.value} setpoint {setpoint.target} is not finite or too large'
    ahead = setpoint.acceleration
    if not (all(map(math.isnan, ahead)) or all(abs(value) < LARGEST for value in ahead)):
        return f'acceleration {ahead} is not finite or too large'
    if math.isnan(setpoint.yaw) == math.isnan(setpoint.yaw_rate):
        return f'yaw {setpoint.yaw} and yaw rate {setpoint.yaw_rate}: exactly one must be a number'
    if not math.isnan(setpoint.yaw) and not abs(setpoint.yaw) <= math.pi:
        return f'yaw {setpoint.yaw} is beyond pi'
    if not math.isnan(setpoint.yaw_rate) and not abs(setpoint.yaw_rate) < LARGEST:
        return f'yaw rate {setpoint.yaw_rate} is not finite or too large'
    return ''
