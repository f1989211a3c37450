"""Borders of stability, and the whole ring in one matrix."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop, LinearAgent, slowest_decay
)


def largest_gain(factors: Sequence[complex], loop: AgentLoop) -> float:
    """Return the gain k [1/s] at which the first mode stops decaying; that of ``loop`` is free."""

    def decays(gain: float) -> bool:
        return slowest_decay(factors, loop._replace(gain=gain)) < 1.0

    low, high = 0.0, 1.0
    while decays(high):
        low, high = high, 2.0 * high
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if decays(middle) else (low, middle)
    return low


def ring_matrix(agents: list[LinearAgent], averaging: NDArray) -> NDArray:
    """Return the one-tick matrix of a whole ring, whose agents may differ.

    Args:
        agents: The agents in the order of the ring.
        averaging: ``averaging_matrix`` of the ring.
    """
    blocks = [
        [
            one.own if i == j else averaging[i, j] * np.outer(one.push, other.told)
            for j, other in enumerate(agents)
        ]
        for i, one in enumerate(agents)
    ]
    return np.block(blocks)
