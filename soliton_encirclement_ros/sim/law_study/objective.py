"""What tuning makes small: the weighted mean of the logarithms of some metrics.

    cost = mean over flights of  sum over metrics of  w ln(max(value, resolution)) / sum of w

It is the logarithm of a weighted geometric mean: a condition counts as much as any other, however
large its errors are, and a metric's unit does not matter.
"""

import math
from collections.abc import Mapping
from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import METRICS, metric_named
from soliton_encirclement_ros.core.run.summary import Summary
from soliton_encirclement_ros.sim.law_study.file_checks import named

SMALLEST = 1e-6
"""Resolution of a metric that the study gives none."""

PerMetric = Mapping[str, float]
"""A number above 0 by metric: its weight, or its resolution."""


def read_per_metric(content: Any, source: str) -> PerMetric:
    """Return a number for each of some metrics.

    Raises:
        ScenarioError: A metric is unknown, or a number is not above 0.
    """
    weights = named(content, source)
    for name, weight in weights.items():
        metric_named(name, source)
        good = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not (good and 0.0 < weight < math.inf):
            raise ScenarioError(f'{source}: {name} = {shown(weight)} must be a number above 0')
    return {name: float(weight) for name, weight in weights.items()}


def cost(summary: Summary | None, objective: PerMetric, resolution: PerMetric) -> float:
    """Return the cost of a flight, infinite if it failed or lacks a metric.

    Args:
        summary: Summary of the flight; None: it failed.
        objective: Weights of the metrics.
        resolution: Smaller values of a metric count as this one.
    """
    if summary is None:
        return math.inf
    weighed = (
        weight * _log(summary, name, resolution.get(name, SMALLEST))
        for name, weight in objective.items()
    )
    return sum(weighed) / sum(objective.values())


def _log(summary: Summary, name: str, resolution: float) -> float:
    metric = METRICS[name]
    value = metric.value(summary)
    if value is None or not math.isfinite(value):
        return math.inf
    size = math.log(max(value, resolution))
    return -size if metric.higher_is_better else size
