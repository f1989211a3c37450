"""Levenberg-Marquardt least squares with a soft L1 loss, and confidence intervals of 95 %.

minimise  sum s^2 (sqrt(1 + (r / s)^2) - 1)        soft L1; half the squares of small residuals

Outliers have little effect. Every step solves ``(H + mu diag H) d = -J^T W r`` with
``H = J^T W J``, ``W = 1 / sqrt(1 + (r / s)^2)``, within bounds. H is small and is summed in one
thread, so the result is the same on every machine. scipy's ``least_squares`` decomposes the
Jacobian in one thread per core: its last bits depend on the machine, and it is slow on busy cores.

Residuals are autocorrelated, and of two estimates of the intervals the wider is used. The first
uses the Jacobian and the variance of the residuals, multiplied by their autocorrelation time. The
second is a sandwich estimate over blocks of time, valid for any correlation within a block; alone
it is too narrow if few blocks excite a value.
"""

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from soliton_encirclement_ros.analysis.fit.fit_records import (
    ALL_NAMES,
    DELAY,
    LAGS,
    PAIRS,
    VERTICAL,
    FitSettings,
    to_solver,
    to_values,
)
from soliton_encirclement_ros.analysis.fit.stretches import JoinedStretches
from soliton_encirclement_ros.analysis.recording import Floats

TOLERANCE = 1e-7
"""The descent ends at a smaller relative decrease of the cost, or a smaller step."""

MAX_STEP = 1.0
"""Largest change of a parameter in one step; the linearisation is invalid beyond."""

FIRST_DAMPING, LEAST_DAMPING, MAX_DAMPING = 1e-2, 1e-9, 1e6
DAMPING_DECREASE, DAMPING_INCREASE = 0.2, 4.0
"""Factors of the damping after a step that reduced the cost, and after one that did not."""

Residuals = Callable[[Floats], Floats]


class Minimum(NamedTuple):
    """Where the descent ended, and the cost there."""

    numbers: Floats
    cost: float


def soft_cost(residuals: Floats, softness: float) -> float:
    """Return half the sum of the softened squares.

    Args:
        residuals: Any shape.
        softness: Scale s; larger residuals count less than their square.
    """
    return float(softness**2 * (np.sqrt(1.0 + (residuals / softness) ** 2) - 1.0).sum())


def gram(slopes: Floats, weights: Floats) -> Floats:
    """Return ``J^T W J`` (p, p) from the Jacobian (k, p) and weights (k,)."""
    return np.einsum('ki,kj->ij', slopes * weights[:, None], slopes)


def descend(
    residuals: Residuals, slopes: Callable[[Floats], Floats], start: Floats,
    bounds: tuple[Floats, Floats], softness: float, most: int,
) -> Minimum:  # fmt: skip
    """Return the local minimum reached from a start.

    Args:
        residuals: Function from numbers (p,) to residuals (k,).
        slopes: Function from numbers (p,) to the Jacobian (k, p).
        start: (p,).
        bounds: Smallest and largest numbers, (p,) each.
        softness: As in ``soft_cost``.
        most: Upper limit of evaluated points.
    """
    numbers = np.clip(start, *bounds)
    missed = residuals(numbers)
    cost, damping, tried = soft_cost(missed, softness), FIRST_DAMPING, 1
    while tried < most and damping < MAX_DAMPING:
        pull, stiffness = _model(missed, slopes(numbers), softness)
        while tried < most and damping < MAX_DAMPING:
            step = _step(numbers, pull, stiffness, damping, bounds)
            new = residuals(numbers + step)
            new_cost, tried = soft_cost(new, softness), tried + 1
            if new_cost < cost:
                break
            if np.abs(step).max(initial=0.0) < TOLERANCE:
                return Minimum(numbers, cost)
            damping *= DAMPING_INCREASE
        else:
            break
        gained, numbers, missed, cost = cost - new_cost, numbers + step, new, new_cost
        damping = max(LEAST_DAMPING, damping * DAMPING_DECREASE)
        if gained < TOLERANCE * cost:
            break
    return Minimum(numbers, cost)


