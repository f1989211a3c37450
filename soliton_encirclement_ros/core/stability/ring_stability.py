"""Stability of the law ``soliton`` near its ring, in discrete time, mode by mode (docs/law.md).

A mode says how strongly an agent's place follows those of its neighbours.

The place of every agent is an average of its neighbours' positions, y = M x. Near rest a ring of
equal agents splits into modes, one per eigenvalue m of M. On an even ring they are the waves, and
all m are real; with uneven weights and two hops or more m may be complex. Rows of M are weights of
an average, so 1 is an eigenvalue, the rotation of the whole ring, and no other is larger.

A ring of equal agents splits into modes (``ring_factors``), each a small matrix (``agent_loop``).
Factor 0 is the radial motion with k_r for k; factor 1 is the rotation of the whole ring, whose
angle is free (an eigenvalue 1 that is ignored), but not its rate.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from velocity_mobility_ros.core.coordinate_frames import TURN

from soliton_encirclement_ros.core.ring.ring_geometry import spacing_correction
from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop,
    linear_agent,
    mode_matrix,
    total,
)

ROTATION = 1.0
"""Mode factor of the rotation of the whole ring."""


def mode_factors(count: int, hops: int) -> list[float]:
    """Return the factor of every wave on an even ring, the rotation of the whole first.

    The mean of cos(2 pi k h / N) over the neighbours in use, k = 0 .. N - 1: a wave with factor m
    decays at k_s (1 - m) in continuous time.

    Args:
        count: Number N of agents, at least 2.
        hops: Neighbours on either side.
    """
    window = max(1, min(hops, (count - 1) // 2))
    return [
        total(math.cos(2.0 * math.pi * k * h / count) for h in range(1, window + 1)) / window
        for k in range(count)
    ]


def averaging_matrix(weights: Sequence[float], hops: int) -> NDArray[np.float64]:
    """Return the matrix M of a ring whose gaps are in proportion to the weights of its arcs.

    The rate of ``spacing_correction`` is linear in the rates of the neighbours, with the weights
    of the average.

    Args:
        weights: Weight of the arc from each agent to the next, above 0; at least 2.
        hops: Neighbours on either side.

    Returns:
        Shape (N, N); rows sum to 1.
    """
    count, whole = len(weights), sum(weights)
    places = [TURN * part / whole for part in accumulate(weights[:-1], initial=0.0)]
    matrix, rates = np.zeros((count, count)), [0.0] * count
    for j in range(count):
        rates[j] = 1.0
        for i in {(j + h) % count for h in range(-hops, hops + 1)} - {j}:
            matrix[i, j] = spacing_correction(places, rates, weights, i, 0.0, hops).rate
        rates[j] = 0.0
    return matrix


def ring_factors(weights: Sequence[float], hops: int) -> list[complex]:
    """Return the factor of every mode of a weighted ring, the rotation of the whole first.

    Args:
        weights: As of ``averaging_matrix``.
        hops: Neighbours on either side.
    """
    factors = np.linalg.eigvals(averaging_matrix(weights, hops))
    rotation = int(np.argmin(np.abs(factors - ROTATION)))
    return [ROTATION, *np.delete(factors, rotation).tolist()]


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
