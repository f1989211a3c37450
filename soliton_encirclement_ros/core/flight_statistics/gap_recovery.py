"""Gap recovery: how fast and how well a ring closes after a failure, and opens after a return.

An event is the moment an agent goes down, or is up again. Its window ends with the next later
event or with the run. Within it the ring has closed when ``E_gap`` first falls below a bound; the
peak of ``G_max`` until then says how wide it was open.

Steady means are those of the metrics while nothing has happened to the ring for a while.

At the default rate of failures the mean of the last fifth of a run tells how fast gaps close;
these means tell how well a ring is held that has closed.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.core.flight_statistics.sample_statistics import median
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.stability.agent_loop import total

CLOSED_E_GAP = 0.05
"""Spacing error below which a ring counts as closed."""

Series = Mapping[str, Sequence[float]]


class RingEvent(NamedTuple):
    """An agent that goes down (``failed``), or is up again, at a time [s]."""

    time: float
    agent_id: int
    failed: bool


class GapRecovery(NamedTuple):
    """Recovery after an event: time [s] until the ring was closed, None if it never was."""

    event: RingEvent
    time_to_close: float | None
    peak_g_max: float | None


def closings(events: Sequence[RingEvent], series: Series, timeout: float) -> list[GapRecovery]:
    """Return the recovery after every event.

    Args:
        events: Failures and returns.
        series: Samples of the metrics by name, with their ``time`` [s].
        timeout: Age [s] at which a silent agent counts as gone. Before that a ring that has lost
            an agent still looks closed.
    """
    events = sorted(events)
    recoveries, end = [], len(series['time'])
    for i, event in reversed(list(enumerate(events))):
        later = i + 1 < len(events) and events[i + 1].time > event.time
        if later:
            end = bisect_left(series['time'], events[i + 1].time)
        recoveries.append(_closing(event, series, end, timeout))
    return recoveries[::-1]


def _closing(event: RingEvent, series: Series, end: int, timeout: float) -> GapRecovery:
    times = series['time']
    first = bisect_right(times, event.time)
    noticed = bisect_left(times, event.time + timeout) if event.failed else first
    closed = next((i for i in range(noticed, end) if is_closed(series, i)), None)
    window = range(first, end if closed is None else closed + 1)
    known = [series['G_max'][i] for i in window if not math.isnan(series['G_max'][i])]
    peak = max(known, default=None)
    return GapRecovery(event, None if closed is None else times[closed] - event.time, peak)


def is_closed(series: Series, i: int) -> bool:
    """Return whether a sample shows a closed ring; a ring without agents (NaN) is not closed."""
    return series['E_gap'][i] < CLOSED_E_GAP


def closing_summary(recoveries: Sequence[GapRecovery]) -> dict[str, Any]:
    """Return medians and counts, separately for failures and recoveries; None without values."""
    summary: dict[str, Any] = {}
    for name, failed in (('failure', True), ('recovery', False)):
        group = [closing for closing in recoveries if closing.event.failed is failed]
        times = [c.time_to_close for c in group if c.time_to_close is not None]
        summary |= {
            f'time_to_close_after_{name}_s': median(times),
            f'peak_G_max_after_{name}': median(
                [c.peak_g_max for c in group if c.peak_g_max is not None]
            ),
            f'closed_after_{name}': len(times),
            f'unclosed_after_{name}': len(group) - len(times),
        }
    return summary


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
    averages = {name: _mean([series[name][i] for i in steady]) for name in METRIC_NAMES}
    count = len(series['time'])
    return {STEADY: averages, STEADY_SHARE: len(steady) / count if count else None}


def steady_samples(
    times: Sequence[float], events: Sequence[float], transient_time: float
) -> list[int]:
    """Return which samples come long enough after the first one and the last event.

    Args:
        times: Those of the samples [s], ascending.
        events: Those of the events [s], ascending.
        transient_time: How long [s].
    """
    at = np.asarray(times, float)
    if not len(at):
        return []
    since = np.concatenate([[-math.inf], events])[np.searchsorted(events, at, 'right')]
    return np.flatnonzero(at - np.maximum(since, at[0]) >= transient_time).tolist()


def _mean(values: Sequence[float]) -> float | None:
    """Return the mean of the finite values, None without any."""
    known = [value for value in values if math.isfinite(value)]
    return total(known) / len(known) if known else None
