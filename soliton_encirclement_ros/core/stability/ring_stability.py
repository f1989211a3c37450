"""Stability of the law ``soliton`` near the even ring, in discrete time with delay (docs/law.md).

Near the ring the displacement x along it and its speed v, relative to the target, obey

    a   = k_v (k_s s - v) + k_s s'      s = m y - x,  s' = m w - v
    v+  = v + alpha tau_c a,  x+ = x + T v + beta tau_c a

where y, w are the neighbours' x and v, dead reckoned from d ticks ago, m is a mode's factor, tau_c
the lag that the controller assumes, and alpha, beta describe the lag of the vehicle over one
period of n updates. m = 0 is the radial motion with k_r for k_s; m = 1 is the rotation of the
whole ring, whose angle is free (an eigenvalue 1 that is ignored), but not its rate.
"""

import math

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.stability.ordered_sum import total

ROTATION = 1.0
"""Mode factor of the rotation of the whole ring."""

MAX_GAIN = 1e6
"""Upper limit of the gain search [1/s]."""


def mode_factors(count: int, hops: int) -> list[float]:
    """Return the factor of every wave on an even ring, the rotation of the whole first.

    The mean of cos(2 pi k h / N) over the neighbours in use, k = 0 .. N - 1: a wave with factor m
    decays at k_s (1 - m) in continuous time.

    Args:
        count: Number N of agents, at least 2.
        hops: Neighbours on either side.
    """
    window = max(1, min(hops, (count - 1) // 2))
    return [
        total(math.cos(2.0 * math.pi * k * h / count) for h in range(1, window + 1)) / window
        for k in range(count)
    ]


def lag_over_period(period: float, substeps: int, tau: float | None) -> tuple[float, float]:
    """Return alpha [-] and beta [s]: change of speed and position per unit of commanded change.

    Args:
        period: Control period T [s].
        substeps: Updates n of the vehicle per period.
        tau: Lag of the vehicle [s]; None for no lag.
    """
    dt = period / substeps
    left = 0.0 if tau is None else 1.0 - dt / tau
    gained = [1.0 - left**j for j in range(1, substeps + 1)]
    return gained[-1], dt * total(gained)


def mode_matrix(
    factor: float,
    k_s: float,
    k_v: float,
    period: float,
    tau_counted: float,
    lag: tuple[float, float],
    delay: int = 1,
) -> NDArray[np.float64]:
    """Return the one-tick matrix of (x, v) at the current and the last ``delay`` ticks.

    Args:
        factor: The mode's factor m.
        k_s: Spacing (or radial) gain [1/s].
        k_v: Velocity gain [1/s].
        period: Control period T [s].
        tau_counted: Lag tau_c that the controller assumes [s].
        lag: ``lag_over_period`` of the vehicle.
        delay: Age d of the neighbours' messages [ticks], at least 1.
    """
    size = 2 * (delay + 1)
    acceleration = np.zeros(size)
    acceleration[0] = -k_v * k_s
    acceleration[1] = -k_v - k_s
    acceleration[2 * delay] += k_v * k_s * factor
    acceleration[2 * delay + 1] += (k_v * k_s * delay * period + k_s) * factor
    alpha, beta = lag
    matrix = np.zeros((size, size))
    matrix[0, 0] = matrix[1, 1] = 1.0
    matrix[0, 1] = period
    matrix[0] += beta * tau_counted * acceleration
    matrix[1] += alpha * tau_counted * acceleration
    matrix[2:, :-2] = np.eye(size - 2)
    return matrix


def is_surely_stable(gain: float, k_v: float, period: float, delay: int = 1) -> bool:
    """Return whether ``(d k + 2 k_v) T <= 1``, sufficient for every ring, window and lag.

    The bound was found numerically (the tests check a grid); ``largest_gain`` is exact.

    Args:
        gain: Spacing or radial gain k [1/s].
        k_v: Velocity gain [1/s].
        period: Control period T [s].
        delay: Age d of the neighbours' messages [ticks], at least 1.
    """
    return (delay * gain + 2.0 * k_v) * period <= 1.0


def mode_radius(factor: float, matrix: NDArray[np.float64]) -> float:
    """Return the largest modulus of a mode's eigenvalues; below 1 the mode decays.

    For the rotation the eigenvalue of the free angle is excluded.

    Args:
        factor: The mode's factor m.
        matrix: Its ``mode_matrix``.
    """
    poles = np.linalg.eigvals(matrix)
    if factor == ROTATION:
        poles = np.delete(poles, np.argmin(np.abs(poles - 1.0)))
    return float(np.max(np.abs(poles)))


def slowest_decay(
    factors: list[float],
    k_s: float,
    k_v: float,
    period: float,
    tau_counted: float,
    lag: tuple[float, float],
    delay: int = 1,
) -> float:
    """Return the radius of the slowest of some modes, each given by its factor."""
    return max(
        mode_radius(m, mode_matrix(m, k_s, k_v, period, tau_counted, lag, delay)) for m in factors
    )


def largest_gain(
    factors: list[float],
    k_v: float,
    period: float,
    tau_counted: float,
    lag: tuple[float, float],
    delay: int = 1,
) -> float:
    """Return the spacing gain k_s [1/s] at which the first mode stops decaying."""
    low, high = 0.0, 1.0
    while slowest_decay(factors, high, k_v, period, tau_counted, lag, delay) < 1.0:
        low, high = high, 2.0 * high
        if high > MAX_GAIN:
            return math.inf
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        stable = slowest_decay(factors, middle, k_v, period, tau_counted, lag, delay) < 1.0
        low, high = (middle, high) if stable else (low, middle)
    return low
