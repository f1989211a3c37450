"""Wind of a simulated body: a constant mean wind and Dryden gusts.

Pure functions over records of numbers, as those of a vehicle. Every body has its own gusts, which
depend on ``gust_seed``, the seed of the body and the count of steps alone. They begin with a calm
and reach their intensity within some time constants.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, hashed, normal_pair
from velocity_mobility_ros.vehicles.dryden import (
    Filter,
    next_first,
    next_second,
    second_gust,
    turbulence,
)

GUSTS = 5
"""Purpose of the numbers; those of the radio have 1 to 4."""

LEAST_AIRSPEED = 1.0
"""[m/s]; at less the gusts change as if a body moved through them at this speed: a hovering body
in a calm would otherwise stay in one and the same gust for ever."""

PAIRS = 3
"""Pairs of random numbers that a step takes."""

NO_GUST: Vector = (0.0, 0.0, 0.0)
CALM: Filter = (0.0, 0.0)
SPEED = {'unit': 'm/s', 'minimum': -100.0, 'maximum': 100.0, 'runtime': True}


@dataclass(frozen=True)
class WindParameters(Parameters):
    """Mean wind and gusts."""

    wind_east: float = parameter(0.0, 'mean wind towards east', **SPEED)
    wind_north: float = parameter(0.0, 'mean wind towards north', **SPEED)
    wind_up: float = parameter(0.0, 'mean wind upwards', **SPEED)
    gust_intensity: float = parameter(
        0.0, 'standard deviation of vertical gusts; 0: no gusts; horizontal ones are stronger',
        unit='m/s', minimum=0.0, maximum=20.0, runtime=True,
    )  # fmt: skip
    gust_seed: int = parameter(0, 'seed of the gusts', minimum=0, maximum=LARGEST_SEED)


class WindMeans(NamedTuple):
    """Mean wind [m/s, map], intensity of the gusts [m/s], and their seed."""

    mean: Vector
    gust_intensity: float
    gust_seed: int


class WindState(NamedTuple):
    """Gusts around one body.

    Attributes:
        seed: Seed of the body.
        count: Pairs of random numbers taken so far.
        along: Filter of the gusts along the mean wind.
        across: Filter of those to the left of it.
        upward: Filter of the vertical ones.
        gust: The gust [m/s, map].
    """

    seed: int
    count: int
    along: float
    across: Filter
    upward: Filter
    gust: Vector


def wind_means(parameters: WindParameters) -> WindMeans:
    """Return the parameters used by ``next_wind`` and ``wind_velocity``."""
    mean = parameters.wind_east, parameters.wind_north, parameters.wind_up
    return WindMeans(mean, parameters.gust_intensity, parameters.gust_seed)


def calm(seed: int) -> WindState:
    """Return the gusts at the start: none.

    Args:
        seed: Seed of the body, from 0 to 2^53; two bodies with the same seed meet the same gusts.
    """
    return WindState(seed, 0, 0.0, CALM, CALM, NO_GUST)


def next_wind(
    means: WindMeans, state: WindState, altitude: float, airspeed: float, dt: float
) -> WindState:
    """Return the gusts after a step.

    Args:
        means: Parameters of the wind.
        state: The gusts before.
        altitude: Altitude of the body above ground [m].
        airspeed: Its speed through the air [m/s]; at least ``LEAST_AIRSPEED`` is used.
        dt: Step [s], > 0; the statistics do not depend on it.
    """
    if means.gust_intensity == 0.0:
        return WindState(state.seed, state.count, 0.0, CALM, CALM, NO_GUST)
    air = turbulence(altitude)
    way = dt * (airspeed if airspeed > LEAST_AIRSPEED else LEAST_AIRSPEED)
    tau_h, tau_v = way / air.horizontal, way / air.vertical
    key = hashed(hashed(hashed(GUSTS, 0), means.gust_seed), state.seed)
    n1, n2 = normal_pair(key, state.count)
    n3, n4 = normal_pair(key, state.count + 1)
    n5, _ = normal_pair(key, state.count + 2)
    across = next_second(state.across, tau_h, n1, n2)
    upward = next_second(state.upward, tau_v, n3, n4)
    along = next_first(state.along, tau_h, n5)
    return WindState(
        state.seed, state.count + PAIRS, along, across, upward,
        _gust(means, air.ratio, along, second_gust(across), second_gust(upward)),
    )  # fmt: skip


def _gust(means: WindMeans, ratio: float, along: float, across: float, upward: float) -> Vector:
    """Return a gust [m/s, map] from its parts in standard deviations; in a calm along is east."""
    horizontal, (east, north, _) = means.gust_intensity * ratio, means.mean
    mean = math.sqrt(east * east + north * north)
    c, s = (east / mean, north / mean) if mean > 0.0 else (1.0, 0.0)
    return (
        horizontal * (c * along - s * across),
        horizontal * (s * along + c * across),
        means.gust_intensity * upward,
    )


def wind_velocity(means: WindMeans, state: WindState) -> Vector:
    """Return the velocity of the air [m/s, map]."""
    east, north, up = means.mean
    return east + state.gust[0], north + state.gust[1], up + state.gust[2]
