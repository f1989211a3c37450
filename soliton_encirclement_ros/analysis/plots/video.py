"""A flight as a picture that moves: a GIF, which every page and chat shows."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.plots.run_plots import (
    BLUE, COLOURS, GREEN, GREY, LEAST_HEIGHT, MARKERS, MAX_LABELS, ORANGE, RED, shown_name
)
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.report.viewer_data import moving_bodies
from soliton_encirclement_ros.analysis.resampling import interpolated, longest_gap
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, writing
from soliton_encirclement_ros.core.ring.metrics import METRIC_TEXTS
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

RATE = 12.5
"""Pictures a second; viewers count in hundredths of a second."""

LONGEST = 10.0
"""Length of a video [s]; a longer flight is shown faster."""

SIZE, BESIDE, DPI = 4.8, 3.2, 100
"""Width and height of the view, width of the curves beside it [inch], and pixels per inch."""

CURVES = ('E_gap', 'E_r')
"""Metrics that are drawn beside the view from above."""

TAIL = 6.0
"""Time of the flight [s] of which a trail is drawn."""

ROOM = 1.45
"""Half the width of a picture round a target, in radii of the ring."""

INKS = ('black', GREY, BLUE, RED, GREEN, ORANGE)
SHADES = 16
"""Colours, and number of shades of each to white: one palette for all pictures."""

Places = Mapping[str, Floats]
"""Positions (K, 2) [m] of bodies at the times of the pictures."""


def draw_video(
    path: Path, findings: Findings, note: Callable[[int, int], None] = lambda done, of: None
) -> Path:
    """Write a flight as a GIF, from above, round its target if it has one; return the file.

    ``note`` is called with the number of pictures drawn, and of all.

    Raises:
        RunError: Nobody moves, or the file cannot be written.
    """
    from PIL import Image

    length = findings.recording.duration - findings.recording.begin
    pace = max(1.0, length / LONGEST)
    count = int(length / pace * RATE) + 1
    time = findings.recording.begin + pace / RATE * np.arange(count)
    places = {
        name: interpolated(
            motion.time, motion.position[:, :2], time, reach=longest_gap(motion.time)
        )
        for name, motion in moving_bodies(findings).items()
    }
    if not places or count < 2:
        raise RunError(f'{path}: nobody moves, so there is nothing to show')
    has_curves = bool(np.isfinite(findings.series[CURVES[0]]).any())
    figure = Figure(figsize=(SIZE + BESIDE * has_curves, SIZE), dpi=DPI)
    canvas = FigureCanvasAgg(figure)
    view = figure.add_axes((0.0, 0.0, SIZE / figure.get_figwidth(), 1.0))
    lines = [_draw_curve(figure, findings, k) for k in range(len(CURVES) * has_curves)]
    middles, half = _frame(findings, places, count)
    palette, pictures = Image.new('P', (1, 1)), []
    palette.putpalette(_colours())
    for k, now in enumerate(time):
        _draw_view(view, findings, places, time[: k + 1], middles[k], half)
        view.text(0.02, 0.02, f'{now:.1f} s' + (f', {pace:.1f} times as fast' * (pace > 1.0)),
                  transform=view.transAxes, color=GREY)  # fmt: skip
        for name, line in zip(CURVES, lines, strict=False):
            known = np.asarray(findings.series['time']) <= now
            line.set_data(*(np.asarray(findings.series[key])[known] for key in ('time', name)))
        canvas.draw()
        picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert('RGB')
        pictures.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        note(k + 1, count)
    with writing(path, 'write the video'), replacing(path) as temporary:
        pictures[0].save(
            temporary, format='GIF', save_all=True, append_images=pictures[1:], loop=0,
            duration=round(1000.0 / RATE), optimize=True,
        )  # fmt: skip
    return path


def _colours() -> list[int]:
    """Return a palette: each ink, paler and paler, and white."""
    shares = np.linspace(0.0, 1.0, SHADES, endpoint=False)
    inks = [(1.0 - share) * np.asarray(to_rgb(ink)) + share for ink in INKS for share in shares]
    return np.rint(255.0 * np.array([*inks, (1.0, 1.0, 1.0)])).astype(int).ravel().tolist()


def _draw_curve(figure: Figure, findings: Findings, k: int) -> Line2D:
    """Draw the frame of a curve, and return its line."""
    name = CURVES[k]
    values = np.asarray(findings.series[name])
    left, wide = figure.get_figwidth() - 0.81 * BESIDE, 0.75 * BESIDE
    axes = figure.add_axes((left / figure.get_figwidth(), 0.6 - 0.48 * k,
                            wide / figure.get_figwidth(), 0.31))  # fmt: skip
    axes.set_title(f'{name}: {METRIC_TEXTS[name].title}', fontsize=10, loc='left')
    axes.set_xlim(findings.recording.begin, findings.recording.duration)
    axes.set_ylim(0.0, 1.05 * values[np.isfinite(values)].max(initial=LEAST_HEIGHT))
    axes.tick_params(labelsize=9)
    axes.grid(color=GREY, alpha=0.25)
    axes.set_xlabel('time [s]' if k == len(CURVES) - 1 else '', fontsize=10)
    return axes.plot([], [], color=BLUE, linewidth=1.5)[0]


def _draw_view(
    axes: Axes, findings: Findings, places: Places, time: Floats, middle: Floats, half: float
) -> None:
    """Draw bodies at the last of some times [s], and their trails."""
    axes.clear()
    axes.set_axis_off()
    axes.set(xlim=middle[0] + half * np.array([-1, 1]), ylim=middle[1] + half * np.array([-1, 1]))
    radius, agents = findings.settings.radius, {agent.name: agent for agent in findings.agents}
    if findings.settings.target is not None and math.isfinite(radius):
        axes.add_patch(Circle(middle, radius, fill=False, color=GREY, linestyle='--'))
    for name, place in places.items():
        shown = place[: len(time)][time >= time[-1] - TAIL]
        if not np.isfinite(shown[-1, 0]):
            continue
        role = TARGET if name == findings.settings.target else name
        down = name in agents and agents[name].is_down(time[-1])
        colour, edge = COLOURS.get(role, BLUE), RED if down else COLOURS.get(role, BLUE)
        axes.plot(*shown.T, color=colour, linewidth=1.3, alpha=0.4)
        axes.plot(
            *shown[-1], MARKERS.get(role, 'o'), markersize=8 if name in agents else 13,
            markerfacecolor='white' if down else colour, markeredgecolor=edge,
            markeredgewidth=1.8 if down else 0.5,
        )  # fmt: skip
        if len(places) <= MAX_LABELS:
            axes.annotate(
                shown_name(name), shown[-1], (7, 7), textcoords='offset points', fontsize=10,
                color=RED if down else 'black', clip_on=True,
            )  # fmt: skip


def _frame(findings: Findings, places: Places, count: int) -> tuple[Floats, float]:
    """Return the middle of every picture (K, 2) [m], and half its width [m]."""
    positions = np.concatenate(list(places.values()))
    low, high = np.nanmin(positions, axis=0), np.nanmax(positions, axis=0)
    middles = np.tile((low + high) / 2.0, (count, 1))
    target, radius = findings.settings.target, findings.settings.radius
    if target is None or not math.isfinite(radius):
        return middles, 0.55 * max(float((high - low).max()), 1.0)
    centre = places.get(target) if isinstance(target, str) else np.tile(target[:2], (count, 1))
    if centre is not None:
        middles = np.where(np.isfinite(centre), centre, middles)
    return middles, ROOM * radius
