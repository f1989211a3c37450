"""Which names stand for estimators, and the estimators behind them."""

import functools

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.estimation.estimate_rules import is_possible
from soliton_encirclement_ros.core.estimation.estimator import (
    NO_ESTIMATE,
    Estimator,
    EstimatorView,
    Gains,
    Memory,
    Sight,
    SightSetup,
)
from soliton_encirclement_ros.core.laws.law_fault import (
    BOUND,
    WrongResultError,
    check_message,
    checked_step,
    place_of,
)
from soliton_encirclement_ros.core.laws.record_rows import packing
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


def checked_estimator(name: str) -> Estimator:
    """Return the estimator of a name; its step raises ``WrongResultError`` on wrong results.

    Only those of users: one of this package that has lost itself begins anew.
    """
    estimator = load_estimator(name)
    parts = {
        'memory': estimator.rest, 'message': estimator.no_message, 'estimate': NO_ESTIMATE,
    }  # fmt: skip
    step, place = checked_step(estimator.step, parts), place_of(estimator.step)
    sent = packing(estimator.no_message)

    def finite_step(gains: Gains, memory: Memory, view: EstimatorView) -> tuple:
        """Advance by one control period."""
        after = step(gains, memory, view)
        _, message, found = after
        if not is_possible(found):
            raise WrongResultError(f'estimates {shown(found)}; {BOUND}{place}')
        check_message(message, sent, place)
        return after

    return estimator._replace(step=finite_step if is_own_estimator(name) else step)
