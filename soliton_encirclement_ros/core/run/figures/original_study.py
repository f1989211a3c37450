"""The original experiment's scalar figures of a flight, as it published them and corrected.

The original wrote a row per mobility update (0.01 s) but sized its windows with the control period
(0.05 s): its average over 1 s spans 0.2 s, its 5 s without error are 1 s, and since the error is
held from tick to tick, all its change falls into one row in five and looks five times as fast.
It also counted agents that were down, and the time before the first tick. ``as_published`` keeps
all that, so that the published table can be compared; ``corrected`` keeps none of it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.run.figures.study_figures import (
    Agents,
    Floats,
    StudyWindow,
    Windows,
    error_figures,
    rows_in,
    settling_figures,
    speed_figures,
)

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
