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
    draw_alive,
    label_end,
    save_picture,
    show_numbers,
    shown_name,
)
from soliton_encirclement_ros.analysis.recording import Floats, Motion, Recording
from soliton_encirclement_ros.analysis.report.viewer_data import (
    grid_of,
    has_heights,
    moving_bodies,
)
from soliton_encirclement_ros.analysis.resampling import interpolated
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

HEIGHTS = 'heights.png'
SIDE_MARGINS = {'left': 0.06, 'right': 0.85, 'bottom': 0.075, 'top': 0.95, 'hspace': 0.4}

# Those of tab10 that do not look like target, adversary, or a body that is down.
PALETTE = [colormaps['tab10'].colors[i] for i in (0, 4, 5, 6, 7, 8, 9)]
STYLES = ('-', '--', ':')
"""Agents differ in colour, beyond those of the palette also in style."""

MAX_LEGEND = 40
"""Upper limit of bodies in a legend."""


class Path3(NamedTuple):
    """Path of a body at even times: its label, positions [m] and speed [m/s], and its look."""

    label: str
    position: Floats
    speed: Floats
    colour: str | tuple[float, ...]
    style: str
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
    bodies: Mapping[str, Motion], findings: Findings, time: Floats
) -> Iterator[Path3]:
    target = findings.settings.target
    down = {
        one.name for one in findings.agents if one.outages and one.outages[-1].end is None
    }  # fmt: skip
    for k, (name, moved) in enumerate(bodies.items()):
        role = TARGET if name == target else name
        position = interpolated(moved.time, moved.position, time)
        speed = interpolated(moved.time, np.linalg.norm(moved.velocity, axis=1), time)
        label = f'{name} (down)' if name in down else name
        own = PALETTE[k % len(PALETTE)], STYLES[k // len(PALETTE) % len(STYLES)], 'o'
        look = (COLOURS[role], '-', MARKERS[role]) if role in COLOURS else own
        yield Path3(label, position, speed, *look)


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
    draw_alive(rows[-1], findings.series, BLUE, len(findings.agents))
    rows[-1].set_ylabel('agents received')
    rows[-1].set_xlabel('time [s]')
    save_picture(figure, path)
    return path


def _draw_heights(path: Path, time: Floats, paths: list[Path3]) -> Path:
    """Draw heights over time, and the paths from the south and from the east."""
    figure = Figure(figsize=(15, 8))
    rows = figure.subplots(3, gridspec_kw=SIDE_MARGINS)
    _draw_curves(rows[0], time, paths, [one.position[:, 2] for one in paths], 'height [m]')
    rows[0].set_xlabel('time [s]')
    for axes, across, side in zip(rows[1:], (0, 1), ('south', 'east'), strict=True):
        _draw_plane(axes, paths, (across, 2))
        axes.set_title(f'from the {side}', fontsize=9, loc='left')
    if len(paths) <= MAX_LEGEND:
        names = [shown_name(one.label) for one in paths]
        figure.legend(rows[0].lines, names, loc='upper left', bbox_to_anchor=(0.86, 0.96))
    save_picture(figure, path)
    return path


def _draw_plane(axes: Axes, paths: list[Path3], plane: tuple[int, int]) -> None:
    """Draw paths and their ends in a plane of two axes, with the names of bodies."""
    labels = 'east [m]', 'north [m]', 'height [m]'
    for one in paths:
        axes.plot(*one.position[:, plane].T, one.style, color=one.colour, linewidth=1.2, alpha=0.7)
    for one in paths:
        known = np.flatnonzero(np.isfinite(one.position).all(axis=1))
        if not len(known):
            continue
        end = tuple(one.position[known[-1], plane])
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
        axes.plot(time, value, one.style, color=one.colour, linewidth=1.2)
    axes.set_ylabel(title)
    axes.grid(visible=True, alpha=0.4)
    show_numbers(axes)
