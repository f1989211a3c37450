"""The errors of a vehicle's odometry, measurement by measurement.

    measured position = position + d + sigma_p n       measured velocity = velocity + sigma_v n
    d' = a d + sigma_d sqrt(1 - a^2) n                 a = exp(-T / drift_time)

with independent standard normal numbers n, and the time T between two measurements. d is a
first-order Gauss-Markov process with the standard deviation sigma_d at any time: the usual model
of the slow errors of satellite navigation (R. G. Brown, P. Y. C. Hwang, Introduction to Random
Signals and Applied Kalman Filtering, Wiley). A dropout begins by chance and hides all measurements
for a time. Every number depends on the seed and the count of the measurement alone.

Plain functions over records of numbers, so that nodes call them and the engine compiles them. All
times are whole numbers of updates of the vehicle.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import inverse, rotate, unit
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.motion import Attitude
from velocity_mobility_ros.core.random_numbers import hashed, normal_pair, unit_number
from velocity_mobility_ros.core.sensing_parameters import SensingParameters

DRAWS = 6
"""Pairs of random numbers of a measurement."""

NO_ERROR: Vector = (0.0, 0.0, 0.0)


class SensorMeans(NamedTuple):
    """Numbers of a sensor and of the way to the vehicle.

    Attributes:
        position: Deviations of the noise of the position [m], horizontal and vertical.
        velocity: The same of the velocity [m/s].
        drift: The same of the drift [m].
        keep: Share of the drift that is left after one measurement.
        kick: Share of the deviation that is added.
        period: Updates between two measurements.
        phase: Update of the first measurement, below the period.
        latency: Updates until a measurement arrives.
        chance: Probability that a dropout begins at a measurement.
        blind: Updates that a dropout lasts.
        delay: Updates until a command takes effect.
    """

    position: tuple[float, float]
    velocity: tuple[float, float]
    drift: tuple[float, float]
    keep: float
    kick: float
    period: int
    phase: int
    latency: int
    chance: float
    blind: int
    delay: int


class SensorState(NamedTuple):
    """Measurements so far, the drift [m], and the update at which a dropout ends."""

    count: int
    drift: Vector
    blind_until: int


AT_REST = SensorState(0, NO_ERROR, 0)
"""Before the first measurement."""


class Reading(NamedTuple):
    """Whether there is a measurement, and the errors of position [m] and velocity [m/s]."""

    is_there: bool
    position: Vector
    velocity: Vector


def sensor_means(
    sensing: SensingParameters, update_rate: float, control_period: float
) -> SensorMeans:
    """Return the numbers of a sensor; times are rounded to updates.

    Args:
        sensing: The parameters.
        update_rate: Time between two updates of the vehicle [s].
        control_period: Time between two commands [s]; so often is measured if nothing else is
            said, such that measurements arrive just when commands are computed.
    """
    latency = round(sensing.odom_latency / update_rate)
    asked = control_period if sensing.odom_period is None else sensing.odom_period
    period = max(1, round(asked / update_rate))
    time = period * update_rate
    keep = math.exp(-time / sensing.drift_time)
    return SensorMeans(
        (sensing.position_noise_xy, sensing.position_noise_z),
        (sensing.velocity_noise_xy, sensing.velocity_noise_z),
        (sensing.position_drift_xy, sensing.position_drift_z),
        keep,
        math.sqrt(1.0 - keep * keep),
        period,
        -latency % period if sensing.odom_period is None else 0,
        latency,
        min(1.0, sensing.dropouts_per_min / 60.0 * time),
        round(sensing.dropout_time / update_rate),
        round(sensing.command_latency / update_rate),
    )


def is_due(means: SensorMeans, update: int) -> bool:
    """Return whether a measurement is made after so many updates."""
    return update % means.period == means.phase


def sensed(
    means: SensorMeans, state: SensorState, seed: int, update: int
) -> tuple[SensorState, Reading]:
    """Make the next measurement.

    Args:
        means: The sensor's numbers.
        state: Its state.
        seed: Seed of its random numbers, a whole number from 0 to 2^53.
        update: How many updates the vehicle has made.
    """
    key, first = hashed(seed, DRAWS), DRAWS * state.count
    x, y = _scaled(means.position[0], key, first)
    vx, vy = _scaled(means.velocity[0], key, first + 1)
    z, vz = 0.0, 0.0
    if means.position[1] > 0.0 or means.velocity[1] > 0.0:
        a, b = normal_pair(key, first + 2)
        z, vz = means.position[1] * a, means.velocity[1] * b
    drift = _drifted(means, state, key, first + 3)
    blind_until = state.blind_until
    begins = means.chance > 0.0 and update >= blind_until
    if begins and unit_number(hashed(key, 2 * (first + 5))) < means.chance:
        blind_until = update + means.blind
    reading = Reading(
        update >= blind_until,
        (x + drift[0], y + drift[1], z + drift[2]),
        (vx, vy, vz),
    )
    return SensorState(state.count + 1, drift, blind_until), reading


def _drifted(means: SensorMeans, state: SensorState, key: int, first: int) -> Vector:
    """Return the drift of the next measurement [m]; the first is drawn as any later one lies."""
    if means.drift[0] <= 0.0 and means.drift[1] <= 0.0:
        return state.drift
    keep, kick = (0.0, 1.0) if state.count == 0 else (means.keep, means.kick)
    x, y = normal_pair(key, first)
    z, _ = normal_pair(key, first + 1)
    level, height = means.drift
    return (
        keep * state.drift[0] + kick * level * x,
        keep * state.drift[1] + kick * level * y,
        keep * state.drift[2] + kick * height * z,
    )


def _scaled(deviation: float, key: int, count: int) -> tuple[float, float]:
    """Return two independent normal numbers of a standard deviation."""
    if deviation <= 0.0:
        return 0.0, 0.0
    x, y = normal_pair(key, count)
    return deviation * x, deviation * y


def misread_place(position: Vector, reading: Reading) -> Vector:
    """Return a position [m] with the error of a measurement."""
    return (
        position[0] + reading.position[0],
        position[1] + reading.position[1],
        position[2] + reading.position[2],
    )


def misread_velocity(velocity: Vector, reading: Reading) -> Vector:
    """Return a velocity [m/s, map] with the error of a measurement."""
    return (
        velocity[0] + reading.velocity[0],
        velocity[1] + reading.velocity[1],
        velocity[2] + reading.velocity[2],
    )


def misread_attitude(attitude: Attitude, reading: Reading) -> Attitude:
    """Return an attitude whose velocity has the error of a measurement; it is not turned."""
    forward, left, up = rotate(inverse(unit(attitude.rotation)), reading.velocity)
    linear = attitude.linear
    return Attitude(
        attitude.rotation,
        (linear[0] + forward, linear[1] + left, linear[2] + up),
        attitude.angular,
    )
