"""Model selection: drops limits and lags that do not improve the fit."""

from collections.abc import Callable, Set
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.excitation import Excitation, motion
from soliton_encirclement_ros.analysis.fit.intervals import memory
from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    ACCELERATION_TAUS,
    ALL_NAMES,
    DELAY,
    LAGS,
    NAMES,
    VERTICAL,
)
from soliton_encirclement_ros.analysis.fit.solve import Solution, Solver
from soliton_encirclement_ros.analysis.recording import Floats

SIGNIFICANT = 12.0
"""Increase of twice the cost that keeps a parameter (chi-square, 1 degree, p = 0.0005)."""

DEMAND = 1.05
"""A limit is kept only if more than this multiple of it was demanded."""

FEW = 6.0
"""A lag below this many updates may be no lag."""

FEW_OF_ACCELERATION = 2.0
"""The same of a lag of the acceleration."""

FEW_EVALUATIONS = 15
"""Evaluated points for the comparison with a simpler model."""

ORDER = ('max_speed_xy', 'max_speed_z', 'max_acc_xy', 'max_acc_z')


class LimitSelection(NamedTuple):
    """The selected model.

    Attributes:
        solution: Best values; dropped limits are infinite.
        no_lag: Indices of dropped lags.
    """

    solution: Solution
    no_lag: Set[int]


def select_limits(
    solver: Solver, solution: Solution, fixed: Set[int], step: Callable[[], None]
) -> LimitSelection:
    """Drop limits that are never active, and lags of one update.

    Args:
        solver: Solver of all fitted data.
        solution: Best values with all limits.
        fixed: Indices of values that are not fitted.
        step: Called after each limit.
    """
    for i in map(NAMES.index, ORDER):
        if np.isfinite(solution.values[i]):
            solution = _without(solver, solution, i, fixed)
        step()
    lags = [i for i in LAGS if i < len(solution.values) and i not in fixed]
    no_lag = {i for i in lags if _is_none(solver, solution, i, fixed)}
    if no_lag:
        values = solution.values.copy()
        values[list(no_lag)] = solver.shortest_lag
        solution = solver.solve(values, fixed | no_lag)
    return LimitSelection(solution, no_lag)


def _without(solver: Solver, solution: Solution, i: int, fixed: Set[int]) -> Solution:
    """Return the best solution without a limit, or the given one if it is significantly better."""
    values = solution.values.copy()
    values[i] = np.inf
    if demand(motion(solver.joined, solution.values, solver.scale), i) <= solution.values[i]:
        return Solution(values, solution.cost)
    other = solver.solve(values, fixed, FEW_EVALUATIONS)
    if not _is_worse(solver, other, solution, i):
        return other
    demanded = demand(motion(solver.joined, other.values, solver.scale), i)
    return other if demanded < DEMAND * solution.values[i] else solution


def _is_none(solver: Solver, solution: Solution, i: int, fixed: Set[int]) -> bool:
    """Return whether a lag of one update, that is no lag, fits as well."""
    few = FEW_OF_ACCELERATION if i in ACCELERATION_TAUS else FEW
    if solution.values[i] > few * solver.shortest_lag:
        return False
    values = solution.values.copy()
    values[i] = solver.shortest_lag
    return not _is_worse(solver, solver.solve(values, fixed | {i}, FEW_EVALUATIONS), solution, i)


def _is_worse(solver: Solver, other: Solution, solution: Solution, i: int) -> bool:
    axis = axis_of(i)
    correlation = memory(solver.joined, solver.residuals(solution.values))[2 * axis]
    return 2.0 * (other.cost - solution.cost) / float(correlation) > SIGNIFICANT


def demand(seen: Excitation, i: int) -> float:
    """Return the largest demanded speed or acceleration for a limit."""
    is_speed = ALL_NAMES[i].startswith('max_speed')
    sizes: Floats = seen.command_speed if is_speed else seen.demanded
    return float(sizes[axis_of(i)])


def axis_of(i: int) -> int:
    """Return 0 for a horizontal parameter, 1 for a vertical one."""
    return 1 if i in VERTICAL and i != DELAY else 0
