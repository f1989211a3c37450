"""Metrics computed from a recording, against those that the monitor published in flight."""

from collections.abc import Mapping

import numpy as np

from soliton_encirclement_ros.analysis.findings.records import Agreement
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.metrics import METRIC_NAMES

SAME_TIME = 1e-6
"""Times that differ by less than this [s] are the same."""


def agreement(
    series: Mapping[str, Floats], live: Mapping[str, Floats] | None
) -> Agreement | None:
    """Return how far the metrics differ at common times; None if there is none.

    Args:
        series: Computed, by name, with ``time`` [s].
        live: Published, the same; None if nothing was.
    """
    if live is None or not len(live['time']) or not len(series['time']):
        return None
    after = np.searchsorted(series['time'], live['time'] - SAME_TIME)
    index = np.minimum(after, len(series['time']) - 1)
    same = np.abs(series['time'][index] - live['time']) <= SAME_TIME
    if not same.any():
        return None
    largest = {
        name: float(np.abs(series[name][index[same]] - live[name][same]).max())
        for name in METRIC_NAMES
    }
    return Agreement(int(same.sum()), largest)
