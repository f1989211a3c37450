"""Plots of a run: one per metric, named as in the original experiment, and an overview.

Answers of vehicles to the same commands are drawn likewise. Pictures are files that are whole, or
not there.
"""

import io
import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import with_gaps
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.ring.metrics import METRIC_TEXTS, SAMPLE_TEXTS, shown_metrics
from soliton_encirclement_ros.core.run.observer import RunRecord, Trail
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from velocity_mobility_ros.vehicles.step_response import CommandStep, Sample


class Picture(Figure):
    """A figure that a notebook shows, whether pyplot is in use there or not."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format='png')
        return file.getvalue()


def save_picture(figure: Figure, path: Path, dpi: int = 110) -> None:
    """Write a figure to a file; a full disk leaves none.

    Raises:
        OSError: It cannot be written; a file that was there is as before.
    """
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=dpi, format=path.suffix.removeprefix('.'))


OVERVIEW = 'overview.png'
BLUE, RED, GREEN, GREY, ORANGE = '#1f78e6', '#d92626', '#1aa64d', '#888888', '#f28c1a'
COLOURS = {TARGET: GREEN, ADVERSARY: ORANGE}
MARKERS = {TARGET: '*', ADVERSARY: 'X'}
SHOWN_METRICS = ('E_gap', 'E_r', 'G_max')
"""Metrics in plots of several runs; all without a unit."""

NO_LABELS: Mapping[str, str] = MappingProxyType({})

MAX_LABELS = 200
"""Upper limit of bodies drawn with their names."""

TAIL = 8.0
"""Time [s] of the trails drawn behind the bodies."""

LEAST_HEIGHT = 0.01
"""Values that differ by less are drawn as one."""

# Margins as shares of the figure, wide enough for any axis label: computing them from the texts
# (layout='constrained') doubles the time of drawing.
METRIC_MARGINS = {'left': 0.1, 'right': 0.985, 'bottom': 0.13, 'top': 0.92}
ABOVE_MARGINS = {'left': 0.1, 'right': 0.91, 'bottom': 0.075, 'top': 0.95}
STACK_MARGINS = {'left': 0.14, 'right': 0.985, 'bottom': 0.075, 'top': 0.955, 'hspace': 0.34}


def draw_run(
    folder: Path,
    scenario: Scenario,
    observation: RunRecord,
    labels: Mapping[str, str] = NO_LABELS,
) -> Iterator[Path]:
    """Draw all plots of a run into its folder, one at a time; the overview comes last.

    Without samples nothing is drawn. Labels are drawn instead of the names of trails.
    """
    if not observation.series['time']:
        return
    for name in _shown_metrics(observation):
        yield draw_metric(folder, name, observation)
    save_picture(overview(scenario, observation, labels), folder / OVERVIEW)
    yield folder / OVERVIEW


def _shown_metrics(observation: RunRecord) -> list[str]:
    """Return the metrics to draw, none without a target."""
    is_known = TARGET in observation.trails
    return list(shown_metrics(METRIC_TEXTS, observation.series)) if is_known else []


def draw_metric(folder: Path, name: str, observation: RunRecord) -> Path:
    """Draw one metric over time as ``metric_NAME.png``."""
    figure = Figure(figsize=(10, 4))
    figure.subplots_adjust(**METRIC_MARGINS)
    axes = figure.add_subplot()
    _plot_metric(axes, name, observation)
    box = {'boxstyle': 'round', 'facecolor': 'white', 'alpha': 0.8}
    where = {'transform': axes.transAxes, 'ha': 'right', 'va': 'top'}
    axes.text(0.985, 0.94, METRIC_TEXTS[name].tex, bbox=box, **where)
    axes.set_xlabel('time [s]')
    path = folder / f'metric_{name}.png'
    save_picture(figure, path, dpi=150)
    return path


def overview(
    scenario: Scenario, observation: RunRecord, labels: Mapping[str, str] = NO_LABELS
) -> Picture:
    """Return a picture of the swarm from above at the end, and of its metrics over time.

    Without a target it shows the whole paths. Arguments as of ``draw_run``.
    """
    figure = Picture(figsize=(15, 8))
    above, metrics = figure.subfigures(1, 2, width_ratios=(1.1, 1.0))
    # Not by subplots_adjust: the parts of a figure share what that sets.
    axes = above.subplots(gridspec_kw=ABOVE_MARGINS)
    _draw_above(axes, scenario, observation, labels)
    names = _shown_metrics(observation)
    count = len(names) + 1
    rows: Sequence[Axes] = metrics.subplots(
        count, sharex=True, squeeze=False, gridspec_kw=STACK_MARGINS
    )[:, 0]
    for axes, name in zip(rows, names, strict=False):
        _plot_metric(axes, name, observation)
    _plot_alive(rows[-1], scenario, observation)
    rows[-1].set_xlabel('time [s]')
    return figure


def label_metric(axes: Axes, name: str) -> None:
    """Label the axis with name and unit of a metric, and title it with its meaning."""
    text = SAMPLE_TEXTS[name]
    axes.set_ylabel(f'{name} [{text.unit}]' if text.unit else name)
    axes.set_title(text.title, fontsize=9, loc='left')
    axes.grid(visible=True, alpha=0.4)
    show_numbers(axes)


def show_numbers(axes: Axes) -> None:
    """Let rounding errors of a constant be no curve, and numbers stand for themselves."""
    low, high = axes.get_ylim()
    if high - low < LEAST_HEIGHT:
        middle = 0.5 * (low + high)
        axes.set_ylim(middle - 0.5 * LEAST_HEIGHT, middle + 0.5 * LEAST_HEIGHT)
    axes.ticklabel_format(axis='y', useOffset=False)


def _curve(series: Mapping[str, Sequence[float]], name: str) -> tuple[Floats, Floats]:
    """Return times and values, without a line across gaps."""
    return with_gaps(np.asarray(series['time'], float), np.asarray(series[name], float))


def _plot_metric(axes: Axes, name: str, observation: RunRecord) -> None:
    axes.plot(*_curve(observation.series, name), linewidth=1.2, color=BLUE)
    label_metric(axes, name)


def _plot_alive(axes: Axes, scenario: Scenario, observation: RunRecord) -> None:
    axes.step(*_curve(observation.series, 'alive'), color=GREEN, linewidth=1.2, where='post')
    axes.set_ylim(0, scenario.run.num_agents + 0.5)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=True, alpha=0.4)
    axes.set_ylabel('alive')
    axes.set_title(SAMPLE_TEXTS['alive'].title, fontsize=9, loc='left')


def _draw_tails(axes: Axes, trails: Mapping[str, Trail], length: float) -> None:
    """Draw the last part [s] of every path, in one collection: there may be many."""
    lines = []
    for trail in trails.values():
        first = bisect_left(trail.time, trail.time[-1] - length)
        places = np.column_stack([trail.x[first:], trail.y[first:]])
        lines.append(with_gaps(np.array(trail.time[first:]), places)[1])
    colours = [_colour(name, trail) for name, trail in trails.items()]
    axes.add_collection(LineCollection(lines, colors=colours, alpha=0.35, linewidths=1.5))
    axes.autoscale_view()


def _colour(name: str, trail: Trail) -> str:
    return RED if trail.failed[-1] else COLOURS.get(name, BLUE)


def shown_name(name: str) -> str:
    """Return the name of a body for pictures, of ours the number; ``$`` begins no formula."""
    return name.removeprefix('uav_').replace('$', r'\$')


def _draw_above(
    axes: Axes, scenario: Scenario, observation: RunRecord, labels: Mapping[str, str]
) -> None:
    trails = observation.trails
    target = trails.get(TARGET)
    _draw_tails(axes, trails, TAIL if target else math.inf)
    for marker in ('o', *MARKERS.values()):
        shown = {name: trail for name, trail in trails.items() if MARKERS.get(name, 'o') == marker}
        axes.scatter(
            [trail.x[-1] for trail in shown.values()], [trail.y[-1] for trail in shown.values()],
            s=(8 if marker == 'o' else 14) ** 2, marker=marker, zorder=2.5,
            c=[_colour(name, trail) for name, trail in shown.items()],
        )  # fmt: skip
    if target:
        radius, centre = scenario.swarm.encirclement_radius, (target.x[-1], target.y[-1])
        axes.add_patch(Circle(centre, radius, fill=False, color=GREY, ls='--'))
    if len(trails) <= MAX_LABELS:
        _label_ends(axes, {labels.get(name, name): trail for name, trail in trails.items()})
    axes.set_aspect('equal', adjustable='datalim')
    axes.set_xlabel('east [m]')
    axes.set_ylabel('north [m]')
    axes.set_title(
        f'{scenario.name} at {observation.series["time"][-1]:g} s '
        f'({f"last {TAIL:g} s of every path" if target else "whole paths"}; red: down)'
    )
    axes.grid(visible=True, alpha=0.3)


def _label_ends(axes: Axes, trails: Mapping[str, Trail]) -> None:
    """Write names at the ends of paths, towards the middle of what is drawn: within the frame."""
    middle = axes.dataLim.get_points().mean(axis=0)
    for name, trail in trails.items():
        end = trail.x[-1], trail.y[-1]
        is_right, is_high = end[0] > middle[0], end[1] > middle[1]
        axes.annotate(
            shown_name(name), end, (-6 if is_right else 6, -6 if is_high else 6),
            textcoords='offset points', ha='right' if is_right else 'left',
            va='top' if is_high else 'bottom',
        )  # fmt: skip


ROWS = ('forward [m/s]', 'left [m/s]', 'up [m/s]', 'yaw rate [rad/s]', 'tilt [deg]')
Flown = Sequence[Sequence[Sample]]


def draw_steps(
    path: Path, flights: Mapping[str, tuple[Sequence[CommandStep], Flown]], title: str
) -> None:
    """Draw velocity, yaw rate and tilt of vehicles by name, and their commands, over time.

    The suffix of the file selects the format.
    """
    figure = Figure(figsize=(12, 11), layout='constrained')
    axes = figure.subplots(len(ROWS), 1, sharex=True)
    for name, (_, flown) in flights.items():
        samples = [sample for part in flown for sample in part]
        time = [sample.time for sample in samples]
        rows = [(*sample.velocity, sample.yaw_rate, np.degrees(sample.tilt)) for sample in samples]
        for panel, values in zip(axes, np.array(rows).T, strict=True):
            panel.plot(time, values, label=name, lw=1.3)
    for steps, flown in {id(steps): (steps, flown) for steps, flown in flights.values()}.values():
        for i, panel in enumerate(axes[:4]):
            commands = [(*step.velocity, step.yaw_rate)[i] for step in steps]
            ends = [part[-1].time for part in flown]
            panel.stairs(commands, [0.0, *ends], color=GREY, lw=0.8, baseline=None)
    for panel, label in zip(axes, ROWS, strict=True):
        panel.set_ylabel(label)
        panel.grid(visible=True, alpha=0.4)
    axes[0].legend(loc='upper right', fontsize=8)
    axes[-1].set_xlabel('time [s]')
    figure.suptitle(f'{title} (grey: commands)', fontsize=11)
    save_picture(figure, path)
