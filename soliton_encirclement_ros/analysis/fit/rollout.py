"""Predicted velocities of stretches: from their start velocity, without further measurements.

Updates end at every sample and at every arrival of a command, so the prediction is continuous in
the delay. An error of the start velocity is forgotten within a few lags.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.velocity_model import Limits, next_velocity
from velocity_mobility_ros.vehicles.second_order import Lagged, Lags, followed

from soliton_encirclement_ros.analysis.fit.fit_data import Stretch
from soliton_encirclement_ros.analysis.fit.fit_records import ACCELERATION_TAUS, DELAY, limits_of
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import latest


def roll_out(
    begin: Floats, start: Floats, wanted: Floats, dt: Floats, limits: Limits, flown: Floats
) -> None:
    """Simulate every stretch from its start velocity, without further measurements.

    A plain function over arrays, so that callers can compile it.

    Args:
        begin: (S + 1,) integers: index of every stretch's first update, and the end.
        start: (S, 3) velocity before the first update [m/s].
        wanted: (K, 3) commanded velocity during each update [m/s].
        dt: (K,) length of each update [s].
        limits: ``MobilityParameters.limits``.
        flown: (K, 3) output: velocity after each update [m/s].
    """
    for s in range(start.shape[0]):
        v = (start[s, 0], start[s, 1], start[s, 2])
        for k in range(begin[s], begin[s + 1]):
            v = next_velocity(v, (wanted[k, 0], wanted[k, 1], wanted[k, 2]), dt[k], limits)
            flown[k, 0], flown[k, 1], flown[k, 2] = v


def follow(
    begin: Floats, start: Floats, reference: Floats, dt: Floats, lags: Lags, flown: Floats
) -> None:
    """Let the velocities of ``second_order`` follow those of the velocity model.

    A plain function over arrays, as ``roll_out``.

    Args:
        begin: (S + 1,) integers: index of every stretch's first update, and the end.
        start: (S, 3) velocity before the first update, also that of the reference [m/s].
        reference: (K, 3) velocity of the velocity model after each update [m/s].
        dt: (K,) length of each update [s].
        lags: Lags of the acceleration [s].
        flown: (K, 3) output: velocity after each update [m/s].
    """
    for s in range(start.shape[0]):
        v = (start[s, 0], start[s, 1], start[s, 2])
        lagged = Lagged(v, v, v)
        for k in range(begin[s], begin[s + 1]):
            r = (reference[k, 0], reference[k, 1], reference[k, 2])
            lagged = followed(lagged, r, dt[k], lags)
            flown[k, 0], flown[k, 1], flown[k, 2] = lagged.velocity


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


RollOut = Callable[[np.ndarray, Floats, Floats, Floats, Limits, Floats], None]
Follow = Callable[[np.ndarray, Floats, Floats, Floats, Lags, Floats], None]

FIRST_PART = 0.3
"""Time [s] whose samples give the initial guess of a start velocity."""

NUDGE = 1e-3
"""Step of the start velocity [m/s] for numeric derivatives."""

TRUST = 0.04
"""Weight of the guess, in samples; an active limit hides the start velocity."""

FAR = 4.0
"""Residuals above this many deviations get less weight for the start velocity."""


class JoinedStretches:
    """Stretches as arrays: K updates, n samples, S stretches.

    The first sample of a stretch is its start and not counted.
    """

    def __init__(
        self,
        parts: Sequence[Stretch],
        update: float,
        fly: RollOut = roll_out,
        follow: Follow = follow,
    ) -> None:
        """Concatenate stretches.

        Args:
            parts: At least one stretch.
            update: Nominal length of an update [s]; adjusted to divide each sample interval.
            fly: ``roll_out`` or a compiled copy of it.
            follow: The same of ``follow``.
        """
        self.parts = tuple(parts)
        self._fly, self._follow = fly, follow
        self._grids = [grid(part.time, update) for part in parts]
        self._line: tuple[float, Timeline] | None = None
        counts = [len(part.time) - 1 for part in parts]
        self.measured = np.concatenate([part.velocity[1:] for part in parts])
        self.time = np.concatenate([part.time[1:] for part in parts])
        self.first = np.cumsum([0, *counts[:-1]])
        self.stretch = np.repeat(np.arange(len(parts)), counts)
        self.starts = np.array([_start(part) for part in parts])

    def line(self, values: Floats) -> Timeline:
        """Return the updates for the delay in the given values."""
        delay = float(values[DELAY])
        if self._line is None or self._line[0] != delay:
            self._line = delay, timeline(self.parts, self._grids, delay)
        return self._line[1]

    def flown(self, values: Floats) -> Floats:
        """Return the velocities of the velocity model after every update (K, 3).

        Lags of the acceleration have no effect.
        """
        line = self.line(values)
        flown = np.empty_like(line.wanted)
        self._fly(line.begin, self.starts, line.wanted, line.dt, limits_of(values), flown)
        return flown

    def predicted(self, values: Floats) -> Floats:
        """Return the predicted velocities at the samples (n, 3)."""
        line, flown = self.line(values), self.flown(values)
        lags = tuple(values[list(ACCELERATION_TAUS)].tolist())
        if not np.isnan(lags).all():
            reference, flown = flown, np.empty_like(flown)
            self._follow(line.begin, self.starts, reference, line.dt, lags, flown)
        return flown[line.sampled]

    def improve_starts(self, values: Floats, scale: Floats) -> None:
        """Correct the start velocities by what the predictions miss.

        Args:
            values: Good values.
            scale: (3,) standard deviation of a sample [m/s].
        """
        before, rough = self.starts, self.predicted(values)
        self.starts = before + NUDGE
        slopes = (self.predicted(values) - rough) / NUDGE
        missed = self.measured - rough
        pulls = slopes / np.maximum(1.0, np.abs(missed) / (FAR * scale))
        squares = np.add.reduceat(pulls * slopes, self.first) + TRUST
        self.starts = before + np.add.reduceat(pulls * missed, self.first) / squares


def _start(part: Stretch) -> Floats:
    """Return the first value of a line fitted to the first samples by medians."""
    count = max(3, int(np.searchsorted(part.time, part.time[0] + FIRST_PART)))
    time, velocity = part.time[:count] - part.time[0], part.velocity[:count]
    one, other = np.triu_indices(count, 1)
    slopes = (velocity[other] - velocity[one]) / (time[other] - time[one])[:, None]
    return np.median(velocity - np.median(slopes, axis=0) * time[:, None], axis=0)
