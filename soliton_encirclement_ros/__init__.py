"""How many bodies act together: a swarm that keeps a ring round a moving target."""

from velocity_mobility_ros import __version__

__all__ = ['__version__']
