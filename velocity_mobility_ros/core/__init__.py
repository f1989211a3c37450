"""The mathematics of one body: limits, the velocity model, frames, time. No ROS."""

from velocity_mobility_ros.core.errors import MobilityError, ParameterError, StartupError
from velocity_mobility_ros.core.model import MobilityParameters, step

__all__ = [
    'MobilityError',
    'MobilityParameters',
    'ParameterError',
    'StartupError',
    'step',
]
