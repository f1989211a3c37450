"""Contract of estimators of the target; authors import from here what theirs needs."""

from soliton_encirclement_ros.core.estimation.estimator import (
    FIELDS, NO_ESTIMATE, UNKNOWN, Estimate, make_estimator
)
from soliton_encirclement_ros.core.laws.law_making import LawParameters
from soliton_encirclement_ros.core.ring.ring_geometry import length
from velocity_mobility_ros.core.parameter_declaration import parameter

__all__ = [
    'FIELDS',
    'NO_ESTIMATE',
    'UNKNOWN',
    'Estimate',
    'LawParameters',
    'length',
    'make_estimator',
    'parameter',
]
