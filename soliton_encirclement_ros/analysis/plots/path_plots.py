"""Plots of where bodies flew: from above without a target, heights over time and from the side."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.plots.run_plots import (
    ABOVE_MARGINS,
    BLUE,
    COLOURS,
    MARKERS,
    MAX_LABELS,
    OVERVIEW,
    STACK_MARGINS,
    label_end,
)
from soliton_encirclement_ros.analysis.recording import Floats, Recording
from soliton_encirclement_ros.analysis.report.heights import has_heights, moving_bodies
from soliton_encirclement_ros.analysis.report.scene import SceneMotion, grid_of
from soliton_encirclement_ros.analysis.resampling import interpolated
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

HEIGHTS = 'heights.png'
SIDE_MARGINS = {**ABOVE_MARGINS, 'hspace': 0.25}


PALETTE = colormaps['tab10'].colors
"""Colours of few bodies; of many all have one."""


class Path3(NamedTuple):
    """Path of a body at even times: its label, positions [m] and speed [m/s], colour, marker."""

    label: str
    position: Floats
    speed: Floats
    colour: str | tuple[float, ...]
    marker: str


def draw_paths(folder: Path, recording: Recording, findings: Findings) -> Iterator[Path]:
    """Draw what needs no target: the flight from above if there is none, heights if they differ.

    Args:
        folder: The folder of the report.
        recording: The recording.
        findings: Its findings.
    """
    bodies = moving_bodies(recording, findings)
    if not bodies:
        return
    time = grid_of(findings.duration, len(bodies))
    paths = list(_paths(bodies, findings, time))
    if findings.settings.target is None:
        yield _draw_above(folder / OVERVIEW, time, paths, findings)
    if has_heights(bodies):
        yield _draw_heights(folder / HEIGHTS, time, paths)


def _paths(
    bodies: Mapping[str, SceneMotion], findings: Findings, time: Floats
) -> Iterator[Path3]:
    target = findings.settings.target
    down = {
        one.name for one in findings.agents if one.outages and one.outages[-1].end is None
    }  # fmt: skip
    for k, (name, moved) in enumerate(bodies.items()):
        role = TARGET if name == target else name
        position = interpolated(moved.time, moved.position, time)
        speed = interpolated(moved.time, np.hypot(*moved.velocity[:, :2].T), time)
        own = PALETTE[k] if len(bodies) <= len(PALETTE) else BLUE
        label = f'{name} (down)' if name in down else name
        yield Path3(label, position, speed, COLOURS.get(role, own), MARKERS.get(role, 'o'))


def _draw_above(path: Path, time: Floats, paths: list[Path3], findings: Findings) -> Path:
    """Draw all paths from above; beside them speeds, heights and how many were received."""
    figure = Figure(figsize=(15, 8))
    above, beside = figure.subfigures(1, 2, width_ratios=(1.1, 1.0))
    axes = above.subplots(gridspec_kw=ABOVE_MARGINS)
    _draw_plane(axes, paths, (0, 1))
    axes.set_aspect('equal', adjustable='datalim')
    axes.set_title(f'{findings.settings.scenario.name}: whole paths')
    curves = {'speed [m/s]': [one.speed for one in paths],
              'height [m]': [one.position[:, 2] for one in paths]}  # fmt: skip
    rows = beside.subplots(len(curves) + 1, sharex=True, gridspec_kw=STACK_MARGINS)
    for row, (title, values) in zip(rows, curves.items(), strict=False):
        _draw_curves(row, time, paths, values, title)
    rows[-1].step(findings.series['time'], findings.series['alive'], color=BLUE, linewidth=1.2)
    rows[-1].set_ylim(0, len(findings.agents) + 0.5)
    rows[-1].set_ylabel('agents received')
    rows[-1].grid(visible=True, alpha=0.4)
    rows[-1].set_xlabel('time [s]')
    figure.savefig(path, dpi=110)
    return path


def _draw_heights(path: Path, time: Floats, paths: list[Path3]) -> Path:
    """Draw heights over time, and the paths from the south and from the east."""
    figure = Figure(figsize=(15, 8))
    rows = figure.subplots(3, gridspec_kw=SIDE_MARGINS)
    _draw_curves(rows[0], time, paths, [one.position[:, 2] for one in paths], 'height [m]')
    rows[0].set_xlabel('time [s]')
    for axes, across in zip(rows[1:], (0, 1), strict=True):
        _draw_plane(axes, paths, (across, 2))
    figure.savefig(path, dpi=110)
    return path


def _draw_plane(axes: Axes, paths: list[Path3], plane: tuple[int, int]) -> None:
    """Draw paths and their ends in a plane of two axes, with the names of bodies."""
    labels = 'east [m]', 'north [m]', 'height [m]'
    for one in paths:
        x, y = one.position[:, plane].T
        axes.plot(x, y, color=one.colour, linewidth=1.2, alpha=0.7)
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if not len(known):
            continue
        end = x[known[-1]], y[known[-1]]
        axes.plot(*end, color=one.colour, marker=one.marker, markersize=9)
        if len(paths) <= MAX_LABELS:
            label_end(axes, one.label, end, one.colour)
    axes.set_xlabel(labels[plane[0]])
    axes.set_ylabel(labels[plane[1]])
    axes.grid(visible=True, alpha=0.3)


def _draw_curves(
    axes: Axes, time: Floats, paths: list[Path3], values: list[Floats], title: str
) -> None:
    for one, value in zip(paths, values, strict=True):
        axes.plot(time, value, color=one.colour, linewidth=1.2)
    axes.set_ylabel(title)
    axes.grid(visible=True, alpha=0.4)