def _model(missed: Floats, slopes: Floats, softness: float) -> tuple[Floats, Floats]:
    """Return gradient (p,) and approximate Hessian (p, p) of the cost."""
    weights = 1.0 / np.sqrt(1.0 + (missed / softness) ** 2)
    return (slopes * (weights * missed)[:, None]).sum(axis=0), gram(slopes, weights)


def _step(
    numbers: Floats, pull: Floats, stiffness: Floats, damping: float,
    bounds: tuple[Floats, Floats],
) -> Floats:  # fmt: skip
    """Return a damped step within the bounds.

    A number that would leave them is set to its bound, and the others are solved again.
    """
    low, high = bounds[0] - numbers, bounds[1] - numbers
    damped = stiffness + np.diag(damping * np.diag(stiffness) + 1e-12)
    step, free = np.zeros_like(numbers), np.ones(len(numbers), bool)
    while free.any():
        rest = pull[free] + damped[np.ix_(free, ~free)] @ step[~free]
        step[free] = -np.linalg.solve(damped[np.ix_(free, free)], rest)
        outside = free & ((step < low) | (step > high))
        if not outside.any():
            break
        step[outside] = np.clip(step, low, high)[outside]
        free &= ~outside
    return step * min(1.0, MAX_STEP / max(float(np.abs(step).max(initial=0.0)), 1e-300))


SOFTNESS = 3.0
"""Residuals above this many deviations count less than their square."""

STEP = 1e-4
"""Step for numeric derivatives: of a logarithm, or of the delay [s]."""

SMALLEST, LARGEST = 1e-3, 1e3
"""Bounds of limits and, from above, of lags [SI units]."""

MAX_EVALUATIONS = 60
"""Upper limit of evaluated points."""


class Solution(NamedTuple):
    """The best values found.

    Attributes:
        values: All values, the fixed ones included.
        cost: Half the sum of the softened squares of the scaled residuals.
    """

    values: Floats
    cost: float


class Solver:
    """Residuals of joined stretches, scaled by the standard deviation of each axis."""

    def __init__(self, joined: JoinedStretches, scale: Floats, settings: FitSettings) -> None:
        """Store the data to fit.

        Args:
            joined: The stretches.
            scale: (3,) standard deviation of a sample [m/s].
            settings: Bounds of the delay, update period.
        """
        self.joined = joined
        self.scale = scale
        self._low = np.log([SMALLEST] * len(ALL_NAMES))
        self._high = np.log([LARGEST] * len(ALL_NAMES))
        # A lag of one update is no lag: the law then applies the command at once.
        self.shortest_lag = settings.update_rate
        self._low[list(LAGS)] = np.log(self.shortest_lag)
        self._low[DELAY], self._high[DELAY] = settings.shortest_delay, settings.longest_delay

    def residuals(self, values: Floats) -> Floats:
        """Return measured minus predicted velocity divided by the scale, (n, 3)."""
        return (self.joined.measured - self.joined.predicted(values, self.scale)) / self.scale

    def cost(self, values: Floats) -> float:
        """Return half the sum of the softened squares."""
        return soft_cost(self.residuals(values), SOFTNESS)

    def slopes(self, values: Floats) -> Floats:
        """Return the Jacobian of the residuals by the solver's numbers (n, 3, p)."""
        numbers, base = to_solver(values), self.residuals(values)
        slopes = np.zeros((*base.shape, len(numbers)))
        for pair in PAIRS:
            if max(pair) >= len(numbers):
                continue
            moved = numbers.copy()
            moved[list(pair)] += STEP
            change = (self.residuals(to_values(moved)) - base) / STEP
            for i in pair:
                axes = slice(2, 3) if i in VERTICAL and i != DELAY else slice(0, 2)
                axes = slice(0, 3) if i == DELAY else axes
                slopes[:, axes, i] = change[:, axes]
        return slopes

    def solve(
        self, values: Floats, fixed: Collection[int] = (), most: int = MAX_EVALUATIONS
    ) -> Solution:
        """Return the local optimum from start values.

        Args:
            values: Start values; an infinite limit stays infinite.
            fixed: Indices of values that are not fitted.
            most: Upper limit of evaluated points.
        """
        start = to_solver(values)
        free = [i for i in range(len(start)) if i not in fixed and np.isfinite(start[i])]

        def whole(numbers: Floats) -> Floats:
            all_numbers = start.copy()
            all_numbers[free] = numbers
            return to_values(all_numbers)

        found = descend(
            lambda numbers: self.residuals(whole(numbers)).ravel(),
            lambda numbers: self.slopes(whole(numbers))[:, :, free].reshape(-1, len(free)),
            start[free], (self._low[free], self._high[free]), SOFTNESS, most,
        )  # fmt: skip
        return Solution(whole(found.numbers), found.cost)


