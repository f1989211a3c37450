"""Stability of the law ``soliton`` near its ring, in discrete time (docs/law.md).

A ring of equal agents splits into modes (``ring_factors``), each a small matrix (``agent_loop``).
Factor 0 is the radial motion with k_r for k; factor 1 is the rotation of the whole ring, whose
angle is free (an eigenvalue 1 that is ignored), but not its rate.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop,
    linear_agent,
    mode_matrix,
)
from soliton_encirclement_ros.core.stability.ring_factors import ROTATION

RADIAL = (0.0,)
"""The factors of the radial motion."""

MAX_GAIN = 1e6
"""Upper limit of the gain search [1/s]."""


def spectral_radius(matrix: NDArray, rotates: bool) -> float:
    """Return the largest modulus of the eigenvalues of a one-tick matrix; below 1 all decays.

    Args:
        matrix: Of a mode, or of a whole ring.
        rotates: Whether it contains the rotation of the whole ring, whose free angle, an
            eigenvalue 1, is ignored.
    """
    return _largest(np.linalg.eigvals(matrix), rotates)


def slowest_decay(factors: Sequence[complex], loop: AgentLoop) -> float:
    """Return the spectral radius of the slowest of some modes, each given by its factor.

    Of a pair of complex conjugates one is enough.
    """
    agent = linear_agent(loop)
    used = [m for m in factors if complex(m).imag >= 0.0]
    poles = np.linalg.eigvals(np.stack([mode_matrix(m, agent) for m in used]))
    return max(_largest(own, m == ROTATION) for m, own in zip(used, poles, strict=True))


def largest_gain(factors: Sequence[complex], loop: AgentLoop) -> float:
    """Return the gain k [1/s] at which the first mode stops decaying; that of ``loop`` is free."""

    def decays(gain: float) -> bool:
        return slowest_decay(factors, loop._replace(gain=gain)) < 1.0

    low, high = 0.0, 1.0
    while decays(high):
        low, high = high, 2.0 * high
        if high > MAX_GAIN:
            return math.inf
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if decays(middle) else (low, middle)
    return low


def _largest(poles: NDArray, rotates: bool) -> float:
    if rotates:
        poles = np.delete(poles, np.argmin(np.abs(poles - 1.0)))
    return float(np.max(np.abs(poles)))
