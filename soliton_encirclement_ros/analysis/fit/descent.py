"""Least squares for few numbers and many residuals: Levenberg and Marquardt, softened.

    minimise  sum s^2 (sqrt(1 + (r / s)^2) - 1)        soft L1; half the squares of small residuals

Every step solves ``(H + mu diag H) d = -J^T W r`` with ``H = J^T W J``, ``W = 1 / sqrt(1 + (r /
s)^2)``, inside of bounds. H is as small as the numbers are few, and is added up in one thread.
scipy's ``least_squares`` decomposes the slopes in as many threads as there are cores: other last
bits on another machine, and slow where the cores are busy.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats

SMALL = 1e-7
"""A smaller share of the cost gained by a step, or a smaller step, ends the descent."""

FARTHEST = 1.0
"""No number moves by more in one step: what the slopes say does not hold so far away."""

FIRST_DAMPING, LEAST_DAMPING, MAX_DAMPING = 1e-2, 1e-9, 1e6
EASIER, HARDER = 0.2, 4.0
"""What becomes of the damping after a step that helped, and after one that did not."""

Residuals = Callable[[Floats], Floats]


class Minimum(NamedTuple):
    """Where the descent ended, and the cost there."""

    numbers: Floats
    cost: float


def soft_cost(residuals: Floats, softness: float) -> float:
    """Return the softened half sum of squares.

    Args:
        residuals: Any shape.
        softness: Size s from which residuals count less than their square.
    """
    return float(softness**2 * (np.sqrt(1.0 + (residuals / softness) ** 2) - 1.0).sum())


def gram(slopes: Floats, weights: Floats) -> Floats:
    """Return ``J^T W J`` (p, p) of slopes (k, p) and weights (k,)."""
    return np.einsum('ki,kj->ij', slopes * weights[:, None], slopes)


def descend(
    residuals: Residuals, slopes: Callable[[Floats], Floats], start: Floats,
    bounds: tuple[Floats, Floats], softness: float, most: int,
) -> Minimum:  # fmt: skip
    """Return the minimum nearest to a start.

    Args:
        residuals: Of numbers (p,): residuals (k,).
        slopes: Of the same: their derivatives (k, p).
        start: (p,).
        bounds: Smallest and largest numbers, (p,) each.
        softness: As in ``soft_cost``.
        most: How many points are tried at most.
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
            if np.abs(step).max(initial=0.0) < SMALL:
                return Minimum(numbers, cost)
            damping *= HARDER
        else:
            break
        gained, numbers, missed, cost = cost - new_cost, numbers + step, new, new_cost
        damping = max(LEAST_DAMPING, damping * EASIER)
        if gained < SMALL * cost:
            break
    return Minimum(numbers, cost)


def _model(missed: Floats, slopes: Floats, softness: float) -> tuple[Floats, Floats]:
    """Return gradient (p,) and stiffness (p, p) of the cost."""
    weights = 1.0 / np.sqrt(1.0 + (missed / softness) ** 2)
    return (slopes * (weights * missed)[:, None]).sum(axis=0), gram(slopes, weights)


def _step(
    numbers: Floats, pull: Floats, stiffness: Floats, damping: float,
    bounds: tuple[Floats, Floats],
) -> Floats:  # fmt: skip
    """Return a damped step inside of the bounds.

    A number that would leave them goes to its bound, and the others are solved for again.
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
    return step * min(1.0, FARTHEST / max(float(np.abs(step).max(initial=0.0)), 1e-300))
