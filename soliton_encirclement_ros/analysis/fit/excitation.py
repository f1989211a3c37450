"""Excitation of a flight: commanded and predicted extremes, and the odometry noise."""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import LIMITS
from soliton_encirclement_ros.analysis.recording import Floats

SHORTEST = 1e-6
"""Shorter updates [s] are not used for accelerations."""

MISFIT = 0.01
"""Error of a model as a share of the largest change of a command."""

MIN_DEVIATION = 1e-3
"""Lower limit of the assumed odometry noise [m/s]."""


class Excitation(NamedTuple):
    """Largest values of a flight, (2,) each: horizontal and vertical.

    Attributes:
        command_change: Deviation of a command from the median of its stretch [m/s].
        command_speed: Commanded speed [m/s].
        speed: Predicted speed [m/s].
        demanded: Acceleration demanded by command and lag, without limits [m/s^2].
        acceleration: Predicted acceleration [m/s^2].
    """

    command_change: Floats
    command_speed: Floats
    speed: Floats
    demanded: Floats
    acceleration: Floats


def motion(joined: JoinedStretches, values: Floats, scale: Floats) -> Excitation:
    """Return the excitation of a flight, predicted with the given values.

    Lags of the acceleration have no effect: limits act before them.

    Args:
        joined: The stretches.
        values: The values.
        scale: (3,) standard deviation of a sample [m/s].
    """
    line = joined.line(values)
    starts = joined.starts(values, scale)
    flown = joined.flown(values, starts)
    before = np.vstack([starts[:1], flown[:-1]])
    before[line.begin[:-1]] = starts
    lasting = line.dt > SHORTEST
    free = values.copy()
    free[list(LIMITS)] = np.inf
    demanded = (joined.each(free, before) - before)[lasting] / line.dt[lasting, None]
    rise = (flown - before)[lasting] / line.dt[lasting, None]
    return Excitation(*map(_largest, (changes(joined), line.wanted, flown, demanded, rise)))


def changes(joined: JoinedStretches) -> Floats:
    """Return how much the commands (m, 3) differ from the median of their stretch [m/s]."""
    return np.concatenate([one.command - np.median(one.command, axis=0) for one in joined.parts])


def misfit(joined: JoinedStretches) -> Floats:
    """Return the error [m/s] that even a good model of a vehicle has, (3,), equal for x and y."""
    xy, z = MISFIT * _largest(changes(joined))
    return np.array([xy, xy, z])


def _largest(vectors: Floats) -> Floats:
    horizontal, vertical = sizes(vectors)
    return np.array([horizontal.max(), vertical.max()])


def sizes(vectors: Floats) -> tuple[Floats, Floats]:
    """Return horizontal norms and vertical sizes of vectors (n, 3)."""
    return np.sqrt((vectors[:, :2] ** 2).sum(axis=1)), np.abs(vectors[:, 2])


def deviation(missed: Floats) -> Floats:
    """Return the standard deviation of residuals (n, 3) [m/s], (3,), equal for x and y.

    From the median, so that outliers do not count; at least ``MIN_DEVIATION``.
    """
    xy = 1.4826 * np.median(np.abs(missed[:, :2]))
    z = 1.4826 * np.median(np.abs(missed[:, 2]))
    return np.maximum(np.array([xy, xy, z]), MIN_DEVIATION)


def noise_of(joined: JoinedStretches) -> Floats:
    """Return the noise of the odometry's velocity (3,) [m/s], equal for x and y.

    From second differences, which remove slow motion.
    """
    bends = np.concatenate([np.diff(part.velocity, 2, axis=0) for part in joined.parts])
    return deviation(bends / np.sqrt(6.0))
