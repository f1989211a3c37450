"""The metrics that a study can use: the figures of a summary, by the names of their columns."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.summary_figures import FIGURES, Figure, Summary

METRICS = {figure.name.replace(' ', '_'): figure for figure in FIGURES}
"""As the columns of a sweep's table."""


def metric_named(name: Any, source: str) -> Figure:
    """Return a metric.

    Raises:
        ScenarioError: There is none of this name; the message begins with ``source``.
    """
    if not isinstance(name, str) or name not in METRICS:
        raise ScenarioError(
            f'{source}: unknown metric {shown(name)}; there are {", ".join(METRICS)}'
        )
    return METRICS[name]


def metric_values(
    summary: Summary, names: Sequence[str], resolution: Mapping[str, float]
) -> dict[str, float | None]:
    """Return the values of some metrics: infinite for never, None for missing.

    Args:
        summary: Summary of a flight.
        names: Names of the metrics.
        resolution: Values of a metric below count as this one.
    """
    return {
        name: _at_least(METRICS[name].value(summary), resolution.get(name, -math.inf))
        for name in names
    }


def _at_least(value: float | None, least: float) -> float | None:
    return None if value is None or math.isnan(value) else max(value, least)
