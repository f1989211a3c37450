"""Wind of a simulated body: a constant mean wind and Dryden gusts.

Pure functions over records of numbers, as those of a vehicle. Every body has its own gusts, which
depend on ``gust_seed``, the seed of the body and the count of steps alone. They begin with a calm
and reach their intensity within some time constants.

The turbulence is that at low altitude, with its length scales, intensities, and exact filters.

Spectra of MIL-F-8785C, section 3.7 (those of MIL-HDBK-1797 are equal, with its length scales):
along the wind ``sigma^2 2L/pi 1/(1 + (L Omega)^2)``, across it and vertical ``sigma^2 L/pi
(1 + 3 (L Omega)^2)/(1 + (L Omega)^2)^2``, with the wave number ``Omega`` [rad/m]. A body that
moves through the air at V [m/s] meets the frequency ``V Omega`` (Taylor's hypothesis), so the
time constant of a filter is L/V. The filters here have unit variance and are discretised exactly
for white noise: their statistics do not depend on the step.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, hashed, normal_pair
from velocity_mobility_ros.core.velocity_model import Vector

FOOT = 0.3048
"""[m]; the formulas of the standard are in feet."""

LOWEST, HIGHEST = 10.0, 1000.0
"""Altitudes of the low-altitude model [ft]; beyond them its values at the bounds hold."""

ROOT_3 = math.sqrt(3.0)
ROOT_HALF = math.sqrt(0.5)

Filter = tuple[float, float]
"""State of a filter of second order; (0, 0) is calm."""


class Turbulence(NamedTuple):
    """Turbulence at one altitude.

    Attributes:
        horizontal: Length scale along and across the wind [m].
        vertical: Length scale of the vertical gusts [m].
        ratio: Standard deviation of the horizontal gusts over that of the vertical ones.
    """

    horizontal: float
    vertical: float
    ratio: float


def turbulence(altitude: float) -> Turbulence:
    """Return the turbulence at an altitude above ground [m].

    In feet: ``L_w = h``, ``L_u = L_v = h / (0.177 + 0.000823 h)^1.2`` and
    ``sigma_u / sigma_w = sigma_v / sigma_w = 1 / (0.177 + 0.000823 h)^0.4``.
    """
    h = altitude / FOOT
    if not h > LOWEST:
        h = LOWEST
    elif h > HIGHEST:
        h = HIGHEST
    log_base = math.log(0.177 + 0.000823 * h)
    horizontal = h * math.exp(-1.2 * log_base)
    return Turbulence(horizontal * FOOT, h * FOOT, math.exp(-0.4 * log_base))


def next_first(x: float, tau: float, n: float) -> float:
    """Return the next gust along the wind, in standard deviations.

    Args:
        x: The gust before.
        tau: Step over the time constant of the filter.
        n: A standard normal number.
    """
    decay = math.exp(-tau)
    return decay * x + math.sqrt(1.0 - decay * decay) * n


def next_second(state: Filter, tau: float, n1: float, n2: float) -> Filter:
    """Return the next state of the filter of the gusts across the wind, or of the vertical ones.

    ``dx1 = -x1 dt + sqrt(2) dW``, ``dx2 = (x1 - x2) dt`` with the time in time constants. The
    noise of a step is normal with the covariance ``q``, whose Cholesky factor is ``l``. For a tiny
    step ``q22 - l21^2`` is lost in rounding; the variance is then wrong by less than 1e-16 a step.

    Args:
        state: The state before.
        tau: Step over the time constant of the filter.
        n1: A standard normal number.
        n2: Another one.
    """
    x1, x2 = state
    decay = math.exp(-tau)
    square = decay * decay
    q11 = 1.0 - square
    q12 = 0.5 * (1.0 - square * (1.0 + 2.0 * tau))
    q22 = 0.5 * (1.0 - square * (1.0 + 2.0 * tau + 2.0 * tau * tau))
    l11 = math.sqrt(q11)
    l21 = q12 / l11 if l11 > 0.0 else 0.0
    variance = q22 - l21 * l21
    l22 = math.sqrt(variance) if variance > 0.0 else 0.0
    return decay * x1 + l11 * n1, decay * (x2 + tau * x1) + l21 * n1 + l22 * n2


def second_gust(state: Filter) -> float:
    """Return the gust of a filter of second order, in standard deviations.

    It is ``(x2 + sqrt(3) dx2/dt) / sqrt(2)``: the zero of the spectrum at ``sqrt(3) L/V``.
    """
    x1, x2 = state
    return ROOT_HALF * (x2 + ROOT_3 * (x1 - x2))


GUSTS = 5
"""Purpose of the numbers; those of the radio have 1 to 4."""

LEAST_AIRSPEED = 1.0
"""[m/s]; at less the gusts change as if a body moved through them at this speed: a hovering body
in a calm would otherwise stay in one and the same gust for ever."""

PAIRS = 3
"""Pairs of random numbers that a step takes."""

NO_GUST: Vector = (0.0, 0.0, 0.0)
CALM: Filter = (0.0, 0.0)
SPEED: dict[str, Any] = {'unit': 'm/s', 'minimum': -100.0, 'maximum': 100.0, 'runtime': True}


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


class WindCoefficients(NamedTuple):
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
    count: int  # type: ignore[assignment]  # hides tuple.count
    along: float
    across: Filter
    upward: Filter
    gust: Vector


def wind_coefficients(parameters: WindParameters) -> WindCoefficients:
    """Return the parameters used by ``next_wind`` and ``wind_velocity``."""
    mean = parameters.wind_east, parameters.wind_north, parameters.wind_up
    return WindCoefficients(mean, parameters.gust_intensity, parameters.gust_seed)


def calm(seed: int) -> WindState:
    """Return the gusts at the start: none.

    Args:
        seed: Seed of the body, from 0 to 2^53; two bodies with the same seed meet the same gusts.
    """
    return WindState(seed, 0, 0.0, CALM, CALM, NO_GUST)


def next_wind(
    model: WindCoefficients, state: WindState, altitude: float, airspeed: float, dt: float
) -> WindState:
    """Return the gusts after a step.

    Args:
        model: Parameters of the wind.
        state: The gusts before.
        altitude: Altitude of the body above ground [m].
        airspeed: Its speed through the air [m/s]; at least ``LEAST_AIRSPEED`` is used.
        dt: Step [s], > 0; the statistics do not depend on it.
    """
    if model.gust_intensity == 0.0:
        return WindState(state.seed, state.count, 0.0, CALM, CALM, NO_GUST)
    air = turbulence(altitude)
    distance = dt * (airspeed if airspeed > LEAST_AIRSPEED else LEAST_AIRSPEED)
    tau_h, tau_v = distance / air.horizontal, distance / air.vertical
    key = hashed(hashed(hashed(GUSTS, 0), model.gust_seed), state.seed)
    n1, n2 = normal_pair(key, state.count)
    n3, n4 = normal_pair(key, state.count + 1)
    n5, _ = normal_pair(key, state.count + 2)
    across = next_second(state.across, tau_h, n1, n2)
    upward = next_second(state.upward, tau_v, n3, n4)
    along = next_first(state.along, tau_h, n5)
    return WindState(
        state.seed, state.count + PAIRS, along, across, upward,
        _gust(model, air.ratio, along, second_gust(across), second_gust(upward)),
    )  # fmt: skip


def _gust(
    model: WindCoefficients, ratio: float, along: float, across: float, upward: float
) -> Vector:
    """Return a gust [m/s, map] from its parts in standard deviations; in a calm along is east."""
    horizontal, (east, north, _) = model.gust_intensity * ratio, model.mean
    mean = math.sqrt(east * east + north * north)
    c, s = (east / mean, north / mean) if mean > 0.0 else (1.0, 0.0)
    return (
        horizontal * (c * along - s * across),
        horizontal * (s * along + c * across),
        model.gust_intensity * upward,
    )


def wind_velocity(model: WindCoefficients, state: WindState) -> Vector:
    """Return the velocity of the air [m/s, map]."""
    east, north, up = model.mean
    return east + state.gust[0], north + state.gust[1], up + state.gust[2]
