"""Whether each parameter is identifiable, and limits and lags that do not improve the fit.

Excitation of a flight: commanded and predicted extremes, and the odometry noise. A parameter that
is not identifiable has a reason of one line.
"""

from collections.abc import Callable, Set
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.fit_records import (
    ACCELERATION_TAUS, DELAY, LAGS, NAMES, TAUS, UNITS, VERTICAL, FitSettings, ParameterEstimate,
    fitted_indices, to_solver, to_values
)
from soliton_encirclement_ros.analysis.fit.rollout import JoinedStretches, Solution, Solver, memory
from soliton_encirclement_ros.analysis.recording import Floats

SHORTEST = 1e-6
"""Shorter updates [s] are not used for accelerations."""

MISFIT = 0.01
"""Error of a model as a share of the largest change of a command."""

MIN_DEVIATION = 1e-3
"""Lower limit of the assumed odometry noise [m/s]."""


class Excitation(NamedTuple):
    """Largest values of a flight, (2,) each: horizontal and vertical.

    Attributes:
        command_change: Deviation of a command from the median of its stretch [m/s].
        command_speed: Commanded speed [m/s].
        speed: Predicted speed [m/s].
        demanded: Acceleration demanded by command and lag, without limits [m/s^2].
        acceleration: Predicted acceleration [m/s^2].
    """

    command_change: Floats
    command_speed: Floats
    speed: Floats
    demanded: Floats
    acceleration: Floats


def motion(joined: JoinedStretches, values: Floats) -> Excitation:
    """Return the excitation of a flight, predicted with the given values.

    Lags of the acceleration have no effect: limits act before them.
    """
    line, flown = joined.line(values), joined.flown(values)
    before = np.vstack([flown[:1], flown[:-1]])
    before[line.begin[:-1]] = joined.starts
    dt = np.maximum(line.dt, SHORTEST)[:, None]
    lags = np.fmax(values[[TAUS[0], TAUS[0], TAUS[1]]], dt)
    rise = (flown - before)[line.dt > SHORTEST] / dt[line.dt > SHORTEST]
    demanded = ((line.wanted - before) / lags)[line.dt > SHORTEST]
    return Excitation(*map(_largest, (changes(joined), line.wanted, flown, demanded, rise)))


def changes(joined: JoinedStretches) -> Floats:
    """Return how much the commands (m, 3) differ from the median of their stretch [m/s]."""
    commands = [part.command for part in joined.parts]
    return np.concatenate([command - np.median(command, axis=0) for command in commands])


def misfit(joined: JoinedStretches) -> Floats:
    """Return the error [m/s] that even a good model of a vehicle has, (3,), equal for x and y."""
    xy, z = MISFIT * _largest(changes(joined))
    return np.array([xy, xy, z])


def _largest(vectors: Floats) -> Floats:
    horizontal, vertical = sizes(vectors)
    return np.array([horizontal.max(), vertical.max()])


def sizes(vectors: Floats) -> tuple[Floats, Floats]:
    """Return horizontal norms and vertical sizes of vectors (n, 3)."""
    return np.sqrt((vectors[:, :2] ** 2).sum(axis=1)), np.abs(vectors[:, 2])


def deviation(missed: Floats) -> Floats:
    """Return the standard deviation of residuals (n, 3) [m/s], (3,), equal for x and y.

    From the median, so that outliers do not count; at least ``MIN_DEVIATION``.
    """
    xy = 1.4826 * np.median(np.abs(missed[:, :2]))
    z = 1.4826 * np.median(np.abs(missed[:, 2]))
    return np.maximum(np.array([xy, xy, z]), MIN_DEVIATION)


def noise_of(joined: JoinedStretches) -> Floats:
    """Return the noise of the odometry's velocity (3,) [m/s], equal for x and y.

    From second differences, which remove slow motion.
    """
    bends = np.concatenate([np.diff(part.velocity, 2, axis=0) for part in joined.parts])
    return deviation(bends / np.sqrt(6.0))


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


def select_limits(
    solver: Solver, solution: Solution, fixed: Set[int], step: Callable[[], None]
) -> Solution:
    """Return the solution without limits that are never active, and lags of one update.

    ``fixed`` are indices of values that are not fitted; ``step`` is called after each limit.
    """
    for i in map(NAMES.index, ORDER):
        if np.isfinite(solution.values[i]):
            solution = _without_limit(solver, solution, i, fixed)
        step()
    short = {i: FEW_OF_ACCELERATION if i in ACCELERATION_TAUS else FEW for i in LAGS}
    for i in set(LAGS) - fixed:
        if solution.values[i] <= short[i] * solver.shortest_lag:
            other = solver.solve(_with_value(solution.values, i, np.nan), fixed, FEW_EVALUATIONS)
            solution = solution if _is_worse(solver, other, solution, i) else other
    return solution


def _with_value(values: Floats, i: int, value: float) -> Floats:
    return np.where(np.arange(len(values)) == i, value, values)


def _without_limit(solver: Solver, solution: Solution, i: int, fixed: Set[int]) -> Solution:
    """Return the best solution without a limit, or the given one if it is significantly better."""
    limit, values = solution.values[i], _with_value(solution.values, i, np.inf)
    if demand(motion(solver.joined, solution.values), i) <= limit:
        return solution._replace(values=values)
    other = solver.solve(values, fixed, FEW_EVALUATIONS)
    is_better = _is_worse(solver, other, solution, i)
    if is_better and demand(motion(solver.joined, other.values), i) >= DEMAND * limit:
        return solution
    return other


