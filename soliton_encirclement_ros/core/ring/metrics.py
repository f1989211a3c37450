"""The metrics of encirclement quality (horizontal plane), and their names.

E_r    = sqrt(mean((r_j / R - 1)^2))                  radial error
E_vr   = sqrt(mean(vr_j^2))                   [m/s]   radial speed relative to the target
rho    = |mean(exp(i theta_j))|                       order parameter: 0 even, 1 bunched
G_max  = max gap / (2 pi / M)                         worst arc
E_gap  = sqrt(mean((gap_k / (2 pi / M) - 1)^2))       spacing error
E_wgap = sqrt(mean((gap_k / (2 pi w_k / W) - 1)^2))   spacing error of a weighted ring

w_k is the weight of the arc that the k-th gap belongs to, W the sum of all M. With equal weights
E_wgap is E_gap; the first five are those of the original experiment.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.ring.ring_geometry import bearing, length
from soliton_encirclement_ros.core.states.received_states import CachedAgent
from soliton_encirclement_ros.core.states.states import AgentState
from velocity_mobility_ros.core.coordinate_frames import TURN
from velocity_mobility_ros.core.velocity_model import Vector


class MetricText(NamedTuple):
    """How one quantity is shown.

    Attributes:
        symbol: Its name on a page.
        title: Its name, in two or three words.
        definition: Its definition, in one line, for the columns of tables.
        unit: SI unit, empty for a bare number.
        even: Which value an even ring has, None where that goes without saying: 0.
        formula: Its formula in plain characters, empty where there is none.
        tex: The same for pictures, in the mathematical text of matplotlib.
    """

    symbol: str
    title: str
    definition: str
    unit: str = ''
    even: float | None = None
    formula: str = ''
    tex: str = ''

    @property
    def meaning(self) -> str:
        """The title and, if it is told, the value of an even ring."""
        return self.title if self.even is None else f'{self.title}, {self.even:g} is even'


METRIC_TEXTS = {
    'E_r': MetricText(
        symbol='Eᵣ',
        title='radial error',
        definition='radial error: RMS of r / R - 1',
        formula='√ mean (r/R − 1)²',
        tex=r'$\sqrt{\frac{1}{M}\sum_j (r_j/R - 1)^2}$',
    ),
    'E_vr': MetricText(
        unit='m/s',
        symbol='Eᵥᵣ',
        title='radial speed',
        definition='RMS of the radial speeds relative to the target',
        formula='√ mean vᵣ²',
        tex=r'$\sqrt{\frac{1}{M}\sum_j v_{r,j}^2}$',
    ),
    'rho': MetricText(
        symbol='ρ',
        title='order parameter',
        even=0.0,
        definition='order parameter of the bearings: 0 even, 1 bunched',
        formula='| mean exp(iθ) |',
        tex=r'$|\frac{1}{M}\sum_j e^{i\theta_j}|$',
    ),
    'G_max': MetricText(
        symbol='G max',
        title='largest gap',
        even=1.0,
        definition='largest gap between neighbours over the even gap',
        formula='max Δθ / (2π/M)',
        tex=r'$\max_k \Delta\theta_k \,/\, (2\pi/M)$',
    ),
    'E_gap': MetricText(
        symbol='E gap',
        title='spacing error',
        definition='spacing error: RMS of gap over the even gap - 1',
        formula='√ mean (Δθ / (2π/M) − 1)²',
        tex=r'$\sqrt{\frac{1}{M}\sum_k (\Delta\theta_k/(2\pi/M) - 1)^2}$',
    ),
    'E_wgap': MetricText(
        symbol='E wgap',
        title='weighted spacing error',
        definition='spacing error of a weighted ring: RMS of gap over its share by weight - 1',
        formula='√ mean (Δθ / (2π wₖ/W) − 1)²',
        tex=r'$\sqrt{\frac{1}{M}\sum_k (\Delta\theta_k/(2\pi w_k/W) - 1)^2}$',
    ),
}
"""The metrics of the ring, by name, in the order of every table."""

SAMPLE_TEXTS = {
    **METRIC_TEXTS,
    'alive': MetricText(
        symbol='Alive', title='agents received', definition='agents received'
    ),
    'min_separation': MetricText(
        unit='m',
        symbol='Separation',
        title='smallest distance of two agents',
        definition='smallest distance of two agents',
    ),
}
"""All that a sample of the swarm holds besides its time."""

FILTERED_TEXT = MetricText(
    symbol='Filtered',
    title='share of agents whose command the separation filter changes',
    definition='share of agents in flight whose command the separation filter changes',
)

SCALES = 'E_gap 0.1: gaps differ by 10 % (RMS) from even ones; E_r 0.1: 10 % of the radius'
"""Scales of the two errors."""


def shown_metrics(names: Iterable[str], values: Mapping[str, Sequence[float | None]]) -> list[str]:
    """Return names of metrics without ``E_wgap`` if all weights are even: it says what E_gap says.

    Args:
        names: Names, in their order.
        values: Values of ``E_gap`` and ``E_wgap``, any number of both.
    """
    pairs = zip(values['E_gap'], values['E_wgap'], strict=True)
    is_even = all(
        gap == weighted or (gap != gap and weighted != weighted) for gap, weighted in pairs
    )
    return [name for name in names if not (is_even and name == 'E_wgap')]


TOO_CLOSE = 1e-9
"""An agent closer to the target than this [m] has no bearing and is left out."""


class Metrics(NamedTuple):
    """The metrics; all NaN if no agent has a bearing: an empty ring is not perfect."""

    E_r: float
    E_vr: float
    rho: float
    G_max: float
    E_gap: float
    E_wgap: float


METRIC_NAMES = Metrics._fields
METRIC_UNITS = tuple(METRIC_TEXTS[name].unit for name in METRIC_NAMES)


class BodyFigures(NamedTuple):
    """One agent relative to the target; all NaN for an agent that is left out.

    ``radial`` is ``r / R - 1``, ``speed`` [m/s] the radial speed, ``theta`` [rad] the bearing.
    """

    radial: float
    speed: float
    theta: float


RADIAL, SPEED, THETA, WEIGHT, RING, ARCS = range(6)
FIGURES = 6
"""Rows of the values of agents that have a bearing: those of ``BodyFigures`` and the weight of the
arc that begins there, in the order of summation; bearings and weights in the order of the ring.
One array: compiled functions pass every array of the memory on."""


def space_for_figures(agents: int) -> list[list[float]]:
    """Return space for the values of some agents."""
    return [[0.0] * agents for _ in range(FIGURES)]


def encirclement_metrics(
    agents: Sequence[AgentState],
    target_position: Vector,
    target_velocity: Vector,
    radius: float,
    weights: Sequence[tuple[int, float]] = (),
) -> Metrics:
    """Return the metrics of a swarm.

    Args:
        agents: States of the live agents; the order fixes the order of summation.
        target_position: Position of the target [m].
        target_velocity: Velocity of the target [m/s].
        radius: Desired radius [m].
        weights: Weights of the arcs by the number of the agent at their start; others have 1.
    """
    weight, count = dict(weights), len(agents)
    rows = [CachedAgent(*agent.position[:2], *agent.velocity[:2]) for agent in agents]
    own = [weight.get(agent.agent_id, math.nan) for agent in agents]
    motion = *target_position, *target_velocity
    space = space_for_figures(count)
    return measure_agents(rows, range(count), count, motion, radius, own, space)


def measure_agents(
    rows: Any, order: Any, count: int, target: Sequence[float], radius: float,
    weights: Any, space: Any,
) -> Metrics:  # fmt: skip
    """Return the metrics of agents as cached; see ``gather_figures``."""
    known = gather_figures(rows, order, count, target, radius, weights, space)
    sort_arcs(space, sorted(range(known), key=space[THETA].__getitem__), known)
    return ring_metrics(space, known)


def gather_figures(
    rows: Any, order: Any, count: int, target: Sequence[float], radius: float, weights: Any,
    space: Any,
) -> int:  # fmt: skip
    """Gather the values of the agents that have a bearing; return how many have one.

    Args:
        rows: The agents (``received_states.CachedAgent``) by number.
        order: Their numbers, in the order of summation.
        count: How many there are.
        target: Position [m] and velocity [m/s] of the target.
        radius: Desired radius [m].
        weights: Weights of the arcs by the number of the agent at their start; NaN: none, so 1.
        space: Space for as many agents.
    """
    radial, speed, theta, arc_weight = space[RADIAL], space[SPEED], space[THETA], space[WEIGHT]
    known = 0
    for p in range(count):
        j = order[p]
        agent, weight = rows[j], weights[j]
        figures = body_figures(
            agent.x - target[0], agent.y - target[1], agent.vx - target[3], agent.vy - target[4],
            radius,
        )  # fmt: skip
        if not math.isnan(figures.theta):
            radial[known], speed[known], theta[known] = figures
            arc_weight[known] = 1.0 if math.isnan(weight) else weight
            known += 1
    return known


def sort_arcs(space: Any, order: Sequence[int], known: int) -> None:
    """List bearings and weights of the agents that have a bearing in the order of the ring."""
    theta, weight, ring, arcs = space[THETA], space[WEIGHT], space[RING], space[ARCS]
    for p in range(known):
        ring[p], arcs[p] = theta[order[p]], weight[order[p]]


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


def ring_metrics(space: Any, known: int) -> Metrics:
    """Return the metrics of the agents that have a bearing.

    Args:
        space: Their values, those of the arcs in the order of the ring.
        known: How many there are.
    """
    if known == 0:
        return Metrics(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan)
    worst, uneven, weighted = gap_figures(space[RING][:known], space[ARCS][:known])
    return Metrics(
        root_mean_square(space[RADIAL][:known]),
        root_mean_square(space[SPEED][:known]),
        order_parameter(space[THETA][:known]),
        worst,
        uneven,
        weighted,
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


def gap_figures(ring: Sequence[float], weights: Sequence[float]) -> tuple[float, float, float]:
    """Return G_max, E_gap and E_wgap of some agents, at least one.

    Args:
        ring: Their bearings [rad], ascending.
        weights: Weights of the arcs that begin there, same order, above 0.
    """
    even, last, whole = TURN / len(ring), len(ring) - 1, 0.0
    for weight in weights:
        whole += weight
    worst = squares = weighted = 0.0
    for k in range(len(ring)):
        after = ring[k + 1] if k < last else ring[0] + TURN
        ratio = (after - ring[k]) / even
        worst = max(worst, ratio)
        squares += (ratio - 1.0) * (ratio - 1.0)
        ratio /= weights[k] * len(ring) / whole
        weighted += (ratio - 1.0) * (ratio - 1.0)
    return worst, math.sqrt(squares / len(ring)), math.sqrt(weighted / len(ring))
