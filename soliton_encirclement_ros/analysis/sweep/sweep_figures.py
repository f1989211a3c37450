"""The figures of a sweep's runs as columns: those of a comparison, then those of a study.

A value is infinite if the event never happened, for example settling. It is None if missing: no
such event was expected, or there is no data.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.core.run.sample_statistics import is_better
from soliton_encirclement_ros.core.run.summary_figures import FIGURES
from soliton_encirclement_ros.core.run.sweep_runs import SweptRun

HIGHER_IS_BETTER = ('M7_settled_frac',)
"""Figures of a study for which higher is better."""


class FigureColumn(NamedTuple):
    """One figure: the name of its column, its unit, and which way is better."""

    name: str
    unit: str
    higher_is_better: bool

    def better(self, a: float, b: float) -> bool:
        """Return whether a value is better than another."""
        return is_better(a, b, self.higher_is_better)


Values = Mapping[str, float | None]


def columns_of(runs: Iterable[SweptRun]) -> list[FigureColumn]:
    """Return the columns with values in any run."""
    own = [FigureColumn(f.name.replace(' ', '_'), f.unit, f.higher_is_better) for f in FIGURES]
    studied = dict.fromkeys(name for run in runs for name in run.study)
    return own + [FigureColumn(name, '', name.endswith(HIGHER_IS_BETTER)) for name in studied]


def values_of(run: SweptRun) -> Values:
    """Return the value of every column of a run."""
    own = {figure.name.replace(' ', '_'): figure.value(run.summary) for figure in FIGURES}
    return {name: _clean(value) for name, value in {**own, **run.study}.items()}


def _clean(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