def _is_worse(solver: Solver, other: Solution, solution: Solution, i: int) -> bool:
    correlation = memory(solver.joined, solution.residuals)[2 * axis_of(i)]
    return 2.0 * (other.cost - solution.cost) / float(correlation) > SIGNIFICANT


def demand(seen: Excitation, i: int) -> float:
    """Return the largest demanded speed or acceleration for a limit."""
    is_speed = NAMES[i].startswith('max_speed')
    return float((seen.command_speed if is_speed else seen.demanded)[axis_of(i)])


def axis_of(i: int) -> int:
    """Return 0 for a horizontal parameter and the delay, 1 for a vertical one."""
    return int(i in VERTICAL)


WIDEST = 0.25
"""Upper limit of half the interval of a logarithm; wider ones are not identifiable."""

WIDEST_SHARE = 0.25
"""The same of a lag of ``second_order``, as a share of both lags of its axis together: how they
share the time is less certain than their sum, and matters less."""

WIDEST_DELAY = 0.05
"""The same for the delay [s]."""

MARGIN = 1e-3
"""A delay this close [s] to a bound counts as outside."""

FAINT = 1.0
"""Changes of the command below this many deviations of the odometry are not visible in it."""


def judge(
    values: Floats, half: Floats, seen: Excitation, noise: Floats, settings: FitSettings
) -> dict[str, ParameterEstimate]:
    """Return the estimates by name.

    A vehicle applies a command at its next update, at an unknown time: the interval of the delay
    is extended by one update on both sides. ``half`` are half of the 95 % intervals in the
    solver's numbers; NaN, infinite or large if unknown. The noise is (3,) [m/s].
    """
    middle, half = to_solver(values), _with_value(half, DELAY, half[DELAY] + settings.update_rate)
    low, high = to_values(middle - half), to_values(middle + half)
    estimates = {}
    for i in fitted_indices(settings.vehicle):
        reason, numbers, is_lag = '', (None, None, None), i in LAGS
        if is_lag and np.isnan(values[i]):
            how = 'followed within the acceleration limit alone'
            how = 'followed as by the velocity model' if i in ACCELERATION_TAUS else how
            is_known = not _is_faint(axis_of(i), seen, noise)
            reason = f'no lag: commands are {how}' if is_known else _faint(i, seen, noise)
        elif not np.isfinite(values[i]):
            is_known, reason = False, _no_limit(i, seen, noise)
        elif i == DELAY and not (
            settings.shortest_delay + MARGIN < values[i] < settings.longest_delay - MARGIN
        ):
            bounds = f'{settings.shortest_delay:g} to {settings.longest_delay:g} s'
            is_known, reason = False, f'no delay from {bounds} fits the data'
        elif not half[i] <= _widest(i, values):
            is_known = False
            reason = _too_wide(i, float(low[i]), float(high[i]), seen, noise)
        else:
            is_known, numbers = True, (float(numbers_in[i]) for numbers_in in (values, low, high))
        estimates[NAMES[i]] = ParameterEstimate(NAMES[i], UNITS[i], is_known, *numbers, reason)
    return estimates


def _widest(i: int, values: Floats) -> float:
    """Return the upper limit of half the interval of a solver's number."""
    if i == DELAY:
        return WIDEST_DELAY
    for pair in map(list, zip(TAUS, ACCELERATION_TAUS, strict=True)):
        if i in pair:
            return WIDEST_SHARE * float(np.nansum(values[pair]) / values[i])
    return WIDEST


def _no_limit(i: int, seen: Excitation, noise: Floats) -> str:
    axis = axis_of(i)
    if NAMES[i].startswith('max_speed'):
        commanded, flown = seen.command_speed[axis], seen.speed[axis]
        if commanded > 1.05 * flown:
            return f'flown {flown:.3g} of {commanded:.3g} m/s commanded, without reaching a limit'
        return f'no command asked for more than {commanded:.3g} m/s'
    if _is_faint(axis, seen, noise):
        return _faint(i, seen, noise)
    return f'no command asked for more than {seen.demanded[axis]:.3g} m/s^2'


def _too_wide(i: int, low: float, high: float, seen: Excitation, noise: Floats) -> str:
    axes = (0, 1) if i == DELAY else (axis_of(i),)
    if all(_is_faint(axis, seen, noise) for axis in axes):
        return _faint(i, seen, noise)
    if not (np.isfinite(low) and np.isfinite(high)):
        return 'nothing in the data depends on it'
    note = ''
    if i in TAUS and seen.demanded[axis_of(i)] > 1.2 * seen.acceleration[axis_of(i)]:
        note = '; limits are active most of the time'
    return f'any value from {low:.2g} to {high:.2g} {UNITS[i]} fits the data{note}'


def _is_faint(axis: int, seen: Excitation, noise: Floats) -> bool:
    return bool(seen.command_change[axis] <= max(1e-6, FAINT * noise[2 * axis]))


def _faint(i: int, seen: Excitation, noise: Floats) -> str:
    axis = int(seen.command_change[1] > seen.command_change[0]) if i == DELAY else axis_of(i)
    change = seen.command_change[axis]
    if change < 1e-6:
        return 'the command never changed'
    return (
        f'commands changed by {change:.2g} m/s at most, the odometry noise is '
        f'{noise[2 * axis]:.2g} m/s'
    )
