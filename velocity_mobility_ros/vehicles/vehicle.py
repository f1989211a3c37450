"""The contract of a vehicle: velocity commands in, a pose and a velocity out."""

from typing import Protocol

from velocity_mobility_ros.core.model import Vector


class Vehicle(Protocol):
    """One simulated body. World frame ENU, SI units; time advances only in ``step``."""

    position: Vector
    velocity: Vector
    yaw: float
    yaw_rate: float

    def command(self, velocity: Vector, yaw_rate: float) -> None:
        """Take a wanted velocity [m/s, map] and yaw rate [rad/s]; it holds until replaced."""

    def step(self) -> None:
        """Advance by one update period."""
