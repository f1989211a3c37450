"""How sure the values are: 95 % intervals, with residuals that may follow each other.

Two answers, of which the wider counts. The first takes the slopes and the size of the residuals,
and stretches by how long residuals remember. The second sums what whole blocks of time pull at
each value, whatever the residuals do inside of a block; where few blocks tell a value, it would
promise too much alone.
"""

from collections.abc import Collection

import numpy as np
from scipy.special import stdtrit

from soliton_encirclement_ros.analysis.fit.descent import gram
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import DELAY, NAMES
from soliton_encirclement_ros.analysis.fit.solve import SOFTNESS, Solver
from soliton_encirclement_ros.analysis.recording import Floats

LEVEL = 0.95
BLOCK = 2.0
"""Length of a block [s]."""

MAX_MEMORY = 200
"""Samples over which residuals are looked at for memory."""

IDLE_LOG, IDLE_DELAY = 3.0, 1.0
"""Deviation of a value, in the solver's numbers, that nothing in the data tells."""


def deviations(solver: Solver, values: Floats, fixed: Collection[int]) -> Floats:
    """Return half the 95 % intervals of the solver's numbers (7,); NaN where there is none.

    Args:
        solver: With a scale that suits the residuals.
        values: The best values.
        fixed: Positions of values that were not looked for.
    """
    missed, slopes = solver.residuals(values), solver.slopes(values)
    free = np.setdiff1d(np.flatnonzero(np.isfinite(values)), list(fixed))
    slopes = slopes[:, :, free]
    pull, stiffness = _softened(missed)
    idle = np.where(free == DELAY, IDLE_DELAY, IDLE_LOG)
    flat = slopes.reshape(-1, len(free))
    curvature = gram(flat, stiffness.ravel()) + np.diag(1.0 / idle**2)
    spread = np.linalg.inv(curvature)
    plain = gram(flat, (pull**2 * memory(solver.course, missed)).ravel())
    blocks = _by_block(solver.course, (slopes * pull[:, :, None]).sum(axis=1))
    freedom = max(1, len(blocks) - len(free))
    meats = (plain, gram(blocks, np.full(len(blocks), len(blocks) / freedom)))
    wider = np.maximum(*(np.diag(spread @ meat @ spread) for meat in meats))
    wider = np.maximum(wider, np.where(np.diag(spread) > 0.25 * idle**2, np.diag(spread), 0.0))
    half = np.full(len(NAMES), np.nan)
    half[free] = float(stdtrit(freedom, 0.5 + 0.5 * LEVEL)) * np.sqrt(wider)
    return half


def memory(course: JoinedStretches, missed: Floats) -> Floats:
    """Return how many samples count as one, (3,), by the autocorrelation of the residuals."""
    x, y, z = (_memory(course, missed[:, axis]) for axis in range(3))
    return np.array([0.5 * (x + y), 0.5 * (x + y), z])


def _memory(course: JoinedStretches, missed: Floats) -> float:
    """Return ``1 + 2 sum rho_k`` up to the first pair of lags that is not positive (Geyer)."""
    clipped = np.clip(missed - np.median(missed), -SOFTNESS, SOFTNESS)
    power = float((clipped**2).mean())
    if power <= 0.0:
        return 1.0
    result, last = 1.0, 0.0
    for lag in range(1, min(MAX_MEMORY, len(clipped) - 1)):
        alike = course.stretch[lag:] == course.stretch[:-lag]
        if not alike.any():
            break
        share = float((clipped[lag:] * clipped[:-lag])[alike].mean()) / power
        if lag % 2 == 0 and share + last <= 0.0:
            break
        result, last = result + 2.0 * share, share
    return max(1.0, result)


def _softened(missed: Floats) -> tuple[Floats, Floats]:
    """Return first and second derivative of the softened half squares."""
    root = 1.0 + (missed / SOFTNESS) ** 2
    return missed / np.sqrt(root), root**-1.5


def _by_block(course: JoinedStretches, pulls: Floats) -> Floats:
    """Return the sums of rows (n, p) over blocks of time of every stretch."""
    number = np.floor((course.time - course.time[course.first][course.stretch]) / BLOCK)
    starts = np.flatnonzero(np.diff(course.stretch, prepend=-1) + np.diff(number, prepend=-1.0))
    return np.add.reduceat(pulls, starts)
