"""The contract of a vehicle: velocity commands in, a pose and a velocity out."""

from typing import Protocol

from velocity_mobility_ros.core.model import Vector


class Vehicle(Protocol):
    """One simulated body. World frame ENU, SI units; time advances only in ``step``."""

    position: Vector
    velocity: Vector
    yaw: float
    yaw_rate: float

    def command(self, velocity: Vector, yaw_rate: float, in_body: bool = False) -> None:
        """Take a wanted velocity [m/s] and yaw rate [rad/s]; they hold until replaced.

        Args:
            velocity: In the map frame, or forward, left and up if ``in_body``.
            yaw_rate: Counter-clockwise positive.
            in_body: Whether the velocity turns with the body.
        """

    def step(self) -> None:
        """Advance by one update period."""
