"""The original experiment's scalar figures of a flight, as it published them and corrected.

The original wrote a row per mobility update (0.01 s) but sized its windows with the control period
(0.05 s): its average over 1 s spans 0.2 s, its 5 s without error are 1 s, and since the error is
held from tick to tick, all its change falls into one row in five and looks five times as fast.
It also counted agents that were down, and the time before the first tick. ``as_published`` keeps
all that, so that the published table can be compared; ``corrected`` keeps none of it.

The seven figures, M1 to M7, are computed over any series of rows.

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

from soliton_encirclement_ros.core.flight_statistics.sample_statistics import (
    Floats, mean, percentile, root_mean_square
)

FIGURE_NAMES = (
    'M1_P95_e_pooled', 'M2_P95_P95i', 'M3_P95_abs_dedt', 'M4_RMS_osc', 'M5_mean_v2', 'M6_Pr_sat',
    'M7_settle_median', 'M7_settle_P95', 'M7_settled_frac',
)  # fmt: skip
"""As the columns of the published table."""

HIGH = 95.0
SATURATED = 1e-9
"""Speeds within this margin of the largest speed [m/s] count as saturated."""


class ErrorSeries(NamedTuple):
    """Rows of one agent without a gap: the time of the first [s], and e of every row."""

    begin: float
    errors: Floats


class Windows(NamedTuple):
    """The original's METRICS_ constants.

    Attributes:
        average: Length of the moving average [s].
        settle: How long the error must stay small [s].
        threshold: Largest error that counts as settled.
    """

    average: float = 1.0
    settle: float = 5.0
    threshold: float = 0.05


ORIGINAL = Windows()

Agents = Sequence[Sequence[ErrorSeries]]
"""The stretches of every agent, in order of time."""


class StudyRecord(NamedTuple):
    """Input of the figures: K control ticks, each followed by S updates, of N agents.

    Attributes:
        errors: Spacing error e_tau that each agent computed at tick k = 1..K, held while down;
            finite (K, N).
        failed: Whether it was down (K, N).
        speeds: Size of its actual velocity [m/s] after each update that follows tick k (K, S, N).
        control_period: Time between two ticks [s]; tick k is at k control periods.
        update_period: Time between two updates [s]: a control period has S of them.
        max_speed: Largest horizontal speed [m/s].
    """

    errors: Floats
    failed: NDArray[np.bool_]
    speeds: Floats
    control_period: float
    update_period: float
    max_speed: float


def study(record: StudyRecord) -> dict[str, float]:
    """Return both variants of the figures, as ``as_published/M1_P95_e_pooled`` say."""
    variants = {'as_published': as_published(record), 'corrected': corrected(record)}
    return {f'{name}/{key}': v for name, figures in variants.items() for key, v in figures.items()}


def as_published(record: StudyRecord, windows: Windows = ORIGINAL) -> dict[str, float]:
    """Return the figures by their published names as the original computed them.

    Row n = 1..K S is at n update periods. A row at or after a tick has that tick's error, rows
    before the first have 0; the speed of a row is that after n updates, the body being at rest
    until the first tick. An agent that is down is included with the error held.

    Args:
        record: The flight.
        windows: The original's constants.
    """
    ticks, updates, agents = record.speeds.shape
    count = ticks * updates
    errors, speeds = np.zeros((agents, count)), np.zeros((count, agents))
    held = np.repeat(np.abs(record.errors.T), updates, axis=1)
    errors[:, updates - 1 :] = held[:, : max(0, count - updates + 1)]
    speeds[updates:] = record.speeds[:-1].reshape(-1, agents)
    stretches = [[ErrorSeries(record.update_period, agent)] for agent in errors]
    return _figures(record, stretches, speeds, record.update_period, windows)


def corrected(record: StudyRecord, windows: Windows = ORIGINAL) -> dict[str, float]:
    """Return the figures by their published names, without the original's sampling errors.

    One row per control tick, from the first tick on, of agents that are up. Every time between
    two outages is a series of its own: no difference, average or settling bridges an outage.
    Speeds are those after every update that follows a tick which the agent was up at.

    Args:
        record: The flight.
        windows: The original's constants.
    """
    stretches = []
    for errors, failed in zip(np.abs(record.errors.T), record.failed.T, strict=True):
        edges = np.diff(np.concatenate(([True], failed, [True])).astype(np.int8))
        begins, ends = np.flatnonzero(edges < 0), np.flatnonzero(edges > 0)
        stretches.append([
            ErrorSeries((begin + 1) * record.control_period, errors[begin:end])
            for begin, end in zip(begins, ends, strict=True)
        ])  # fmt: skip
    speeds = record.speeds.transpose(0, 2, 1)[~record.failed]
    return _figures(record, stretches, speeds, record.control_period, windows)


def _figures(
    record: StudyRecord, agents: Agents, speeds: Floats, step: float, windows: Windows
) -> dict[str, float]:
    """Return all figures of rows a step [s] apart; their windows are sized by control periods."""
    average, settle = (max(1, round(duration / record.control_period)) for duration in windows[:2])
    series = [stretch.errors for agent in agents for stretch in agent]
    each = [percentile(pooled(s.errors for s in agent), HIGH) for agent in agents]
    rates = pooled(np.abs(np.diff(errors)) for errors in series) / step
    swings = pooled(errors - moving_average(errors, average) for errors in series)
    settled = np.array([
        first for agent in agents
        if (first := _settled_time(agent, settle, windows.threshold, step)) is not None
    ])  # fmt: skip
    values = (
        percentile(pooled(series), HIGH),
        percentile(np.array([value for value in each if not math.isnan(value)]), HIGH),
        percentile(rates, HIGH),
        root_mean_square(swings),
        mean(np.square(speeds / record.max_speed)),
        mean(speeds >= record.max_speed - SATURATED),
        percentile(settled, 50.0),
        percentile(settled, HIGH),
        len(settled) / len(agents) if agents else 0.0,
    )
    return dict(zip(FIGURE_NAMES, values, strict=True))


def _settled_time(
    agent: Sequence[ErrorSeries], count: int, threshold: float, step: float
) -> float | None:
    """Return the time [s] of the first ``count`` consecutive good rows, None if there are none."""
    for stretch in agent:
        bad = np.flatnonzero(~(stretch.errors <= threshold))
        edges = np.concatenate(([-1], bad, [len(stretch.errors)]))
        long_enough = np.flatnonzero(np.diff(edges) > count)
        if len(long_enough):
            return stretch.begin + (int(edges[long_enough[0]]) + 1) * step
    return None


def moving_average(values: Floats, count: int) -> Floats:
    """Return the mean of rows ``i - count // 2`` to ``i + (count - 1) // 2``, cut at the ends."""
    before, after, size = count // 2, (count - 1) // 2, len(values)
    sums = np.concatenate(([0.0], np.cumsum(values)))
    padded = np.concatenate((np.zeros(before), sums, np.full(after, sums[-1])))
    rows = np.arange(size)
    inside = np.minimum(rows + after + 1, size) - np.maximum(rows - before, 0)
    return (padded[count : count + size] - padded[:size]) / inside


def pooled(segments: Iterator[Floats] | Sequence[Floats]) -> Floats:
    """Return all values of some series as one."""
    return np.concatenate([np.empty(0), *segments])
