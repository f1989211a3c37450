"""Decides for each parameter whether it is identifiable; if not, gives the reason in one line."""

import numpy as np

from soliton_encirclement_ros.analysis.fit.excitation import Excitation
from soliton_encirclement_ros.analysis.fit.fit_records import Estimate, FitSettings
from soliton_encirclement_ros.analysis.fit.limit_selection import LimitSelection, axis_of
from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    ACCELERATION_TAUS,
    ALL_NAMES,
    ALL_UNITS,
    DELAY,
    NAMES,
    TAUS,
    to_solver,
    to_values,
)
from soliton_encirclement_ros.analysis.recording import Floats

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
    choice: LimitSelection, half: Floats, seen: Excitation, noise: Floats, settings: FitSettings
) -> dict[str, Estimate]:
    """Return the estimates by name.

    A vehicle applies a command at its next update, at an unknown time: the interval of the delay
    is extended by one update on both sides.

    Args:
        choice: The selected model.
        half: (p,) half of the 95 % intervals in the solver's numbers; NaN, infinite or large
            if unknown.
        seen: Excitation of the flight.
        noise: (3,) noise of the odometry [m/s].
        settings: Update period of the law, bounds of the delay.
    """
    values = choice.solution.values
    middle = to_solver(values)
    half = half.copy()
    half[DELAY] += settings.update_rate
    low, high = to_values(middle - half), to_values(middle + half)
    found = {}
    for i, name in enumerate(ALL_NAMES[: len(values)]):
        if i == DELAY and len(values) > len(NAMES):
            continue  # The lags of the acceleration take its place.
        if i in choice.no_lag:
            found[name] = _none(i, choice, seen, noise)
        elif not np.isfinite(values[i]):
            found[name] = _unknown(i, _no_limit(i, seen, noise))
        elif i == DELAY and not _is_inside(float(values[i]), settings):
            bounds = f'{settings.shortest_delay:g} to {settings.longest_delay:g} s'
            found[name] = _unknown(i, f'no delay from {bounds} fits the data')
        elif not half[i] <= _widest(i, values):
            found[name] = _unknown(i, _too_wide(i, float(low[i]), float(high[i]), seen, noise))
        else:
            numbers = (float(one[i]) for one in (values, low, high))
            found[name] = Estimate(name, ALL_UNITS[i], True, *numbers, '')
    return found


def _widest(i: int, values: Floats) -> float:
    """Return the upper limit of half the interval of a solver's number."""
    if i == DELAY:
        return WIDEST_DELAY
    for pair in zip(TAUS, ACCELERATION_TAUS, strict=True):
        if i in pair and pair[1] < len(values):
            return WIDEST_SHARE * float(values[list(pair)].sum() / values[i])
    return WIDEST


def _is_inside(delay: float, settings: FitSettings) -> bool:
    """Return whether a delay is inside the bounds of the search."""
    return settings.shortest_delay + MARGIN < delay < settings.longest_delay - MARGIN


def _unknown(i: int, reason: str) -> Estimate:
    return Estimate(ALL_NAMES[i], ALL_UNITS[i], False, None, None, None, reason)


def _none(i: int, choice: LimitSelection, seen: Excitation, noise: Floats) -> Estimate:
    if _is_faint(axis_of(i), seen, noise):
        return _unknown(i, _faint(i, seen, noise))
    how = 'followed within the acceleration limit alone'
    if i in ACCELERATION_TAUS:
        how = 'followed as by the velocity model'
    reason = f'no lag: commands are {how}'
    return Estimate(ALL_NAMES[i], ALL_UNITS[i], True, None, None, None, reason)


def _no_limit(i: int, seen: Excitation, noise: Floats) -> str:
    axis = axis_of(i)
    if ALL_NAMES[i].startswith('max_speed'):
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
    rest = ''
    if i in TAUS and seen.demanded[axis_of(i)] > 1.2 * seen.acceleration[axis_of(i)]:
        rest = '; limits are active most of the time'
    return f'any value from {low:.2g} to {high:.2g} {ALL_UNITS[i]} fits the data{rest}'


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