LEVEL = 0.95
BLOCK = 2.0
"""Length of a block [s]."""

MAX_MEMORY = 200
"""Largest lag of the autocorrelation [samples]."""

IDLE_LOG, IDLE_DELAY = 3.0, 1.0
"""Prior deviation of a value, in the solver's numbers, without any information in the data."""


def deviations(solver: Solver, values: Floats, fixed: Collection[int]) -> Floats:
    """Return half the 95 % intervals of the solver's numbers (p,); NaN for fixed values.

    Args:
        solver: Solver with the scale of the residuals.
        values: The best values.
        fixed: Indices of values that were not fitted.
    """
    missed, slopes = solver.residuals(values), solver.slopes(values)
    free = np.setdiff1d(np.flatnonzero(np.isfinite(values)), list(fixed))
    slopes = slopes[:, :, free]
    pull, stiffness = _softened(missed)
    idle = np.where(free == DELAY, IDLE_DELAY, IDLE_LOG)
    flat = slopes.reshape(-1, len(free))
    curvature = gram(flat, stiffness.ravel()) + np.diag(1.0 / idle**2)
    spread = np.linalg.inv(curvature)
    plain = gram(flat, (pull**2 * memory(solver.joined, missed)).ravel())
    blocks = _by_block(solver.joined, (slopes * pull[:, :, None]).sum(axis=1))
    freedom = max(1, len(blocks) - len(free))
    meats = (plain, gram(blocks, np.full(len(blocks), len(blocks) / freedom)))
    wider = np.maximum(*(np.diag(spread @ meat @ spread) for meat in meats))
    wider = np.maximum(wider, np.where(np.diag(spread) > 0.25 * idle**2, np.diag(spread), 0.0))
    half = np.full(len(values), np.nan)
    half[free] = float(stdtrit(freedom, 0.5 + 0.5 * LEVEL)) * np.sqrt(wider)
    return half


def memory(joined: JoinedStretches, missed: Floats) -> Floats:
    """Return the autocorrelation time of the residuals, (3,) [samples]."""
    x, y, z = (_memory(joined, missed[:, axis]) for axis in range(3))
    return np.array([0.5 * (x + y), 0.5 * (x + y), z])


def _memory(joined: JoinedStretches, missed: Floats) -> float:
    """Return ``1 + 2 sum rho_k`` up to the first pair of lags that is not positive (Geyer)."""
    clipped = np.clip(missed - np.median(missed), -SOFTNESS, SOFTNESS)
    power = float((clipped**2).mean())
    if power <= 0.0:
        return 1.0
    result, last = 1.0, 0.0
    for lag in range(1, min(MAX_MEMORY, len(clipped) - 1)):
        same = joined.stretch[lag:] == joined.stretch[:-lag]
        if not same.any():
            break
        share = float((clipped[lag:] * clipped[:-lag])[same].mean()) / power
        if lag % 2 == 0 and share + last <= 0.0:
            break
        result, last = result + 2.0 * share, share
    return max(1.0, result)


def _softened(missed: Floats) -> tuple[Floats, Floats]:
    """Return first and second derivative of the softened half squares."""
    root = 1.0 + (missed / SOFTNESS) ** 2
    return missed / np.sqrt(root), root**-1.5


def _by_block(joined: JoinedStretches, pulls: Floats) -> Floats:
    """Return the sums of rows (n, p) over blocks of time of every stretch."""
    number = np.floor((joined.time - joined.time[joined.first][joined.stretch]) / BLOCK)
    starts = np.flatnonzero(np.diff(joined.stretch, prepend=-1) + np.diff(number, prepend=-1.0))
    return np.add.reduceat(pulls, starts)
