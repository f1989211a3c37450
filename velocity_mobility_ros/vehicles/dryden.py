"""Dryden turbulence at low altitude: length scales, intensities, and exact filters.

Spectra of MIL-F-8785C, section 3.7 (those of MIL-HDBK-1797 are equal, with its length scales):
along the wind ``sigma^2 2L/pi 1/(1 + (L Omega)^2)``, across it and vertical ``sigma^2 L/pi
(1 + 3 (L Omega)^2)/(1 + (L Omega)^2)^2``, with the wave number ``Omega`` [rad/m]. A body that
moves through the air at V [m/s] meets the frequency ``V Omega`` (Taylor's hypothesis), so the
time constant of a filter is L/V. The filters here have unit variance and are discretised exactly
for white noise: their statistics do not depend on the step.
"""

import math
from typing import NamedTuple

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
    rest = q22 - l21 * l21
    l22 = math.sqrt(rest) if rest > 0.0 else 0.0
    return decay * x1 + l11 * n1, decay * (x2 + tau * x1) + l21 * n1 + l22 * n2


def second_gust(state: Filter) -> float:
    """Return the gust of a filter of second order, in standard deviations.

    It is ``(x2 + sqrt(3) dx2/dt) / sqrt(2)``: the zero of the spectrum at ``sqrt(3) L/V``.
    """
    x1, x2 = state
    return ROOT_HALF * (x2 + ROOT_3 * (x1 - x2))
