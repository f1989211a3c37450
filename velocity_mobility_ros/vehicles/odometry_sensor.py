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

The normal numbers come from the ziggurat method, one for each key and count.

The area below exp(-x^2 / 2), x >= 0, is covered by layers of equal area: rectangles, below them
one with the tail. A point of a random layer is within the inner part of it in 99 of 100 cases;
then a hash, a product and a comparison are all that a number takes. Otherwise the point is
compared with the curve, and the next one is tried if it is above. Source: Marsaglia, Tsang: The
ziggurat method for generating random variables, J. Stat. Software 5 (2000), in the form of
Doornik: An improved ziggurat method to generate normal random samples (2005), whose layer and
place in it come from different bits.

A sixth of the time of ``random_numbers.normal_pair``, which has no loop and can so be computed for
many vehicles at a time.
"""

import math
from typing import NamedTuple

import numpy as np

from velocity_mobility_ros.core.coordinate_frames import Attitude, inverse, rotate, unit
from velocity_mobility_ros.core.random_numbers import hashed, mix, unit_number
from velocity_mobility_ros.core.velocity_model import SensingParameters, Vector

LAYERS = 256
TOP = LAYERS - 1
TAIL = 3.6541528853610088
"""Where the tail begins, for so many layers."""

TAIL_AREA = math.sqrt(0.5 * math.pi) * math.erfc(TAIL / math.sqrt(2.0))
AREA = TAIL * math.exp(-0.5 * TAIL * TAIL) + TAIL_AREA
"""Area of a layer."""


def layer_widths() -> list[float]:
    """Return the widths of the layers from below, and 0 for the top."""
    widths = [AREA / math.exp(-0.5 * TAIL * TAIL), TAIL]
    while len(widths) < LAYERS:
        height = math.exp(-0.5 * widths[-1] * widths[-1]) + AREA / widths[-1]
        widths.append(math.sqrt(-2.0 * math.log(height)))
    return [*widths, 0.0]


WIDTHS = np.array(layer_widths())
INNER = WIDTHS[1:] / WIDTHS[:-1]
"""Share of the width of a layer that is below the curve at any height of it."""


def normal_number(key: int, count: int) -> float:
    """Return a number from the standard normal distribution.

    Args:
        key: Well-mixed bits of the stream, see ``hashed``.
        count: Which number of the stream it is.
    """
    bits = hashed(key, count)
    while True:
        layer, place = int(bits & TOP), 2.0 * unit_number(bits) - 1.0
        x = place * float(WIDTHS[layer])
        if abs(place) < INNER[layer]:
            return x
        if layer == 0:
            return math.copysign(_beyond(bits), place)
        bits = mix(bits)
        if _is_below(layer, x, unit_number(bits)):
            return x
        bits = mix(bits)


def _is_below(layer: int, x: float, share: float) -> bool:
    """Return whether a point is below the curve.

    Args:
        layer: Its layer.
        x: Its place.
        share: Its height, as a share of that of the layer.
    """
    low = math.exp(0.5 * (x * x - float(WIDTHS[layer]) ** 2))
    high = math.exp(0.5 * (x * x - float(WIDTHS[layer + 1]) ** 2))
    return low + share * (high - low) < 1.0


def _beyond(bits: int) -> float:
    """Return the size of a number in the tail (Marsaglia 1964)."""
    while True:
        bits = mix(bits)
        x = -math.log(1.0 - unit_number(bits)) / TAIL
        bits = mix(bits)
        if -2.0 * math.log(1.0 - unit_number(bits)) > x * x:
            return TAIL + x


AXES = 3
DROPOUT = 3 * AXES
"""Random numbers of a measurement: noise of the position, of the velocity, the drift; this one."""

DRAWS = DROPOUT + 1

NO_ERROR: Vector = (0.0, 0.0, 0.0)


class SensorCoefficients(NamedTuple):
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

    count: int  # type: ignore[assignment]  # hides tuple.count
    drift: Vector
    blind_until: int


AT_REST = SensorState(0, NO_ERROR, 0)
"""Before the first measurement."""


class MeasurementErrors(NamedTuple):
    """Whether there is a measurement, and the errors of position [m] and velocity [m/s]."""

    is_there: bool
    position: Vector
    velocity: Vector


def sensor_coefficients(
    sensing: SensingParameters, update_rate: float, control_period: float
) -> SensorCoefficients:
    """Return the numbers of a sensor; times are rounded to updates.

    Args:
        sensing: The parameters.
        update_rate: Time between two updates of the vehicle [s].
        control_period: Time between two commands [s]; so often is measured if nothing else is
            said, such that measurements arrive just when commands are computed.
    """
    latency = round(sensing.odom_latency / update_rate)
    period_s = control_period if sensing.odom_period is None else sensing.odom_period
    period = max(1, round(period_s / update_rate))
    time = period * update_rate
    keep = math.exp(-time / sensing.drift_time)
    return SensorCoefficients(
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


def is_due(sensor: SensorCoefficients, update: int) -> bool:
    """Return whether a measurement is made after so many updates."""
    return update % sensor.period == sensor.phase


def read_sensor(
    sensor: SensorCoefficients, state: SensorState, seed: int, update: int
) -> tuple[SensorState, MeasurementErrors]:
    """Make the next measurement.

    Args:
        sensor: The sensor's numbers.
        state: Its state.
        seed: Seed of its random numbers, a whole number from 0 to 2^53.
        update: How many updates the vehicle has made.
    """
    key, first = hashed(seed, DRAWS), DRAWS * state.count
    noise = _drawn(sensor.position, key, first)
    velocity = _drawn(sensor.velocity, key, first + AXES)
    drift = _drifted(sensor, state, _drawn(sensor.drift, key, first + 2 * AXES))
    blind_until = state.blind_until
    begins = sensor.chance > 0.0 and update >= blind_until
    if begins and unit_number(hashed(key, first + DROPOUT)) < sensor.chance:
        blind_until = update + sensor.blind
    reading = MeasurementErrors(
        update >= blind_until,
        (noise[0] + drift[0], noise[1] + drift[1], noise[2] + drift[2]),
        velocity,
    )
    return SensorState(state.count + 1, drift, blind_until), reading


def _drawn(deviation: tuple[float, float], key: int, first: int) -> Vector:
    """Return three independent normal numbers of a horizontal and a vertical deviation."""
    x, y, z = NO_ERROR
    if deviation[0] > 0.0:
        x = deviation[0] * normal_number(key, first)
        y = deviation[0] * normal_number(key, first + 1)
    if deviation[1] > 0.0:
        z = deviation[1] * normal_number(key, first + 2)
    return x, y, z


def _drifted(sensor: SensorCoefficients, state: SensorState, drawn: Vector) -> Vector:
    """Return the drift of the next measurement [m]; the first is drawn as any later one lies."""
    keep, kick = (0.0, 1.0) if state.count == 0 else (sensor.keep, sensor.kick)
    return (
        keep * state.drift[0] + kick * drawn[0],
        keep * state.drift[1] + kick * drawn[1],
        keep * state.drift[2] + kick * drawn[2],
    )


def misread_place(position: Vector, reading: MeasurementErrors) -> Vector:
    """Return a position [m] with the error of a measurement."""
    return (
        position[0] + reading.position[0],
        position[1] + reading.position[1],
        position[2] + reading.position[2],
    )


def misread_velocity(velocity: Vector, reading: MeasurementErrors) -> Vector:
    """Return a velocity [m/s, map] with the error of a measurement."""
    return (
        velocity[0] + reading.velocity[0],
        velocity[1] + reading.velocity[1],
        velocity[2] + reading.velocity[2],
    )


def misread_attitude(attitude: Attitude, reading: MeasurementErrors) -> Attitude:
    """Return an attitude whose velocity has the error of a measurement; it is not turned."""
    forward, left, up = rotate(inverse(unit(attitude.rotation)), reading.velocity)
    linear = attitude.linear
    return Attitude(
        attitude.rotation,
        (linear[0] + forward, linear[1] + left, linear[2] + up),
        attitude.angular,
    )
