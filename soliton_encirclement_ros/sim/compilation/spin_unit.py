"""A spin law as the engine flies it, compiled by itself."""

from collections.abc import Callable

import numpy as np

from soliton_encirclement_ros.sim.compilation.compiled import pointed
from soliton_encirclement_ros.swarm.spin import GAINS, spinning


def spin_step(name: str, plain: bool) -> Callable[..., int]:
    """Return the step of a spin law, compiled where there is a compiler, or ``plain``."""
    if plain:
        return spinning(name)
    return pointed(spinning(name), np.zeros(1), 0.0, 0.0, True, GAINS)
