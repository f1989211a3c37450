"""Start values of the solver, from a coarse grid of lags, limits and delays."""

import itertools

import numpy as np

from soliton_encirclement_ros.analysis.fit.excitation import sizes
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import DELAY
from soliton_encirclement_ros.analysis.recording import Floats

TAUS = (0.03, 0.1, 0.2, 0.35, 0.6, 1.0, 1.7, 3.0)
ACCELERATIONS = (0.4, 0.6, 0.8, 1.0, 1.5)
SPEEDS = (0.95, 1.5)
"""Shares of the measured maximum; the largest is never active."""

DELAYS = 8
"""Number of delays in the grid, from 0 to the longest."""

STARTS = 3

SIDE = 2
"""Half width of the median filter that removes outliers [samples]."""

WINDOW = 0.2
"""Time [s] over which an acceleration is measured."""


def scan(joined: JoinedStretches, settings: FitSettings) -> list[Floats]:
    """Return the best ``STARTS`` points, the best first, each with another delay.

    Horizontal and vertical values are evaluated together but selected separately.
    """
    speed, acceleration = _measured(joined)
    found = []
    for delay in np.linspace(0.0, settings.longest_delay, DELAYS):
        points = [
            np.array([tau, a * acceleration[0], v * speed[0],
                      tau, a * acceleration[1], v * speed[1], delay])
            for tau, a, v in itertools.product(TAUS, ACCELERATIONS, SPEEDS)
        ]  # fmt: skip
        costs = np.array([_costs(joined, point) for point in points])
        xy, z = costs.argmin(axis=0)
        values = np.concatenate([points[xy][:3], points[z][3:DELAY], [delay]])
        # Each axis relative to its own best, so that the noisier one does not dominate.
        found.append((costs[xy, 0], costs[z, 1], values))
    best = np.maximum(np.min([(xy, z) for xy, z, _ in found], axis=0), 1e-9)
    ranked = sorted(found, key=lambda one: one[0] / best[0] + one[1] / best[1])
    return [values for _, _, values in ranked[:STARTS]]


def _costs(joined: JoinedStretches, values: Floats) -> tuple[float, float]:
    error = np.abs(joined.measured - joined.rough(values)).mean(axis=0)
    return float(error[0] + error[1]), float(error[2])


def _measured(joined: JoinedStretches) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the 99.5th percentile of speed and acceleration, horizontal and vertical."""
    filtered = [_median_filtered(part.velocity) for part in joined.parts]
    speeds, rises = sizes(np.concatenate(filtered)), []
    for part, velocity in zip(joined.parts, filtered, strict=True):
        step = max(1, round(WINDOW * (len(part.time) - 1) / part.length))
        middle = part.time[SIDE:-SIDE]
        gap = (middle[step:] - middle[:-step])[:, None]
        rises.append((velocity[step:] - velocity[:-step]) / gap)
    accelerations = sizes(np.concatenate(rises))
    speed, acceleration = (
        tuple(float(max(np.percentile(size, 99.5), 1e-2)) for size in one)
        for one in (speeds, accelerations)
    )
    return speed, acceleration


def _median_filtered(velocity: Floats) -> Floats:
    """Return running medians of velocities (n, 3), without the first and last ``SIDE``."""
    windows = np.lib.stride_tricks.sliding_window_view(velocity, 2 * SIDE + 1, axis=0)
    return np.median(windows, axis=-1)
