"""One simulated body: a vehicle with its state and its command."""

from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.core.motion import Attitude, VehicleMotion
from velocity_mobility_ros.vehicles.vehicle import STOP, Command, State
from velocity_mobility_ros.vehicles.vehicle_types import VEHICLES


class Body:
    """A vehicle in a node or in the plain loop. Time advances only in ``step``."""

    def __init__(
        self, parameters: MobilityParameters, position: Vector, yaw: float = 0.0, seed: int = 0
    ) -> None:
        """Start at rest at a position [m, map] and heading [rad].

        Args:
            parameters: Type, limits and lag of the vehicle.
            position: Position [m, map].
            yaw: Heading [rad].
            seed: Seed of the body's random numbers, from 0 to 2^53.
        """
        self._vehicle = VEHICLES[parameters.vehicle]
        self.state: State = self._vehicle.at_rest(position, yaw, seed)
        self.desired = STOP
        self.parameters = parameters

    @property
    def parameters(self) -> MobilityParameters:
        """Limits and lag; replaceable between steps, except for the type of vehicle."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: MobilityParameters) -> None:
        self._parameters = parameters
        self._means = self._vehicle.means(parameters)

    @property
    def motion(self) -> VehicleMotion:
        """Motion for the odometry."""
        return self._vehicle.motion(self.state)

    @property
    def attitude(self) -> Attitude | None:
        """Attitude for the odometry; None for a body that is always level."""
        tilt = self._vehicle.attitude
        return None if tilt is None else tilt(self.state)

    def command(self, velocity: Vector, yaw_rate: float, in_body: bool = False) -> None:
        """Set the desired velocity [m/s] and yaw rate [rad/s]; they hold until replaced.

        Args:
            velocity: In the map frame, or forward, left and up if ``in_body``.
            yaw_rate: Counter-clockwise positive.
            in_body: Whether the velocity turns with the body.
        """
        self.desired = Command(velocity, yaw_rate, in_body)

    def step(self) -> None:
        """Advance by one update period."""
        dt = self._parameters.update_rate
        self.state = self._vehicle.step(self._means, self.state, self.desired, dt)
