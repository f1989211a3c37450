"""Predicted velocities of stretches: from their start velocity, without further measurements.

Updates end at every sample and at every arrival of a command, so the prediction is continuous in
the delay. An error of the start velocity is forgotten within a few lags.

The values that predict best are found by least squares with a soft L1 loss, with confidence
intervals of 95 %:

minimise  sum s^2 (sqrt(1 + (r / s)^2) - 1)        soft L1; half the squares of small residuals

Outliers have little effect. The Jacobian is decomposed in one thread: with one per core its last
bits would depend on the machine.

Residuals are autocorrelated, and of two estimates of the intervals the wider is used; both use
blocks of time. The first multiplies the variance of the residuals by their autocorrelation time.
The second is a sandwich estimate, valid for any correlation within a block; alone it is too narrow
if few blocks excite a value.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares
from scipy.special import stdtrit

from soliton_encirclement_ros.analysis.fit.fit_data import Stretch
from soliton_encirclement_ros.analysis.fit.fit_records import (
    ACCELERATION_TAUS, DELAY, LAGS, NAMES, FitSettings, limits_of, to_solver, to_values
)
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import latest
from velocity_mobility_ros.core.velocity_model import Limits, next_velocity
from velocity_mobility_ros.vehicles.second_order import Lagged, Lags, followed


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

    A plain function over arrays, with those of ``roll_out``; ``reference`` are the velocities that
    it gave after each update (K, 3) [m/s], ``lags`` those of the acceleration [s].
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
    """Return times of updates: all samples (n,), ascending, and evenly spaced ones between them.

    They are about the nominal length of an update [s] apart.
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
        """Concatenate at least one stretch.

        ``update`` is the nominal length of an update [s], which is adjusted to divide each sample
        interval; ``fly`` and ``follow`` are ``roll_out`` and ``follow``, or compiled copies.
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
        """Correct the start velocities by what predictions with good values miss.

        The scale is the standard deviation of a sample, (3,) [m/s].
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
    earlier, later = np.triu_indices(count, 1)
    slopes = (velocity[later] - velocity[earlier]) / (time[later] - time[earlier])[:, None]
    return np.median(velocity - np.median(slopes, axis=0) * time[:, None], axis=0)


SOFTNESS = 3.0
"""Residuals above this many deviations count less than their square."""

SMALLEST, LARGEST = 1e-3, 1e3
"""Bounds of limits and, from above, of lags [SI units]."""

TOLERANCE = 1e-7
"""Relative decrease of the cost, or change of the numbers, at which the solver ends."""

MAX_EVALUATIONS = 60
LEVEL = 0.95
BLOCK = 2.0
"""Length of a block [s]."""

TINY = 1e-12
"""Stands for the sum of squares of residuals that are all zero."""

IDLE_LOG, IDLE_DELAY = 3.0, 1.0
"""Prior deviation of a value, in the solver's numbers, without any information in the data."""


class Solution(NamedTuple):
    """The best values found.

    Attributes:
        values: All values, the fixed ones included.
        cost: Half the sum of the softened squares of the scaled residuals.
        residuals: (n, 3) scaled residuals.
        free: Indices of the values that were fitted, p of them.
        slopes: (n, 3, p) Jacobian, weighted so that its square is the curvature of the cost.
    """

    values: Floats
    cost: float
    residuals: Floats
    free: Floats
    slopes: Floats


