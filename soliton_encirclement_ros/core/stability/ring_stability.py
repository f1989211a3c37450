"""Stability of the law ``soliton`` near its ring, in discrete time (docs/law.md).

A ring of equal agents splits into modes (``ring_factors``), each a small matrix (``agent_loop``).
Factor 0 is the radial motion with k_r for k; factor 1 is the rotation of the whole ring, whose
angle is free (an eigenvalue 1 that is ignored), but not its rate.
"""

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


def slowest_decay(factors: Sequence[complex], loop: AgentLoop) -> float:
    """Return the spectral radius of the slowest of some modes, each given by its factor.

    Of a pair of complex conjugates one is enough.
    """
    agent = linear_agent(loop)
    used = [m for m in factors if complex(m).imag >= 0.0]
    poles = np.linalg.eigvals(np.stack([mode_matrix(m, agent) for m in used]))
    return max(_largest(own, m == ROTATION) for m, own in zip(used, poles, strict=True))


def _largest(poles: NDArray, rotates: bool) -> float:
    if rotates:
        poles = np.delete(poles, np.argmin(np.abs(poles - 1.0)))
    return float(np.max(np.abs(poles)))
