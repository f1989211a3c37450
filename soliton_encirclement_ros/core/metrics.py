"""The five numbers that say how well a target is encircled (horizontal plane).

    E_r   = sqrt(mean((r_j / R - 1)^2))             radial error
    E_vr  = sqrt(mean(vr_j^2))              [m/s]   radial speed relative to the target
    rho   = |mean(exp(i theta_j))|                  order parameter: 0 even, 1 bunched
    G_max = max gap / (2 pi / M)                    worst arc
    E_gap = sqrt(mean((gap_k / (2 pi / M) - 1)^2))  spacing error
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.plane import bearing, length
from soliton_encirclement_ros.core.states import AgentState
from soliton_encirclement_ros.core.sums import total

TOO_CLOSE = 1e-9
"""An agent closer to the target than this [m] has no direction and is left out."""

TURN = 2.0 * math.pi


class Metrics(NamedTuple):
    """The five metrics; all zero when nobody is there."""

    E_r: float
    E_vr: float
    rho: float
    G_max: float
    E_gap: float


METRIC_NAMES = Metrics._fields
METRIC_UNITS = ('', 'm/s', '', '', '')


def encirclement_metrics(
    agents: Sequence[AgentState],
    target_position: Vector,
    target_velocity: Vector,
    radius: float,
) -> Metrics:
    """Return the metrics of a swarm.

    Args:
        agents: States of the live agents; the order fixes the order of summation.
        target_position: Where the target is [m].
        target_velocity: How it moves [m/s].
        radius: Wanted radius [m].
    """
    radial, speed, thetas = [], [], []
    for agent in agents:
        dx = agent.position[0] - target_position[0]
        dy = agent.position[1] - target_position[1]
        r = length(dx, dy)
        if not math.isfinite(r) or r <= TOO_CLOSE:
            continue
        dvx = agent.velocity[0] - target_velocity[0]
        dvy = agent.velocity[1] - target_velocity[1]
        radial.append(r / radius - 1.0)
        speed.append(dvx * (dx / r) + dvy * (dy / r))
        thetas.append(bearing(dx, dy))
    if not thetas:
        return Metrics(0.0, 0.0, 0.0, 0.0, 0.0)
    ratios = gap_ratios(thetas)
    return Metrics(
        root_mean_square(radial),
        root_mean_square(speed),
        order_parameter(thetas),
        max(0.0, max(ratios)),
        root_mean_square([ratio - 1.0 for ratio in ratios]),
    )


def root_mean_square(values: Sequence[float]) -> float:
    """Return the RMS of the finite values, 0 without any."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return 0.0
    return math.sqrt(total(value * value for value in finite) / len(finite))


def order_parameter(thetas: Sequence[float]) -> float:
    """Return Kuramoto's order parameter of some angles [rad]."""
    count = len(thetas)
    return length(
        total(math.cos(theta) for theta in thetas) / count,
        total(math.sin(theta) for theta in thetas) / count,
    )


def gap_ratios(thetas: Sequence[float]) -> list[float]:
    """Return every arc of the ring in units of the even arc ``2 pi / M``."""
    ring = sorted(thetas)
    even = TURN / len(ring)
    gaps = [after - before for before, after in pairwise(ring)]
    gaps.append((ring[0] + TURN) - ring[-1])
    return [gap / even for gap in gaps]
