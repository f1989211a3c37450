"""Which limits there are: a limit stays in the law only if the data ask for it."""

from collections.abc import Callable, Set
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.excitation import Excitation, motion
from soliton_encirclement_ros.analysis.fit.intervals import memory
from soliton_encirclement_ros.analysis.fit.parameter_vector import DELAY, LIMITS, NAMES, TAUS
from soliton_encirclement_ros.analysis.fit.solve import Solution, Solver
from soliton_encirclement_ros.analysis.recording import Floats

CLEARLY = 12.0
"""How much worse twice the cost must be without something (chi-square of one, about 0.0005)."""

DEMAND = 1.05
"""A limit counts as one if more than this multiple of it was asked for."""

FEW = 6.0
"""A lag shorter than so many updates may be none at all."""

ENOUGH = 15
"""So many points tell whether something can be done without."""

ORDER = ('max_speed_xy', 'max_speed_z', 'max_acc_xy', 'max_acc_z')


class LimitSelection(NamedTuple):
    """The law that suits.

    Attributes:
        solution: With infinite limits where there are none.
        no_lag: Positions of lags that are none.
    """

    solution: Solution
    no_lag: Set[int]


def select_limits(
    solver: Solver, solution: Solution, fixed: Set[int], step: Callable[[], None]
) -> LimitSelection:
    """Leave out limits that never hold, and lags that are none.

    Args:
        solver: Of all that is fitted.
        solution: The best with every limit.
        fixed: Positions of values that stay as they are.
        step: Called after each limit.
    """
    for i in map(NAMES.index, ORDER):
        if np.isfinite(solution.values[i]):
            solution = _without(solver, solution, i, fixed)
        step()
    no_lag = {i for i in TAUS if i not in fixed and _is_none(solver, solution, i, fixed)}
    if no_lag:
        values = solution.values.copy()
        values[list(no_lag)] = solver.shortest_lag
        solution = solver.solve(values, fixed | no_lag)
    return LimitSelection(solution, no_lag)


def _without(solver: Solver, solution: Solution, i: int, fixed: Set[int]) -> Solution:
    """Return the best without a limit, or the solution as it was if that is clearly better."""
    values = solution.values.copy()
    values[i] = np.inf
    if demand(motion(solver.course, solution.values, solver.scale), i) <= solution.values[i]:
        return Solution(values, solution.cost)
    other = solver.solve(values, fixed, ENOUGH)
    if not _is_worse(solver, other, solution, i):
        return other
    asked = demand(motion(solver.course, other.values, solver.scale), i)
    return other if asked < DEMAND * solution.values[i] else solution


def _is_none(solver: Solver, solution: Solution, i: int, fixed: Set[int]) -> bool:
    """Return whether a lag of one update, which is none, does as well."""
    if solution.values[i] > FEW * solver.shortest_lag:
        return False
    values = solution.values.copy()
    values[i] = solver.shortest_lag
    return not _is_worse(solver, solver.solve(values, fixed | {i}, ENOUGH), solution, i)


def _is_worse(solver: Solver, other: Solution, solution: Solution, i: int) -> bool:
    axis = axis_of(i)
    remembered = memory(solver.course, solver.residuals(solution.values))[2 * axis]
    return 2.0 * (other.cost - solution.cost) / float(remembered) > CLEARLY


def demand(seen: Excitation, i: int) -> float:
    """Return how much was asked for of what a limit holds back."""
    sizes: Floats = seen.told if NAMES[i].startswith('max_speed') else seen.asked
    return float(sizes[axis_of(i)])


def axis_of(i: int) -> int:
    """Return 0 for a horizontal parameter, 1 for a vertical one."""
    return 0 if i in LIMITS[:2] or i in TAUS[:1] or i == DELAY else 1
