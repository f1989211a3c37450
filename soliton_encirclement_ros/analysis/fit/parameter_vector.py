"""Conversions of the parameter vector between the law and the solver.

The solver uses logarithms of lags and limits, so that none becomes negative, and the delay itself.
A limit that is not in the model is infinite.
"""

import numpy as np
from velocity_mobility_ros.core.model import Limits

from soliton_encirclement_ros.analysis.recording import Floats

NAMES = (
    'tau_xy', 'max_acc_xy', 'max_speed_xy', 'tau_z', 'max_acc_z', 'max_speed_z', 'delay'
)  # fmt: skip
UNITS = ('s', 'm/s^2', 'm/s', 's', 'm/s^2', 'm/s', 's')
DELAY = NAMES.index('delay')
LIMITS = tuple(i for i, name in enumerate(NAMES) if name.startswith('max_'))
TAUS = (NAMES.index('tau_xy'), NAMES.index('tau_z'))

PAIRS = ((0, 3), (1, 4), (2, 5), (6,))
"""Indices varied together: one affects only horizontal motion, one only vertical motion."""

VERTICAL = (3, 4, 5, DELAY)


def limits_of(values: Floats) -> Limits:
    """Return the limits of the mobility law from the seven values."""
    tau_xy, acc_xy, speed_xy, tau_z, acc_z, speed_z = (float(value) for value in values[:DELAY])
    return speed_xy, speed_z, acc_xy, acc_z, tau_xy, tau_z


def to_solver(values: Floats) -> Floats:
    """Return the solver's numbers for the seven values."""
    numbers = np.array(values, float)
    numbers[:DELAY] = np.log(numbers[:DELAY])
    return numbers


def to_values(numbers: Floats) -> Floats:
    """Return the seven values for the solver's numbers."""
    values = np.array(numbers, float)
    values[:DELAY] = np.exp(values[:DELAY])
    return values
