"""Length of a path: not across gaps, and not that of the noise of its positions."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import longest_gap

ORDER = 6
"""Order of the differences that show the noise: a motion that is sampled finely has none left."""

BEYOND = 12.0
"""Displacements above so many standard deviations of the noise count."""

PER_DEVIATION = 0.6745
"""Median size of a normal variable, in its standard deviations."""


class PathLength(NamedTuple):
    """Length of a path [m], and the time in which it was recorded [s]."""

    length: float
    recorded: float


def path_length(time: Floats, position: Floats, is_noisy: bool) -> PathLength:
    """Return the length of a path; what is flown in a gap is not known and does not count.

    Noise adds a way at every sample, also to a body that hovers. So of a noisy path only
    displacements count that exceed the noise: from one position to the first that is farther away
    than ``BEYOND`` standard deviations, and so on.

    Args:
        time: (K,) [s].
        position: (K, 3) [m].
        is_noisy: Whether positions may have noise; else all displacements count.
    """
    parts = [*_parts(time, position)]
    least = BEYOND * _noise([place for _, place in parts]) if is_noisy else 0.0
    lengths = [_length(place, least) for _, place in parts]
    return PathLength(
        math.fsum(lengths), math.fsum(float(when[-1] - when[0]) for when, _ in parts)
    )


def _parts(time: Floats, position: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Iterate over the parts of a path between gaps."""
    cuts = np.flatnonzero(np.diff(time) > longest_gap(time)) + 1
    yield from zip(np.split(time, cuts), np.split(position, cuts), strict=True)


def _noise(parts: list[Floats]) -> float:
    """Return the standard deviation of the noise of the noisiest coordinate [m]."""
    left = np.concatenate([np.diff(place, ORDER, axis=0) for place in parts])
    if not len(left):
        return 0.0
    size = np.median(np.abs(left), axis=0) / PER_DEVIATION
    return float(size.max()) / math.sqrt(math.comb(2 * ORDER, ORDER))


def _length(place: Floats, least: float) -> float:
    """Return the length of a path without gaps [m], of displacements above the least one [m]."""
    if not least > 0.0:
        return float(np.linalg.norm(np.diff(place, axis=0), axis=1).sum())
    ways, (at, *later) = [], place.tolist()
    for one in later:
        way = math.dist(at, one)
        if way > least:
            ways.append(way)
            at = one
    return math.fsum(ways)
