"""A point that follows velocity commands with limits and lag, and turns on the spot."""

from velocity_mobility_ros.core.frames import next_yaw, rotate_z
from velocity_mobility_ros.core.limits import limit_abs
from velocity_mobility_ros.core.model import MobilityParameters, Vector, step


class KinematicVehicle:
    """The velocity mobility model with a heading.

    Position and velocity are in ``map`` (ENU) [m, m/s], yaw counter-clockwise from east [rad].
    """

    def __init__(self, parameters: MobilityParameters, position: Vector, yaw: float = 0.0) -> None:
        """Start at rest at a position [m] and heading [rad]."""
        self.parameters = parameters
        self.position = position
        self.velocity: Vector = (0.0, 0.0, 0.0)
        self.yaw = yaw
        self.yaw_rate = 0.0
        self._command: Vector = (0.0, 0.0, 0.0)
        self._yaw_rate_command = 0.0
        self._in_body = False

    @property
    def parameters(self) -> MobilityParameters:
        """What the body can do; may be replaced between steps."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: MobilityParameters) -> None:
        self._parameters = parameters
        self._limits = parameters.limits

    def command(self, velocity: Vector, yaw_rate: float, in_body: bool = False) -> None:
        """Take a wanted velocity [m/s] and yaw rate [rad/s]; they hold until replaced.

        Args:
            velocity: In the map frame, or forward, left and up if ``in_body``.
            yaw_rate: Counter-clockwise positive.
            in_body: Whether the velocity turns with the body.
        """
        self._command = velocity
        self._yaw_rate_command = yaw_rate
        self._in_body = in_body

    def step(self) -> None:
        """Advance by one update period."""
        dt = self._parameters.update_rate
        command = self._command
        if self._in_body:
            x, y = rotate_z(command[0], command[1], self.yaw)
            command = (x, y, command[2])
        self.position, self.velocity = step(
            self.position, self.velocity, command, dt, self._limits
        )
        self.yaw_rate = limit_abs(self._yaw_rate_command, self._parameters.max_yaw_rate)
        self.yaw = next_yaw(self.yaw, self.yaw_rate, dt)
