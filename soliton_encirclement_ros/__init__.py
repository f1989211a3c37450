"""How many bodies act together: a swarm that keeps a ring round a moving target."""

from velocity_mobility_ros import __version__
from velocity_mobility_ros.core.lazy_names import by_name, importing
from velocity_mobility_ros.core.plugins import announce

PLACES = by_name({
    'core.errors': ('NotReadyError', 'OrderError', 'RunError', 'ScenarioError', 'SwarmError'),
    'api.flight_data': ('Flight', 'load'),
    'api.fly': ('Flights', 'fly'),
    'api.sweeps': ('SweepResult', 'sweep'),
    'api.fleet': ('engage', 'hold', 'land', 'release', 'rtl', 'stop', 'takeoff'),
    'learning.stepped_flight': ('Moment', 'OBSERVED_NAMES', 'SteppedFlight', 'ring_reward'),
})  # fmt: skip
"""Module of every public name; it is imported on first use."""

OF_EXTRA = by_name({
    'learning.gymnasium_env': ('SwarmEnv',),
    'learning.pettingzoo_env': ('SwarmParallelEnv',),
})  # fmt: skip
"""The same of those that need the extra ``rl``; ``import *`` does without them."""

__all__ = ['__version__', *PLACES]

__getattr__ = importing(__name__, PLACES | OF_EXTRA)

announce(*(f'{__name__}.{room}' for room in ('controllers', 'propagation', 'estimators')))


def __dir__() -> list[str]:
    return sorted([*__all__, *OF_EXTRA])