class Solver:
    """Residuals of joined stretches, scaled by the standard deviation of each axis."""

    def __init__(self, joined: JoinedStretches, scale: Floats, settings: FitSettings) -> None:
        """Store the data to fit, with the standard deviation of a sample as scale, (3,) [m/s]."""
        self.joined, self.scale = joined, scale
        # A lag of one update is no lag: the law then applies the command at once.
        self.shortest_lag = settings.update_rate
        low, high = np.full(len(NAMES), np.log(SMALLEST)), np.full(len(NAMES), np.log(LARGEST))
        low[list(LAGS)] = np.log(self.shortest_lag)
        low[DELAY], high[DELAY] = settings.shortest_delay, settings.longest_delay
        self._bounds = np.array([low, high])

    def residuals(self, values: Floats) -> Floats:
        """Return measured minus predicted velocity divided by the scale, (n, 3)."""
        return (self.joined.measured - self.joined.predicted(values)) / self.scale

    def cost(self, values: Floats) -> float:
        """Return half the sum of the softened squares."""
        root = np.sqrt(1.0 + (self.residuals(values) / SOFTNESS) ** 2)
        return float(SOFTNESS**2 * (root - 1.0).sum())

    def solve(
        self, values: Floats, fixed: Collection[int] = (), most: int = MAX_EVALUATIONS
    ) -> Solution:
        """Return the local optimum from start values; limits and lags not in the model stay so.

        ``fixed`` are indices of other values that are not fitted; ``most`` bounds the evaluations.
        """
        start = to_solver(values)
        free = np.setdiff1d(np.flatnonzero(np.isfinite(start)), list(fixed))
        bounds = self._bounds[:, free]

        def to_all(numbers: Floats) -> Floats:
            all_numbers = start.copy()
            all_numbers[free] = numbers
            return np.where(np.isin(np.arange(len(start)), free), to_values(all_numbers), values)

        optimum = least_squares(
            lambda numbers: self.residuals(to_all(numbers)).ravel(), np.clip(start[free], *bounds),
            bounds=bounds, loss='soft_l1', f_scale=SOFTNESS, x_scale='jac', ftol=TOLERANCE,
            xtol=TOLERANCE, max_nfev=most,
        )  # fmt: skip
        shape = (-1, 3, len(free))
        return Solution(
            to_all(optimum.x), float(optimum.cost), optimum.fun.reshape(-1, 3), free,
            optimum.jac.reshape(shape),
        )  # fmt: skip


def deviations(joined: JoinedStretches, solution: Solution) -> Floats:
    """Return half the 95 % intervals of the solver's numbers (p,); NaN for what was not fitted."""
    residuals, free = solution.residuals, solution.free
    idle = np.where(free == DELAY, IDLE_DELAY, IDLE_LOG)
    flat = solution.slopes.reshape(-1, len(free))
    spread = np.linalg.inv(flat.T @ flat + np.diag(1.0 / idle**2))
    weights = (1.0 + (residuals / SOFTNESS) ** 2) ** 0.25
    pulls = solution.slopes * (residuals * weights)[:, :, None]
    plain = (pulls * np.sqrt(memory(joined, residuals))[:, None]).reshape(flat.shape)
    blocks = _by_block(joined, pulls.sum(axis=1))
    freedom = max(1, len(blocks) - len(free))
    meats = (plain.T @ plain, blocks.T @ blocks * (len(blocks) / freedom))
    wider = np.maximum(*(np.diag(spread @ meat @ spread) for meat in meats))
    wider = np.maximum(wider, np.where(np.diag(spread) > 0.25 * idle**2, np.diag(spread), 0.0))
    half = np.full(len(solution.values), np.nan)
    half[free] = float(stdtrit(freedom, 0.5 + 0.5 * LEVEL)) * np.sqrt(wider)
    return half


def memory(joined: JoinedStretches, residuals: Floats) -> Floats:
    """Return the autocorrelation time of the residuals, (3,) [samples], equal for x and y.

    By batch means: squares of the sums over blocks to the sum of the squares.
    """
    clipped = np.clip(residuals - np.median(residuals, axis=0), -SOFTNESS, SOFTNESS)
    sums, squares = (_by_block(joined, clipped) ** 2).sum(axis=0), (clipped**2).sum(axis=0)
    xy, z = sums[:2].sum() / max(squares[:2].sum(), TINY), sums[2] / max(squares[2], TINY)
    return np.maximum(1.0, np.array([xy, xy, z]))


def _by_block(joined: JoinedStretches, pulls: Floats) -> Floats:
    """Return the sums of rows (n, p) over blocks of time of every stretch."""
    number = np.floor((joined.time - joined.time[joined.first][joined.stretch]) / BLOCK)
    starts = np.flatnonzero(np.diff(joined.stretch, prepend=-1) + np.diff(number, prepend=-1.0))
    return np.add.reduceat(pulls, starts)
