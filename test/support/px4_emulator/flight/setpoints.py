"""Setpoints as the position controller reads them, and the topic where they meet."""

import math
from typing import Any, NamedTuple

from velocity_mobility_ros.core.velocity_model import Vector

NOTHING: Vector = (math.nan, math.nan, math.nan)


class Setpoint(NamedTuple):
    """TrajectorySetpoint in NED; ``stamp`` is boot time [us]."""

    position: Vector = NOTHING
    velocity: Vector = NOTHING
    acceleration: Vector = NOTHING
    yaw: float = math.nan
    yawspeed: float = math.nan
    stamp: int = 0

    def shifted(self, xy: tuple[float, float], z: float) -> 'Setpoint':
        """Return it after a jump of the estimate."""
        x, y, down = self.position
        return self._replace(position=(x + xy[0], y + xy[1], down + z))


def read(message: Any, stamp: int) -> Setpoint:
    """Return the setpoint of a message."""
    return Setpoint(
        triple(message.position), triple(message.velocity), triple(message.acceleration),
        float(message.yaw), float(message.yawspeed), stamp,
    )  # fmt: skip


def triple(numbers: Any) -> Vector:
    """Return three floats."""
    x, y, z = numbers
    return float(x), float(y), float(z)


def is_valid(setpoint: Setpoint, xy_valid: bool, z_valid: bool) -> bool:
    """Return whether the controller can follow: pairs, an entry for each axis, an estimate."""
    parts = setpoint.position, setpoint.velocity, setpoint.acceleration
    given = [[math.isfinite(value) for value in part] for part in parts]
    if any(part[0] != part[1] for part in given):
        return False
    if not all(any(part[axis] for part in given) for axis in range(3)):
        return False
    needs_xy = given[0][0] or given[1][0]
    needs_z = given[0][2] or given[1][2]
    return (xy_valid or not needs_xy) and (z_valid or not needs_z)


def asks_up(setpoint: Setpoint, z: float) -> bool:
    """Return whether it wants to rise from a height ``z`` [m, down]: NaN does not."""
    above = setpoint.position[2] < z
    return above or setpoint.velocity[2] < 0.0 or setpoint.acceleration[2] < 0.0


class SetpointTopic:
    """PX4's topic ``trajectory_setpoint``: modes and DDS write to it, nobody checks who flies."""

    def __init__(self) -> None:
        self.last: Setpoint | None = None
        self._external: Setpoint | None = None

    def receive(self, setpoint: Setpoint) -> None:
        """Take one from DDS."""
        self._external = setpoint

    def merge(self, internal: Setpoint | None, is_missed: bool) -> None:
        """Let the mode write, then DDS unless it came too late for this cycle."""
        if internal is not None:
            self.last = internal
        if self._external is not None and not (is_missed and internal is not None):
            self.last = self._external
        self._external = None

    def shift(self, xy: tuple[float, float], z: float) -> None:
        """Follow a jump of the estimate."""
        if self.last is not None:
            self.last = self.last.shifted(xy, z)
