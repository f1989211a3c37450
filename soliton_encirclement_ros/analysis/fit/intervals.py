"""95 % confidence intervals of the values, for autocorrelated residuals.

The wider of two estimates is used. The first uses the Jacobian and the variance of the residuals,
multiplied by their autocorrelation time. The second is a sandwich estimate over blocks of time,
valid for any correlation within a block; alone it is too narrow if few blocks excite a value.
"""

from collections.abc import Collection

import numpy as np
from scipy.special import stdtrit

from soliton_encirclement_ros.analysis.fit.descent import gram
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import DELAY
from soliton_encirclement_ros.analysis.fit.solve import SOFTNESS, Solver
from soliton_encirclement_ros.analysis.recording import Floats

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
