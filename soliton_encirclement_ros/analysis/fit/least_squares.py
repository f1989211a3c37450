"""Least squares with a soft L1 loss, and confidence intervals of 95 %.

minimise  sum s^2 (sqrt(1 + (r / s)^2) - 1)        soft L1; half the squares of small residuals

Outliers have little effect. The Jacobian is decomposed in one thread: with one per core its last
bits would depend on the machine.

Residuals are autocorrelated, and of two estimates of the intervals the wider is used; both use
blocks of time. The first multiplies the variance of the residuals by their autocorrelation time.
The second is a sandwich estimate, valid for any correlation within a block; alone it is too narrow
if few blocks excite a value.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares
from scipy.special import stdtrit

from soliton_encirclement_ros.analysis.fit.fit_records import (
    DELAY,
    LAGS,
    NAMES,
    FitSettings,
    to_solver,
    to_values,
)
from soliton_encirclement_ros.analysis.fit.rollout import JoinedStretches
from soliton_encirclement_ros.analysis.recording import Floats

SOFTNESS = 3.0
"""Residuals above this many deviations count less than their square."""

SMALLEST, LARGEST = 1e-3, 1e3
"""Bounds of limits and, from above, of lags [SI units]."""

TOLERANCE = 1e-7
"""Relative decrease of the cost, or change of the numbers, at which the solver ends."""

MAX_EVALUATIONS = 60
"""Upper limit of evaluated points."""

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
        """Store the data to fit.

        Args:
            joined: The stretches.
            scale: (3,) standard deviation of a sample [m/s].
            settings: Bounds of the delay, update period.
        """
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
        """Return the local optimum from start values.

        Args:
            values: Start values; limits and lags that are not in the model stay so.
            fixed: Indices of other values that are not fitted.
            most: Upper limit of evaluated points.
        """
        start = to_solver(values)
        free = np.setdiff1d(np.flatnonzero(np.isfinite(start)), list(fixed))
        bounds = self._bounds[:, free]

        def whole(numbers: Floats) -> Floats:
            all_numbers = start.copy()
            all_numbers[free] = numbers
            return np.where(np.isin(np.arange(len(start)), free), to_values(all_numbers), values)

        found = least_squares(
            lambda numbers: self.residuals(whole(numbers)).ravel(), np.clip(start[free], *bounds),
            bounds=bounds, loss='soft_l1', f_scale=SOFTNESS, x_scale='jac', ftol=TOLERANCE,
            xtol=TOLERANCE, max_nfev=most,
        )  # fmt: skip
        shape = (-1, 3, len(free))
        return Solution(
            whole(found.x), float(found.cost), found.fun.reshape(-1, 3), free,
            found.jac.reshape(shape),
        )  # fmt: skip


def deviations(joined: JoinedStretches, solution: Solution) -> Floats:
    """Return half the 95 % intervals of the solver's numbers (p,); NaN for what was not fitted."""
    missed, free = solution.residuals, solution.free
    idle = np.where(free == DELAY, IDLE_DELAY, IDLE_LOG)
    flat = solution.slopes.reshape(-1, len(free))
    spread = np.linalg.inv(flat.T @ flat + np.diag(1.0 / idle**2))
    weights = (1.0 + (missed / SOFTNESS) ** 2) ** 0.25
    pulls = solution.slopes * (missed * weights)[:, :, None]
    plain = (pulls * np.sqrt(memory(joined, missed))[:, None]).reshape(flat.shape)
    blocks = _by_block(joined, pulls.sum(axis=1))
    freedom = max(1, len(blocks) - len(free))
    meats = (plain.T @ plain, blocks.T @ blocks * (len(blocks) / freedom))
    wider = np.maximum(*(np.diag(spread @ meat @ spread) for meat in meats))
    wider = np.maximum(wider, np.where(np.diag(spread) > 0.25 * idle**2, np.diag(spread), 0.0))
    half = np.full(len(solution.values), np.nan)
    half[free] = float(stdtrit(freedom, 0.5 + 0.5 * LEVEL)) * np.sqrt(wider)
    return half


def memory(joined: JoinedStretches, missed: Floats) -> Floats:
    """Return the autocorrelation time of the residuals, (3,) [samples], equal for x and y.

    By batch means: squares of the sums over blocks to the sum of the squares.
    """
    clipped = np.clip(missed - np.median(missed, axis=0), -SOFTNESS, SOFTNESS)
    sums, squares = (_by_block(joined, clipped) ** 2).sum(axis=0), (clipped**2).sum(axis=0)
    xy, z = sums[:2].sum() / max(squares[:2].sum(), TINY), sums[2] / max(squares[2], TINY)
    return np.maximum(1.0, np.array([xy, xy, z]))


def _by_block(joined: JoinedStretches, pulls: Floats) -> Floats:
    """Return the sums of rows (n, p) over blocks of time of every stretch."""
    number = np.floor((joined.time - joined.time[joined.first][joined.stretch]) / BLOCK)
    starts = np.flatnonzero(np.diff(joined.stretch, prepend=-1) + np.diff(number, prepend=-1.0))
    return np.add.reduceat(pulls, starts)
