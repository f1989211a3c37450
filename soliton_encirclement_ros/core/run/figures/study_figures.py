"""The seven scalar figures of the original experiment, M1 to M7, over any series of rows.

With the size of the spacing error e of one agent in rows a step apart, and its speed v:

    M1  P95 of e over all rows
    M2  P95 over the agents of the P95 of e of each
    M3  P95 of |e_k - e_(k-1)| / step                                                  [1/s]
    M4  root mean square of e - MA(e), MA the centred average of W rows, cut at the ends
    M5  mean of (v / v_max)^2
    M6  share of the speeds with v >= v_max - 1e-9
    M7  begin of an agent's first K rows on end with e <= e_thr: median and P95 over the agents
        that settle [s], and their share of all agents

Percentiles interpolate linearly. A figure without any value is NaN; the share that settles is 0.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.run.sample_statistics import (
    Floats,
    mean,
    percentile,
    root_mean_square,
)

FIGURE_NAMES = (
    'M1_P95_e_pooled', 'M2_P95_P95i', 'M3_P95_abs_dedt', 'M4_RMS_osc', 'M5_mean_v2', 'M6_Pr_sat',
    'M7_settle_median', 'M7_settle_P95', 'M7_settled_frac',
)  # fmt: skip
"""As the columns of the published table."""

HIGH = 95.0
SATURATED = 1e-9
"""Speeds within this margin of the largest speed [m/s] count as saturated."""


class StudyWindow(NamedTuple):
    """Rows of one agent without a gap: the time of the first [s], and e of every row."""

    begin: float
    errors: Floats


class Windows(NamedTuple):
    """Description of the rows for the figures.

    Attributes:
        step: Time between two rows [s].
        average: Rows of the moving average, W.
        settle: Rows that must stay below the threshold, K.
        threshold: Largest e that counts as settled.
    """

    step: float
    average: int
    settle: int
    threshold: float


Agents = Sequence[Sequence[StudyWindow]]
"""The stretches of every agent, in order of time."""


def rows_in(window: float, period: float) -> int:
    """Return how many rows a window [s] has if they are assumed a period [s] apart."""
    return max(1, round(window / period))


def error_figures(agents: Agents, windows: Windows) -> dict[str, float]:
    """Return M1 to M4; empty stretches are allowed."""
    series = [stretch.errors for agent in agents for stretch in agent]
    each = [percentile(pooled(s.errors for s in agent), HIGH) for agent in agents]
    rates = pooled(np.abs(np.diff(errors)) for errors in series) / windows.step
    swings = pooled(errors - moving_average(errors, windows.average) for errors in series)
    values = (
        percentile(pooled(series), HIGH),
        percentile(np.array([value for value in each if not math.isnan(value)]), HIGH),
        percentile(rates, HIGH),
        root_mean_square(swings),
    )
    return dict(zip(FIGURE_NAMES[:4], values, strict=True))


def speed_figures(speeds: Floats, max_speed: float) -> dict[str, float]:
    """Return M5 and M6 of some speeds, whatever their shape; all in m/s."""
    values = (mean(np.square(speeds / max_speed)), mean(speeds >= max_speed - SATURATED))
    return dict(zip(FIGURE_NAMES[4:6], values, strict=True))


def settling_figures(agents: Agents, windows: Windows) -> dict[str, float]:
    """Return M7; an agent that never has a whole window below the threshold does not settle."""
    firsts = [next(settled_times(agent, windows), math.nan) for agent in agents]
    settled = np.array([time for time in firsts if not math.isnan(time)])
    share = len(settled) / len(agents) if agents else 0.0
    values = (percentile(settled, 50.0), percentile(settled, HIGH), share)
    return dict(zip(FIGURE_NAMES[6:], values, strict=True))


def settled_times(agent: Sequence[StudyWindow], windows: Windows) -> Iterator[float]:
    """Iterate over the time [s] at which each stretch settles, of those that do."""
    for stretch in agent:
        row = settled_row(stretch.errors <= windows.threshold, windows.settle)
        if row is not None:
            yield stretch.begin + row * windows.step


def settled_row(good: NDArray[np.bool_], count: int) -> int | None:
    """Return the first of ``count`` consecutive good rows, None if there are none."""
    bad = np.concatenate(([-1], np.flatnonzero(~good), [len(good)]))
    long_enough = np.flatnonzero(np.diff(bad) > count)
    return int(bad[long_enough[0]]) + 1 if len(long_enough) else None


def moving_average(values: Floats, count: int) -> Floats:
    """Return the mean of rows ``i - count // 2`` to ``i + (count - 1) // 2``, cut at the ends."""
    before, after, size = count // 2, (count - 1) // 2, len(values)
    sums = np.concatenate(([0.0], np.cumsum(values)))
    padded = np.concatenate((np.zeros(before), sums, np.full(after, sums[-1])))
    rows = np.arange(size)
    inside = np.minimum(rows + after + 1, size) - np.maximum(rows - before, 0)
    return (padded[count : count + size] - padded[:size]) / inside


def pooled(parts: Iterator[Floats] | Sequence[Floats]) -> Floats:
    """Return all values of some series as one."""
    return np.concatenate([np.empty(0), *parts])
