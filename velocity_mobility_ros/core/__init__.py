"""Velocity model, limits, frames and time of one body, without ROS."""

from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """Import the model, and numpy with it, on first use, so that the command line starts fast."""
    if name not in ('MobilityParameters', 'step'):
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from velocity_mobility_ros.core import velocity_model

    return getattr(velocity_model, name)
