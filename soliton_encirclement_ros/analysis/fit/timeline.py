"""Time steps of the law along recorded stretches, for one delay.

The updates lie between the samples of the odometry. An update in which a command arrives is split
there, so that the prediction is continuous in the delay, also with active limits.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.stretches import Stretch
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import latest


class Timeline(NamedTuple):
    """K updates of S stretches with n samples, the first of each stretch not counted.

    Attributes:
        begin: (S + 1,) index of every stretch's first update, and the end.
        dt: (K,) length of each update [s], some of them 0.
        wanted: (K, 3) commanded velocity during each [m/s].
        sampled: (n,) update that ends at each sample.
    """

    begin: np.ndarray
    dt: Floats
    wanted: Floats
    sampled: np.ndarray


def grid(time: Floats, update: float) -> Floats:
    """Return times of updates: all samples, and evenly spaced ones between them.

    Args:
        time: (n,) of the samples [s], ascending.
        update: Nominal length of an update [s].
    """
    gaps = np.diff(time)
    counts = np.maximum(1, np.rint(gaps / update)).astype(np.int64)
    first = np.cumsum(counts) - counts
    number = np.arange(counts.sum()) - np.repeat(first, counts)
    begins = np.repeat(time[:-1], counts) + number * np.repeat(gaps / counts, counts)
    return np.append(begins, time[-1])


def timeline(parts: Sequence[Stretch], grids: Sequence[Floats], delay: float) -> Timeline:
    """Return the updates of all stretches if commands take effect after a delay [s]."""
    dt, wanted, sampled, begin = [], [], [], [0]
    for part, times in zip(parts, grids, strict=True):
        arrivals = part.command_time + delay
        edges = np.sort(np.concatenate([times, np.clip(arrivals, times[0], times[-1])]))
        index = latest(arrivals, edges[:-1])
        dt.append(np.diff(edges))
        wanted.append(part.command[np.maximum(index, 0)])
        sampled.append(begin[-1] + np.searchsorted(edges, part.time[1:], 'right') - 2)
        begin.append(begin[-1] + len(edges) - 1)
    return Timeline(np.array(begin), *map(np.concatenate, (dt, wanted, sampled)))
