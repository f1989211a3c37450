"""Levenberg-Marquardt least squares with a soft L1 loss, for few parameters.

    minimise  sum s^2 (sqrt(1 + (r / s)^2) - 1)        soft L1; half the squares of small residuals

Every step solves ``(H + mu diag H) d = -J^T W r`` with ``H = J^T W J``, ``W = 1 / sqrt(1 + (r /
s)^2)``, within bounds. H is small and is summed in one thread, so the result is the same on
every machine. scipy's ``least_squares`` decomposes the Jacobian in one thread per core: its last
bits depend on the machine, and it is slow on busy cores.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

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
