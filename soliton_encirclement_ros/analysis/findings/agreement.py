"""Compares the metrics computed from a recording with those that the monitor published."""

from collections.abc import Mapping

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import (
    FROM_SCENARIO,
    Agreement,
    FindingSettings,
)
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

SAME_TIME = 1e-6
"""Times that differ by less than this [s] are the same."""


def agreement(
    series: Mapping[str, Floats], settings: FindingSettings, live: Mapping[str, Floats] | None
) -> Agreement | None:
    """Return the largest differences at common times; None if there are none.

    Samples without agents have no metrics and are skipped. With another target nothing is
    compared; with another radius all but ``E_r``.

    Args:
        series: Computed, by name, with ``time`` [s].
        settings: Reference values of the computed metrics.
        live: Published metrics by name; None if there are none.
    """
    if live is None or settings.target != TARGET:
        return None
    if not len(live['time']) or not len(series['time']):
        return None
    same_radius = settings.radius_from == FROM_SCENARIO
    names = [name for name in METRIC_NAMES if name in live and (same_radius or name != 'E_r')]
    after = np.searchsorted(series['time'], live['time'] - SAME_TIME)
    index = np.minimum(after, len(series['time']) - 1)
    same = np.abs(series['time'][index] - live['time']) <= SAME_TIME
    apart = {name: np.abs(series[name][index] - live[name]) for name in names}
    for differences in apart.values():
        same &= ~np.isnan(differences)
    if not same.any() or not names:
        return None
    largest = {name: float(differences[same].max()) for name, differences in apart.items()}
    return Agreement(int(same.sum()), largest)
