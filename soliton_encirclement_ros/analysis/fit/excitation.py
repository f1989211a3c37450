"""How much was asked of a vehicle, how much it flew, and how rough its odometry is."""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import LIMITS
from soliton_encirclement_ros.analysis.recording import Floats

SHORTEST = 1e-6
"""Updates that are shorter [s] show no acceleration."""

FINEST = 1e-3
"""Deviation [m/s] finer than which no odometry is taken to be."""


class Excitation(NamedTuple):
    """Largest values, (2,) each: horizontal and vertical.

    Attributes:
        change: How far a command went from the middle of its stretch [m/s].
        told: Commanded speed [m/s].
        speed: Predicted speed [m/s].
        asked: Acceleration that lag and command asked for [m/s^2].
        flown: Predicted acceleration [m/s^2].
    """

    change: Floats
    told: Floats
    speed: Floats
    asked: Floats
    flown: Floats


def motion(course: JoinedStretches, values: Floats, scale: Floats) -> Excitation:
    """Return what the law with these values was asked for, and flew.

    Args:
        course: What was commanded.
        values: The seven values.
        scale: (3,) usual deviation of a sample [m/s].
    """
    line = course.line(values)
    starts = course.starts(values, scale)
    flown = course.flown(values, starts)
    before = np.vstack([starts[:1], flown[:-1]])
    before[line.begin[:-1]] = starts
    lasting = line.dt > SHORTEST
    free = values.copy()
    free[list(LIMITS)] = np.inf
    asked = (course.each(free, before) - before)[lasting] / line.dt[lasting, None]
    rise = (flown - before)[lasting] / line.dt[lasting, None]
    change = np.concatenate([part.told - np.median(part.told, axis=0) for part in course.parts])
    return Excitation(*map(_largest, (change, line.wanted, flown, asked, rise)))


def _largest(vectors: Floats) -> Floats:
    horizontal, vertical = sizes(vectors)
    return np.array([horizontal.max(), vertical.max()])


def sizes(vectors: Floats) -> tuple[Floats, Floats]:
    """Return horizontal norms and vertical sizes of vectors (n, 3)."""
    return np.sqrt((vectors[:, :2] ** 2).sum(axis=1)), np.abs(vectors[:, 2])


def deviation(missed: Floats) -> Floats:
    """Return the usual deviation of residuals (n, 3) [m/s], (3,), horizontal axes alike.

    By the median, so that wild values do not count; at least ``FINEST``.
    """
    xy = 1.4826 * np.median(np.abs(missed[:, :2]))
    z = 1.4826 * np.median(np.abs(missed[:, 2]))
    return np.maximum(np.array([xy, xy, z]), FINEST)


def noise_of(course: JoinedStretches) -> Floats:
    """Return the deviation of the odometry's velocity from smoothness (3,) [m/s].

    Of second differences, which know nothing of slow motion; horizontal axes alike.
    """
    bends = np.concatenate([np.diff(part.velocity, 2, axis=0) for part in course.parts])
    return deviation(bends / np.sqrt(6.0))
