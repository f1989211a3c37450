"""Which names stand for estimators, and the estimators behind them."""

import functools

from soliton_encirclement_ros.core.estimation.estimator import Estimator
from soliton_encirclement_ros.core.laws.user_code import is_outside, load
from soliton_encirclement_ros.core.parameters.sight_parameters import ESTIMATOR_NAMES

ESTIMATOR_GROUP = 'soliton_encirclement_ros.estimators'
"""Entry points of packages that bring an estimator: ``name = package.module:ESTIMATOR``; also the
room in which those of this package are, as ``kalman.KALMAN``."""


def is_estimator(name: object) -> bool:
    """Say whether a name stands for an estimator, of this package or of a user."""
    return name in ESTIMATOR_NAMES or is_outside(name, ESTIMATOR_GROUP)


@functools.cache
def load_estimator(name: str) -> Estimator:
    """Return the estimator of a name.

    Raises:
        LawError: It cannot be found or is none; one line says what to mend.
    """
    if name in ESTIMATOR_NAMES:
        name = f'{ESTIMATOR_GROUP}.{name}:{name.upper()}'
    return load(name, Estimator, ESTIMATOR_GROUP)
