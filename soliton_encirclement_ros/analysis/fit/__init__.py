"""From recorded commands and odometry to the parameters of the mobility law."""

from soliton_encirclement_ros.analysis.fit.fitting import fit
from soliton_encirclement_ros.analysis.fit.records import Errors, Estimate, Fit, FitSettings
from soliton_encirclement_ros.analysis.fit.rollout import roll_out

__all__ = ['Errors', 'Estimate', 'Fit', 'FitSettings', 'fit', 'roll_out']
