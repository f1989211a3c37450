"""Groups the runs of a sweep for its plots: by colour, box or cell."""

from collections.abc import Callable, Sequence
from typing import Any

from soliton_encirclement_ros.analysis.sweep.sweep_tables import MeasuredFigures
from soliton_encirclement_ros.core.run.sample_statistics import median
from soliton_encirclement_ros.core.run.sweep_runs import CONTROLLER, shown

Grouped = dict[str, list[MeasuredFigures]]


def varied(runs: Sequence[MeasuredFigures]) -> dict[str, list[Any]]:
    """Return the parameters that take more than one value, with their values in order."""
    found: dict[str, list[Any]] = {}
    for key in runs[0].run.point.values if runs else ():
        values = list(dict.fromkeys(one.run.point.values[key] for one in runs))
        if len(values) > 1:
            found[key] = sorted(values) if all(map(is_number, values)) else values
    return found


def groups(runs: Sequence[MeasuredFigures], most: int) -> Grouped:
    """Return the runs in at most ``most`` groups.

    Grouped by point, else by law, else by another parameter, the first that fits; else one group.
    """
    if len({one.run.point.number for one in runs}) <= most:
        return _by(runs, lambda one: one.run.point.label)
    keys = varied(runs)
    for key in sorted(keys, key=lambda key: (key != CONTROLLER, -len(keys[key]))):
        if len(keys[key]) <= most:
            short = key.partition('.')[2]
            found = {
                f'{short} {shown(value)}': [o for o in runs if o.run.point.values[key] == value]
                for value in keys[key]
            }
            return found
    return {'all points': list(runs)}


def middle(runs: Sequence[MeasuredFigures], figure: str) -> float | None:
    """Return the median of a figure over the runs that have it, None if none has."""
    return median([v for v in (one.values.get(figure) for one in runs) if v is not None])


def _by(runs: Sequence[MeasuredFigures], label: Callable[[MeasuredFigures], str]) -> Grouped:
    found: Grouped = {}
    for one in runs:
        found.setdefault(label(one), []).append(one)
    return found


def is_number(value: Any) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)
