"""Conversions of the parameter vector between the law and the solver.

The solver uses logarithms of lags and limits, so that none becomes negative, and the delay itself.
A limit that is not in the model is infinite. Seven values are those of the velocity model and the
delay; with two more, the lags of the acceleration, they are those of ``second_order``.
"""

import numpy as np
from velocity_mobility_ros.core.model import Limits

from soliton_encirclement_ros.analysis.recording import Floats

NAMES = (
    'tau_xy', 'max_acc_xy', 'max_speed_xy', 'tau_z', 'max_acc_z', 'max_speed_z', 'delay'
)  # fmt: skip
UNITS = ('s', 'm/s^2', 'm/s', 's', 'm/s^2', 'm/s', 's')
ALL_NAMES = (*NAMES, 'acceleration_tau_xy', 'acceleration_tau_z')
ALL_UNITS = (*UNITS, 's', 's')
DELAY = NAMES.index('delay')
LIMITS = tuple(i for i, name in enumerate(NAMES) if name.startswith('max_'))
TAUS = (NAMES.index('tau_xy'), NAMES.index('tau_z'))
ACCELERATION_TAUS = (len(NAMES), len(NAMES) + 1)
LAGS = (*TAUS, *ACCELERATION_TAUS)

PAIRS = ((0, 3), (1, 4), (2, 5), (6,), ACCELERATION_TAUS)
"""Indices varied together: one affects only horizontal motion, one only vertical motion."""

VERTICAL = (3, 4, 5, DELAY, ACCELERATION_TAUS[1])


def limits_of(values: Floats) -> Limits:
    """Return the limits of the mobility law from the values."""
    tau_xy, acc_xy, speed_xy, tau_z, acc_z, speed_z = (float(value) for value in values[:DELAY])
    return speed_xy, speed_z, acc_xy, acc_z, tau_xy, tau_z


def acceleration_lags_of(values: Floats) -> tuple[float, float] | None:
    """Return the lags of the acceleration [s]; None in the velocity model."""
    if len(values) == len(NAMES):
        return None
    xy, z = (float(values[i]) for i in ACCELERATION_TAUS)
    return xy, z


def with_acceleration_lags(values: Floats, shortest: float) -> Floats:
    """Return start values of ``second_order`` from those of the velocity model with a delay.

    The delay becomes the lag of the acceleration, up to a quarter of both together.

    Args:
        values: The seven values.
        shortest: Shortest lag [s].
    """
    delay = max(float(values[DELAY]), 0.0)
    both = values[list(TAUS)] + delay
    lags = np.maximum(np.minimum(delay, 0.25 * both), shortest)
    found = np.append(values, lags)
    found[list(TAUS)] = np.maximum(both - lags, shortest)
    found[DELAY] = 0.0
    return found


def to_solver(values: Floats) -> Floats:
    """Return the solver's numbers for the values."""
    numbers = np.array(values, float)
    logged = np.arange(len(numbers)) != DELAY
    numbers[logged] = np.log(numbers[logged])
    return numbers


def to_values(numbers: Floats) -> Floats:
    """Return the values for the solver's numbers."""
    values = np.array(numbers, float)
    logged = np.arange(len(values)) != DELAY
    values[logged] = np.exp(values[logged])
    return values
