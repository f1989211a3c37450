"""Velocity model, limits, frames and time of one body, without ROS."""

from typing import TYPE_CHECKING

from velocity_mobility_ros.core.lazy_names import importing
from velocity_mobility_ros.core.user_errors import MobilityError, ParameterError, StartupError

if TYPE_CHECKING:
    from velocity_mobility_ros.core.velocity_model import MobilityParameters, step

__all__ = [
    'MobilityError',
    'MobilityParameters',
    'ParameterError',
    'StartupError',
    'step',
]

MODEL = 'velocity_model'

__getattr__ = importing(__name__, {'MobilityParameters': MODEL, 'step': MODEL})
"""The model comes, and numpy with it, on first use, so that the command line starts fast."""
