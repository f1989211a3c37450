"""The five metrics of encirclement quality (horizontal plane).

E_r   = sqrt(mean((r_j / R - 1)^2))             radial error
E_vr  = sqrt(mean(vr_j^2))              [m/s]   radial speed relative to the target
rho   = |mean(exp(i theta_j))|                  order parameter: 0 even, 1 bunched
G_max = max gap / (2 pi / M)                    worst arc
E_gap = sqrt(mean((gap_k / (2 pi / M) - 1)^2))  spacing error
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.frames import TURN
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.ring.metric_texts import METRIC_TEXTS
from soliton_encirclement_ros.core.ring.plane import bearing, length
from soliton_encirclement_ros.core.states.states import AgentState

TOO_CLOSE = 1e-9
"""An agent closer to the target than this [m] has no bearing and is left out."""


class Metrics(NamedTuple):
    """The five metrics; all NaN if no agent has a bearing: an empty ring is not perfect."""

    E_r: float
    E_vr: float
    rho: float
    G_max: float
    E_gap: float


METRIC_NAMES = Metrics._fields
METRIC_UNITS = tuple(METRIC_TEXTS[name].unit for name in METRIC_NAMES)


class BodyFigures(NamedTuple):
    """One agent relative to the target; all NaN for an agent that is left out.

    ``radial`` is ``r / R - 1``, ``speed`` [m/s] the radial speed, ``theta`` [rad] the bearing.
    """

    radial: float
    speed: float
    theta: float


def encirclement_metrics(
    agents: Sequence[AgentState],
    target_position: Vector,
    target_velocity: Vector,
    radius: float,
) -> Metrics:
    """Return the metrics of a swarm.

    Args:
        agents: States of the live agents; the order fixes the order of summation.
        target_position: Position of the target [m].
        target_velocity: Velocity of the target [m/s].
        radius: Desired radius [m].
    """
    bodies = [
        body_figures(
            agent.position[0] - target_position[0],
            agent.position[1] - target_position[1],
            agent.velocity[0] - target_velocity[0],
            agent.velocity[1] - target_velocity[1],
            radius,
        )
        for agent in agents
    ]
    bodies = [body for body in bodies if not math.isnan(body.theta)]
    thetas = [body.theta for body in bodies]
    return ring_metrics(
        [body.radial for body in bodies], [body.speed for body in bodies], thetas, sorted(thetas)
    )


def body_figures(dx: float, dy: float, dvx: float, dvy: float, radius: float) -> BodyFigures:
    """Return one agent's values relative to the target.

    Args:
        dx: Its offset from the target, east [m].
        dy: The same, north [m].
        dvx: Its velocity relative to the target, east [m/s].
        dvy: The same, north [m/s].
        radius: Desired radius [m].
    """
    r = length(dx, dy)
    if not math.isfinite(r) or r <= TOO_CLOSE:
        return BodyFigures(math.nan, math.nan, math.nan)
    return BodyFigures(r / radius - 1.0, dvx * (dx / r) + dvy * (dy / r), bearing(dx, dy))


def ring_metrics(
    radial: Sequence[float],
    speed: Sequence[float],
    thetas: Sequence[float],
    ring: Sequence[float],
) -> Metrics:
    """Return the metrics of the agents that are not left out, lists or float64 arrays.

    Args:
        radial: ``r / R - 1`` of every agent.
        speed: Their radial speeds [m/s], same order.
        thetas: Their bearings [rad], same order.
        ring: Their bearings [rad], ascending.
    """
    if len(thetas) == 0:
        return Metrics(math.nan, math.nan, math.nan, math.nan, math.nan)
    worst, uneven = gap_figures(ring)
    return Metrics(
        root_mean_square(radial),
        root_mean_square(speed),
        order_parameter(thetas),
        worst,
        uneven,
    )


def root_mean_square(values: Sequence[float]) -> float:
    """Return the RMS of the finite values, 0 without any."""
    squares, count = 0.0, 0
    for value in values:
        if math.isfinite(value):
            squares += value * value
            count += 1
    return math.sqrt(squares / count) if count > 0 else 0.0


def order_parameter(thetas: Sequence[float]) -> float:
    """Return Kuramoto's order parameter of some angles [rad]."""
    x = y = 0.0
    for theta in thetas:
        x += math.cos(theta)
        y += math.sin(theta)
    return length(x / len(thetas), y / len(thetas))


def gap_figures(ring: Sequence[float]) -> tuple[float, float]:
    """Return G_max and E_gap of some bearings [rad], at least one, in ascending order."""
    even, last = TURN / len(ring), len(ring) - 1
    worst = squares = 0.0
    for k in range(len(ring)):
        after = ring[k + 1] if k < last else ring[0] + TURN
        ratio = (after - ring[k]) / even
        worst = max(worst, ratio)
        squares += (ratio - 1.0) * (ratio - 1.0)
    return worst, math.sqrt(squares / len(ring))
