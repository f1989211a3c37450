"""The instruments of one simulated body: commands on their way, and measurements on theirs."""

from collections import deque
from typing import NamedTuple

from velocity_mobility_ros.core.motion import Attitude, VehicleMotion, velocity_of
from velocity_mobility_ros.vehicles.sensor import (
    AT_REST,
    Reading,
    SensorMeans,
    is_due,
    misread_attitude,
    misread_place,
    misread_velocity,
    sensed,
)
from velocity_mobility_ros.vehicles.vehicle import STOP, Command


class Measured(NamedTuple):
    """What an odometry tells.

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

    def __init__(self, means: SensorMeans, seed: int) -> None:
        """Know nothing yet; no command is on its way.

        Args:
            means: Numbers of the sensor.
            seed: Seed of its random numbers, from 0 to 2^53.
        """
        self.means = means
        self._seed = seed
        self._state = AT_REST
        self._updates = 0
        self._commands: deque[tuple[int, Command]] = deque()
        self._in_effect = STOP
        self._readings: deque[tuple[int, VehicleMotion, Attitude | None]] = deque()

    def send(self, command: Command) -> None:
        """Send a command to the vehicle."""
        due = self._updates + self.means.delay
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
        """Know where the body starts."""
        self._readings.append((0, motion, attitude))

    def measure(self, motion: VehicleMotion, attitude: Attitude | None) -> None:
        """Take note that the body has made an update; measure its motion if it is time."""
        self._updates += 1
        if not is_due(self.means, self._updates):
            return
        self._state, reading = sensed(self.means, self._state, self._seed, self._updates)
        if reading.is_there:
            self._readings.append((self._updates, *_misread(motion, attitude, reading)))

    def measured(self, update_rate: float) -> Measured:
        """Return the last measurement that has come; ``update_rate`` [s] is that of the body."""
        arrived = self._updates - self.means.latency
        while len(self._readings) > 1 and self._readings[1][0] <= arrived:
            self._readings.popleft()
        update, motion, attitude = self._readings[0]
        ago = self._updates - update
        return Measured(motion, attitude, ago * update_rate, ago)


def _misread(
    motion: VehicleMotion, attitude: Attitude | None, reading: Reading
) -> tuple[VehicleMotion, Attitude | None]:
    """Return a motion and an attitude with the errors of a measurement."""
    position = misread_place(motion.position, reading)
    if attitude is None:
        velocity = misread_velocity(motion.velocity, reading)
    else:
        attitude = misread_attitude(attitude, reading)
        velocity = velocity_of(attitude)
    return motion._replace(position=position, velocity=velocity), attitude
