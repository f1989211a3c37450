"""The section on the sight of the target; every estimator adds its parameters."""

import functools

from soliton_encirclement_ros.core.estimation.estimator_source import is_estimator, load_estimator
from soliton_encirclement_ros.core.laws.user_code import whole_name
from soliton_encirclement_ros.core.parameters.sight_parameters import (
    ESTIMATOR_NAMES,
    SightParameters,
)
from soliton_encirclement_ros.core.scenario.extended_record import extended


def sight_record(estimator: object) -> type[SightParameters]:
    """Return the record of the section for an estimator; None: for the default one.

    Raises:
        LawError: There is no such estimator, or a parameter of it has a name that exists already.
    """
    if estimator is None:
        return _extended(ESTIMATOR_NAMES[0])
    if not is_estimator(estimator):
        return SightParameters
    return _extended(str(estimator))


@functools.cache
def _extended(estimator: str) -> type[SightParameters]:
    own = load_estimator(whole_name(estimator)).parameters
    return extended(SightParameters, 'estimator', estimator, own)


USUAL_SIGHT = sight_record(None)
"""The record with the default estimator."""
