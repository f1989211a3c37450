"""Identifies the parameters of the mobility law from recorded commands and odometry."""

from soliton_encirclement_ros.analysis.fit.fit_data import select_members
from soliton_encirclement_ros.analysis.fit.fit_records import (
    FITTED_VEHICLES, Errors, Fit, FitSettings, ParameterEstimate, as_json, vehicle_of
)
from soliton_encirclement_ros.analysis.fit.fitting import fit
from soliton_encirclement_ros.analysis.fit.rollout import follow, roll_out

__all__ = [
    'FITTED_VEHICLES',
    'Errors',
    'ParameterEstimate',
    'Fit',
    'FitSettings',
    'as_json',
    'fit',
    'follow',
    'roll_out',
    'select_members',
    'vehicle_of',
]  # fmt: skip
