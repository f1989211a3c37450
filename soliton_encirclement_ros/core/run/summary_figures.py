"""The figures by which runs are compared: their keys in a summary, and which value is better."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, METRIC_UNITS
from soliton_encirclement_ros.core.run.figures.command_effort import CHANGE, JERK
from soliton_encirclement_ros.core.run.figures.steady_means import STEADY
from soliton_encirclement_ros.core.run.sample_statistics import is_better
from soliton_encirclement_ros.core.run.separation.filter_tally import SHARE
from soliton_encirclement_ros.core.run.separation.near_misses import RATES, THRESHOLDS

Summary = Mapping[str, Any]


class Figure(NamedTuple):
    """One figure of a run.

    ``value`` takes it from a summary: infinite where the expected event never happened, None
    where no event was expected.
    """

    name: str
    unit: str
    value: Callable[[Summary], float | None]
    higher_is_better: bool = False

    @property
    def label(self) -> str:
        """Name and unit."""
        return f'{self.name} [{self.unit}]' if self.unit else self.name

    def better(self, a: float, b: float) -> bool:
        """Say whether a value is better than another."""
        return is_better(a, b, self.higher_is_better)


def _plain(key: str) -> Callable[[Summary], float | None]:
    return lambda summary: summary.get(key)


def _percent(key: str) -> Callable[[Summary], float | None]:
    def value(summary: Summary) -> float | None:
        share = summary.get(key)
        return None if share is None else 100.0 * share

    return value


def _mean(name: str) -> Callable[[Summary], float | None]:
    return lambda summary: summary.get('metrics_mean', {}).get(name)


def _steady(name: str) -> Callable[[Summary], float | None]:
    return lambda summary: (summary.get(STEADY) or {}).get(name)


def _settling(summary: Summary) -> float | None:
    value = summary.get('settling_time_s')
    return math.inf if value is None else value


def _closing(kind: str) -> Callable[[Summary], float | None]:
    def value(summary: Summary) -> float | None:
        found = summary.get(f'time_to_close_after_{kind}_s')
        return math.inf if found is None and summary.get(f'unclosed_after_{kind}') else found

    return value


def _closed_share(kind: str) -> Callable[[Summary], float | None]:
    def value(summary: Summary) -> float | None:
        closed = summary.get(f'closed_after_{kind}') or 0
        events = closed + (summary.get(f'unclosed_after_{kind}') or 0)
        return 100.0 * closed / events if events else None

    return value


def _after(kind: str) -> tuple[Figure, ...]:
    return (
        Figure(f'time to close after {kind}', 's', _closing(kind)),
        Figure(f'closed after {kind}', '%', _closed_share(kind), higher_is_better=True),
        Figure(f'peak G_max after {kind}', '', _plain(f'peak_G_max_after_{kind}')),
    )


FIGURES = (
    *(
        Figure(name, unit, _mean(name))
        for name, unit in sorted(
            zip(METRIC_NAMES, METRIC_UNITS, strict=True), key=lambda pair: pair[0] != 'E_gap'
        )
    ),
    *(Figure(f'{name} steady', '', _steady(name)) for name in ('E_gap', 'E_wgap', 'E_r')),
    Figure('settling time', 's', _settling),
    *_after('failure'),
    *_after('recovery'),
    Figure('neighbour switches', '1/min', _plain('neighbour_switches_per_min')),
    Figure('min separation', 'm', _plain('min_separation_m'), higher_is_better=True),
    *(
        Figure(f'near misses below {distance:g} m', '1/min', _plain(key))
        for distance, key in zip(THRESHOLDS, RATES, strict=True)
    ),
    Figure('command change', 'm/s', _plain(CHANGE)),
    Figure('command jerk', 'm/s^3', _plain(JERK)),
    Figure('filtered commands', '%', _percent(SHARE)),
)
"""All figures, in the order of the table; the metrics are means of the last fifth of a run,
the steady ones of all samples long after a failure or a return."""

WEIGHTED = {'E_wgap': 'E_gap', 'E_wgap steady': 'E_gap steady'}
"""The figures that say something of their own on a ring with uneven weights only."""

PAIRED = tuple(figure for figure in FIGURES if figure.name in ('E_gap', 'E_r'))
"""The figures that are compared seed by seed."""
