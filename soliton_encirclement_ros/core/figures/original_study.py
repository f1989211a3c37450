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

from soliton_encirclement_ros.core.figures.sample_statistics import (
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


Mask = NDArray[np.bool_]


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
    failed: Mask
    speeds: Floats
    control_period: float
    update_period: float
    max_speed: float


class StudyParameters(NamedTuple):
    """The original's METRICS_ constants.

    Attributes:
        t0: Rows later than this [s] count in M1 to M6; M7 uses all.
        e_thr: Largest error that counts as settled.
        ma_w_sec: Length of the moving average [s].
        settle_window_sec: How long the error must stay small [s].
    """

    t0: float = 0.0
    e_thr: float = 0.05
    ma_w_sec: float = 1.0
    settle_window_sec: float = 5.0


ORIGINAL = StudyParameters()


def study(record: StudyRecord) -> dict[str, float]:
    """Return both variants of the figures, as ``as_published/M1_P95_e_pooled`` say."""
    variants = {'as_published': as_published(record), 'corrected': corrected(record)}
    return {f'{name}/{key}': v for name, found in variants.items() for key, v in found.items()}


def as_published(record: StudyRecord, parameters: StudyParameters = ORIGINAL) -> dict[str, float]:
    """Return the figures by their published names as the original computed them.

    Row n = 1..K S is at n update periods. A row at or after a tick has that tick's error, rows
    before the first have 0; the speed of a row is that after n updates, the body being at rest
    until the first tick. An agent that is down is included with the error held.

    Args:
        record: The flight.
        parameters: The original's constants.
    """
    windows = _windows(record, parameters, record.update_period)
    errors, speeds = _rows(record)
    late = _later(len(speeds), record.update_period, parameters.t0)
    begin = (late.start + 1) * record.update_period
    whole = [[StudyWindow(record.update_period, agent)] for agent in errors]
    counted = [[StudyWindow(begin, agent[late])] for agent in errors]
    return {
        **error_figures(counted, windows),
        **speed_figures(speeds[late], record.max_speed),
        **settling_figures(whole, windows),
    }


def corrected(record: StudyRecord, parameters: StudyParameters = ORIGINAL) -> dict[str, float]:
    """Return the figures by their published names, without the original's sampling errors.

    One row per control tick, from the first tick on, of agents that are up. Every time between
    two outages is a series of its own: no difference, average or settling bridges an outage.
    Speeds are those after every update that follows a tick which the agent was up at.

    Args:
        record: The flight.
        parameters: The original's constants.
    """
    windows = _windows(record, parameters, record.control_period)
    late = _later(len(record.errors), record.control_period, parameters.t0)
    up = ~record.failed[late]
    return {
        **error_figures(_up_time(record, late.start), windows),
        **speed_figures(record.speeds[late].transpose(0, 2, 1)[up], record.max_speed),
        **settling_figures(_up_time(record, 0), windows),
    }


def _windows(record: StudyRecord, parameters: StudyParameters, step: float) -> Windows:
    """Return the windows in rows a step [s] apart; both variants size them by control periods."""
    return Windows(
        step=step,
        average=rows_in(parameters.ma_w_sec, record.control_period),
        settle=rows_in(parameters.settle_window_sec, record.control_period),
        threshold=parameters.e_thr,
    )


def _rows(record: StudyRecord) -> tuple[Floats, Floats]:
    """Return |e_tau| (N, K S) and speeds (K S, N) [m/s] in the original's rows."""
    ticks, updates, agents = record.speeds.shape
    count = ticks * updates
    errors = np.zeros((agents, count))
    held = np.repeat(np.abs(record.errors.T), updates, axis=1)
    errors[:, updates - 1 :] = held[:, : max(0, count - updates + 1)]
    speeds = np.zeros((count, agents))
    speeds[updates:] = record.speeds[:-1].reshape(-1, agents)
    return errors, speeds


def _later(count: int, step: float, t0: float) -> slice:
    """Return which of the rows at 1..count steps [s] are later than t0 [s]."""
    times = step * np.arange(1, count + 1)
    return slice(int(np.searchsorted(times, t0, side='right')), count)


def _up_time(record: StudyRecord, first: int) -> Agents:
    """Return the stretches of up-time of every agent, from the tick of an index on."""
    sizes, found = np.abs(record.errors.T), []
    for errors, failed in zip(sizes, record.failed.T, strict=True):
        edges = np.diff(np.concatenate(([True], failed[first:], [True])).astype(np.int8))
        begins, ends = np.flatnonzero(edges < 0) + first, np.flatnonzero(edges > 0) + first
        found.append(
            [
                StudyWindow((begin + 1) * record.control_period, errors[begin:end])
                for begin, end in zip(begins, ends, strict=True)
            ]
        )
    return found
