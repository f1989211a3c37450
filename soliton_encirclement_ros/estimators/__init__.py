"""Estimators of a target that broadcasts nothing, one per file."""

from soliton_encirclement_ros.core.estimation.estimator import ESTIMATORS
from soliton_encirclement_ros.estimators.deghat import DEGHAT
from soliton_encirclement_ros.estimators.kalman import KALMAN

ESTIMATORS.update({'kalman': KALMAN, 'deghat': DEGHAT})

__all__ = ['ESTIMATORS']
