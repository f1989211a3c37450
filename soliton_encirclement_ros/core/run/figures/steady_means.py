"""Means of the metrics while nothing has happened to the ring for a while.

At the default rate of failures the mean of the last fifth of a run tells how fast gaps close;
these means tell how well a ring is held that has closed.
"""

import math
from collections.abc import Sequence
from typing import Any

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent, Series
from soliton_encirclement_ros.core.stability.ordered_sum import total

STEADY, STEADY_SHARE = 'metrics_steady', 'steady_share'
"""Keys of a summary."""


def steady_summary(
    series: Series, events: Sequence[RingEvent], transient_time: float
) -> dict[str, Any]:
    """Return the entries of a summary; None stands for a figure without a sample.

    Args:
        series: Samples of the metrics, by name, with their ``time`` [s].
        events: Failures and returns, by their times.
        transient_time: How long a sample comes after the first one and the last event, at least
            [s].
    """
    steady = steady_samples(series['time'], [event.time for event in events], transient_time)
    means = {name: _mean([series[name][i] for i in steady]) for name in METRIC_NAMES}
    count = len(series['time'])
    return {STEADY: means, STEADY_SHARE: len(steady) / count if count else None}


def steady_samples(
    times: Sequence[float], events: Sequence[float], transient_time: float
) -> list[int]:
    """Return which samples come long enough after the first one and the last event.

    Args:
        times: Those of the samples [s], ascending.
        events: Those of the events [s], ascending.
        transient_time: How long [s].
    """
    found, k = [], 0
    since = times[0] if len(times) else 0.0
    for i, time in enumerate(times):
        while k < len(events) and events[k] <= time:
            since, k = max(since, events[k]), k + 1
        if time - since >= transient_time:
            found.append(i)
    return found


def _mean(values: Sequence[float]) -> float | None:
    """Return the mean of the finite values, None without any."""
    known = [value for value in values if math.isfinite(value)]
    return total(known) / len(known) if known else None
