"""One simulated body: a vehicle with its state, its command and its instruments.

Commands are on their way to the vehicle for a time, and measurements are on theirs.
"""

from collections import deque
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import Attitude, VehicleMotion, velocity_of
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles.odometry_sensor import (
    AT_REST, MeasurementErrors, SensorCoefficients, is_due, misread_attitude, misread_place,
    misread_velocity, read_sensor
)
from velocity_mobility_ros.vehicles.vehicle import STOP, VEHICLES, Command, State


class MeasuredMotion(NamedTuple):
    """Content of an odometry.

    Attributes:
        motion: Motion of the body.
        attitude: Attitude of a body that tilts.
        age: Age of both [s].
        updates: The same in updates of the vehicle.
    """

    motion: VehicleMotion
    attitude: Attitude | None
    age: float
    updates: int


class Instruments:
    """Sensor and command link of one body."""

    def __init__(self, sensor: SensorCoefficients, seed: int) -> None:
        """Start without measurements; no command is on its way.

        Args:
            sensor: Numbers of the sensor.
            seed: Seed of its random numbers, from 0 to 2^53.
        """
        self.sensor = sensor
        self._seed = seed
        self._state = AT_REST
        self._updates = 0
        self._commands: deque[tuple[int, Command]] = deque()
        self._in_effect = STOP
        self._readings: deque[tuple[int, VehicleMotion, Attitude | None]] = deque()

    def send(self, command: Command) -> None:
        """Send a command to the vehicle."""
        due = self._updates + self.sensor.delay
        if self._commands and self._commands[-1][0] == due:
            self._commands.pop()
        self._commands.append((due, command))

    @property
    def in_effect(self) -> Command:
        """The command that has arrived last."""
        while self._commands and self._commands[0][0] <= self._updates:
            self._in_effect = self._commands.popleft()[1]
        return self._in_effect

    def begin(self, motion: VehicleMotion, attitude: Attitude | None) -> None:
        """Set where the body starts."""
        self._readings.append((0, motion, attitude))

    def measure(self, motion: VehicleMotion, attitude: Attitude | None) -> None:
        """Count an update of the body; measure its motion if it is due."""
        self._updates += 1
        if not is_due(self.sensor, self._updates):
            return
        self._state, reading = read_sensor(self.sensor, self._state, self._seed, self._updates)
        if reading.is_there:
            self._readings.append((self._updates, *_misread(motion, attitude, reading)))

    def measured(self, update_rate: float) -> MeasuredMotion:
        """Return the last measurement that has come; ``update_rate`` [s] is that of the body."""
        arrived = self._updates - self.sensor.latency
        while len(self._readings) > 1 and self._readings[1][0] <= arrived:
            self._readings.popleft()
        update, motion, attitude = self._readings[0]
        ago = self._updates - update
        return MeasuredMotion(motion, attitude, ago * update_rate, ago)


def _misread(
    motion: VehicleMotion, attitude: Attitude | None, reading: MeasurementErrors
) -> tuple[VehicleMotion, Attitude | None]:
    """Return a motion and an attitude with the errors of a measurement."""
    position = misread_place(motion.position, reading)
    if attitude is None:
        velocity = misread_velocity(motion.velocity, reading)
    else:
        attitude = misread_attitude(attitude, reading)
        velocity = velocity_of(attitude)
    return motion._replace(position=position, velocity=velocity), attitude


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
        self._coefficients = self._vehicle.coefficients(parameters)

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
    def measured(self) -> MeasuredMotion:
        """Motion and attitude for the odometry, with their age."""
        if self._instruments is None:
            return MeasuredMotion(self.motion, self.attitude, 0.0, 0)
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
        self.state = self._vehicle.step(self._coefficients, self.state, command, dt)
