"""Estimators by name: those that come along, and those of users."""

from velocity_mobility_ros.core.plugins import Plugin
from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.estimation.estimate_rules import is_possible
from soliton_encirclement_ros.core.estimation.estimator import (
    NO_ESTIMATE,
    Estimate,
    Estimator,
    EstimatorView,
    Memory,
    Message,
    Sight,
    SightSetup,
)
from soliton_encirclement_ros.core.laws.law_fault import BOUND, checked_step, wrong_message
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.laws.trial import try_estimator

EXAMPLE = EstimatorView(
    10.0, 0.05, 1, (20.0, 0.0, 0.0), (0.0, 0.0, 0.0),
    Sight(True, (20.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 20.0, 0.02), 0, [],
)  # fmt: skip
"""What an estimator is tried on: an agent beside the target, which hears nobody."""

ESTIMATORS = Plugin(
    Estimator, LawError, 'soliton_encirclement_ros.estimators',
    lambda one, name: try_estimator(one, name, SightSetup(), EXAMPLE, NO_ESTIMATE),
)  # fmt: skip
"""Entry points: ``name = package.module:ESTIMATOR``."""


def checked_estimator(name: str) -> Estimator:
    """Return the estimator of a name; its step raises ``WrongResultError`` on wrong results.

    Numbers that are not finite are wrong of a user's; one that comes along begins anew.
    """
    estimator = ESTIMATORS.load(name)
    sent = packing(estimator.no_message)

    def fault_in(kept: Memory, message: Message, found: Estimate) -> str:
        """Return which result is not finite."""
        fault = '' if is_possible(found) else f'estimates {shown(found)}; {BOUND}'
        return fault or wrong_message(message, sent)

    parts = {'memory': estimator.rest, 'message': estimator.no_message, 'estimate': NO_ESTIMATE}
    faults = fault_in if ESTIMATORS.is_foreign(name) else None
    return estimator._replace(step=checked_step(estimator.step, parts, faults))
