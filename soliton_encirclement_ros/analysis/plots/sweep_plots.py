"""Draws all plots of a sweep."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from soliton_encirclement_ros.analysis.plots.sweep_boxes import draw_boxes
from soliton_encirclement_ros.analysis.plots.sweep_curves import draw_curves
from soliton_encirclement_ros.analysis.plots.sweep_heat_map import draw_heat_map
from soliton_encirclement_ros.analysis.sweep.sweep_tables import MeasuredFigures
from soliton_encirclement_ros.core.run.sweep_runs import Curves, SweptRun

HEAT_MAP, BOXES, CURVES = 'heat_map.png', 'boxes.png', 'convergence.png'


def draw_sweep(
    folder: Path, title: str, runs: Sequence[MeasuredFigures], curves: Callable[[SweptRun], Curves]
) -> Iterator[Path]:
    """Draw the plots of a sweep, one at a time; the heat map only if two parameters vary.

    Args:
        folder: Output folder.
        title: Title of the plots.
        runs: Finished runs, at least one.
        curves: Returns the curves of a run.
    """
    if draw_heat_map(folder / HEAT_MAP, title, runs):
        yield folder / HEAT_MAP
    draw_boxes(folder / BOXES, title, runs)
    yield folder / BOXES
    draw_curves(folder / CURVES, title, runs, curves)
    yield folder / CURVES
