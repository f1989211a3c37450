"""What the quantities of a sample of the swarm are called: the one place for tables and pictures.

M agents at distance r and bearing theta from the target, with gaps of ``dtheta`` between
neighbours on the ring; R is the wanted radius, w_k the weight of an arc and W the sum of all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class MetricText(NamedTuple):
    """How one quantity is shown.

    Attributes:
        unit: SI unit, empty for a bare number.
        symbol: Its name on a page.
        title: What it is, in two or three words.
        even: Which value an even ring has, None where that goes without saying: 0.
        definition: What it is, in one line, for the columns of tables.
        formula: Its formula in plain characters, empty where there is none.
        tex: The same for pictures, in the mathematical text of matplotlib.
    """

    unit: str
    symbol: str
    title: str
    even: float | None
    definition: str
    formula: str = ''
    tex: str = ''

    @property
    def meaning(self) -> str:
        """The title and, if it is told, the value of an even ring."""
        return self.title if self.even is None else f'{self.title}, {self.even:g} is even'


METRIC_TEXTS = {
    'E_r': MetricText(
        unit='',
        symbol='Eᵣ',
        title='radial error',
        even=None,
        definition='radial error: RMS of r / R - 1',
        formula='√ mean (r/R − 1)²',
        tex=r'$\sqrt{\frac{1}{M}\sum_j (r_j/R - 1)^2}$',
    ),
    'E_vr': MetricText(
        unit='m/s',
        symbol='Eᵥᵣ',
        title='radial speed',
        even=None,
        definition='RMS of the radial speeds relative to the target',
        formula='√ mean vᵣ²',
        tex=r'$\sqrt{\frac{1}{M}\sum_j v_{r,j}^2}$',
    ),
    'rho': MetricText(
        unit='',
        symbol='ρ',
        title='order parameter',
        even=0.0,
        definition='order parameter of the bearings: 0 even, 1 bunched',
        formula='| mean exp(iθ) |',
        tex=r'$|\frac{1}{M}\sum_j e^{i\theta_j}|$',
    ),
    'G_max': MetricText(
        unit='',
        symbol='G max',
        title='largest gap',
        even=1.0,
        definition='largest gap between neighbours over the even gap',
        formula='max Δθ / (2π/M)',
        tex=r'$\max_k \Delta\theta_k \,/\, (2\pi/M)$',
    ),
    'E_gap': MetricText(
        unit='',
        symbol='E gap',
        title='spacing error',
        even=None,
        definition='spacing error: RMS of gap over the even gap - 1',
        formula='√ mean (Δθ / (2π/M) − 1)²',
        tex=r'$\sqrt{\frac{1}{M}\sum_k (\Delta\theta_k/(2\pi/M) - 1)^2}$',
    ),
    'E_wgap': MetricText(
        unit='',
        symbol='E wgap',
        title='weighted spacing error',
        even=None,
        definition='spacing error of a weighted ring: RMS of gap over its share by weight - 1',
        formula='√ mean (Δθ / (2π wₖ/W) − 1)²',
        tex=r'$\sqrt{\frac{1}{M}\sum_k (\Delta\theta_k/(2\pi w_k/W) - 1)^2}$',
    ),
}
"""The metrics of the ring, by name, in the order of every table."""

SAMPLE_TEXTS = {
    **METRIC_TEXTS,
    'alive': MetricText(
        unit='', symbol='Alive', title='agents received', even=None, definition='agents received'
    ),
    'min_separation': MetricText(
        unit='m',
        symbol='Separation',
        title='smallest distance of two agents',
        even=None,
        definition='smallest distance of two agents',
    ),
}
"""All that a sample of the swarm holds besides its time."""

FILTERED_TEXT = MetricText(
    unit='',
    symbol='Filtered',
    title='share of agents whose command the separation filter changes',
    even=None,
    definition='share of agents in flight whose command the separation filter changes',
)

SCALES = 'E_gap 0.1: gaps differ by 10 % (RMS) from even ones; E_r 0.1: 10 % of the radius'
"""What the numbers of the two errors mean."""


def told_metrics(names: Iterable[str], values: Mapping[str, Sequence[float | None]]) -> list[str]:
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
