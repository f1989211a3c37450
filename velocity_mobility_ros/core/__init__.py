"""The mathematics of one body: limits, the velocity model, frames, time. No ROS."""

from typing import TYPE_CHECKING, Any

from velocity_mobility_ros.core.errors import MobilityError, ParameterError, StartupError

if TYPE_CHECKING:
    from velocity_mobility_ros.core.model import MobilityParameters, step

__all__ = [
    'MobilityError',
    'MobilityParameters',
    'ParameterError',
    'StartupError',
    'step',
]


def __getattr__(name: str) -> Any:
    """Load the model, and numpy with it, when it is asked for: the command line starts without."""
    if name not in ('MobilityParameters', 'step'):
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from velocity_mobility_ros.core import model

    return getattr(model, name)
