"""Which names stand for estimators, and the estimators behind them."""

import functools

from soliton_encirclement_ros.core.estimation.estimator import (
    NO_ESTIMATE,
    Estimator,
    EstimatorView,
    Sight,
    SightSetup,
)
from soliton_encirclement_ros.core.laws.law_fault import checked_step
from soliton_encirclement_ros.core.laws.trial import try_estimator
from soliton_encirclement_ros.core.laws.user_code import is_outside, load
from soliton_encirclement_ros.core.parameters.sight_parameters import ESTIMATOR_NAMES

ESTIMATOR_GROUP = 'soliton_encirclement_ros.estimators'
"""Entry points of packages that bring an estimator: ``name = package.module:ESTIMATOR``; also the
room in which those of this package are, as ``kalman.KALMAN``."""

EXAMPLE = EstimatorView(
    10.0, 0.05, 1, (20.0, 0.0, 0.0), (0.0, 0.0, 0.0),
    Sight(True, (20.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 20.0, 0.02), 0, [],
)  # fmt: skip
"""What an estimator is tried on: an agent beside the target, which hears nobody."""


def is_estimator(name: object) -> bool:
    """Say whether a name stands for an estimator, of this package or of a user."""
    return name in ESTIMATOR_NAMES or is_outside(name, ESTIMATOR_GROUP)


def is_own_estimator(name: str) -> bool:
    """Say whether an estimator is one of a user."""
    return name not in ESTIMATOR_NAMES


@functools.cache
def load_estimator(name: str) -> Estimator:
    """Return the estimator of a name.

    Raises:
        LawError: It cannot be found, is none, or cannot fly; one line says what to mend.
    """
    if name in ESTIMATOR_NAMES:
        return load(f'{ESTIMATOR_GROUP}.{name}:{name.upper()}', Estimator, ESTIMATOR_GROUP)
    estimator = load(name, Estimator, ESTIMATOR_GROUP)
    try_estimator(estimator, name, SightSetup(), EXAMPLE, NO_ESTIMATE)
    return estimator


def checked_estimator(estimator: Estimator) -> Estimator:
    """Return an estimator whose step raises ``WrongResultError`` on results that are none."""
    rest, no_message = estimator.rest, estimator.no_message
    parts = {'memory': rest, 'message': no_message, 'estimate': NO_ESTIMATE}
    return estimator._replace(step=checked_step(estimator.step, parts))
