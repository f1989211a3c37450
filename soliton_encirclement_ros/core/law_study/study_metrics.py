"""The metrics that a study can use: the figures of a summary, by the names of their columns."""

import math
from collections.abc import Mapping
from typing import Any

from velocity_mobility_ros.core.shown import shown

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


def metric_values(summary: Summary, names: Mapping[str, Any] | tuple[str, ...]) -> dict[str, Any]:
    """Return the values of some metrics: infinite for never, None for missing."""
    found = {name: METRICS[name].value(summary) for name in names}
    return {name: None if value is None or math.isnan(value) else value
            for name, value in found.items()}  # fmt: skip
