"""How many bodies act together: a swarm that keeps a ring round a moving target."""

from velocity_mobility_ros import __version__
from velocity_mobility_ros.core.plugins import announce

__all__ = ['__version__']

announce(*(f'{__name__}.{room}' for room in ('controllers', 'propagation', 'estimators')))
