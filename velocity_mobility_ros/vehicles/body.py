"""One simulated body: a vehicle with its state and its command."""

from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.core.motion import Attitude, VehicleMotion
from velocity_mobility_ros.vehicles.instruments import Instruments, Measured
from velocity_mobility_ros.vehicles.vehicle import STOP, VEHICLES, Command, State


class Body:
    """A vehicle in a node or in the plain loop. Time advances only in ``step``."""

    def __init__(
        self,
        parameters: MobilityParameters,
        position: Vector,
        yaw: float = 0.0,
        seed: int = 0,
        instruments: Instruments | None = None,
    ) -> None:
        """Start at rest at a position [m, map] and heading [rad].

        Args:
            parameters: Type, limits and lag of the vehicle.
            position: Position [m, map].
            yaw: Heading [rad].
            seed: Seed of the body's random numbers, from 0 to 2^53.
            instruments: Its sensor and its command link; None for perfect ones.
        """
        self._vehicle = VEHICLES[parameters.vehicle]
        self.state: State = self._vehicle.at_rest(position, yaw, seed)
        self.desired = STOP
        self.parameters = parameters
        self._instruments = instruments
        if instruments is not None:
            instruments.begin(self.motion, self.attitude)

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
        """True motion."""
        return self._vehicle.motion(self.state)

    @property
    def attitude(self) -> Attitude | None:
        """True attitude; None for a body that is always level."""
        tilt = self._vehicle.attitude
        return None if tilt is None else tilt(self.state)

    @property
    def measured(self) -> Measured:
        """Motion and attitude for the odometry, with their age."""
        if self._instruments is None:
            return Measured(self.motion, self.attitude, 0.0, 0)
        return self._instruments.measured(self._parameters.update_rate)

    def command(self, velocity: Vector, yaw_rate: float, in_body: bool = False) -> None:
        """Set the desired velocity [m/s] and yaw rate [rad/s]; they hold until replaced.

        Args:
            velocity: In the map frame, or forward, left and up if ``in_body``.
            yaw_rate: Counter-clockwise positive.
            in_body: Whether the velocity turns with the body.
        """
        self.desired = Command(velocity, yaw_rate, in_body)
        if self._instruments is not None:
            self._instruments.send(self.desired)

    def step(self) -> None:
        """Advance by one update period."""
        if self._instruments is None:
            self._advance(self.desired)
            return
        self._advance(self._instruments.in_effect)
        self._instruments.measure(self.motion, self.attitude)

    def _advance(self, command: Command) -> None:
        """Move by one update period with a command in effect."""
        dt = self._parameters.update_rate
        self.state = self._vehicle.step(self._means, self.state, command, dt)
