"""A flight as a picture that moves: a GIF, which every page and chat shows."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.findings.finding_records import AgentFindings, Findings
from soliton_encirclement_ros.analysis.plots.run_plots import (
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    LEAST_HEIGHT,
    MARKERS,
    MAX_LABELS,
    ORANGE,
    RED,
    shown_name,
)
from soliton_encirclement_ros.analysis.recording import Floats, Recording
from soliton_encirclement_ros.analysis.report.viewer_data import moving_bodies
from soliton_encirclement_ros.analysis.resampling import interpolated, longest_gap
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.ring.metrics import METRIC_TEXTS
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

BLACK = 'black'

Pixels = NDArray[np.uint8]

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

SHADES = 16
"""Shades of each colour between it and white: few make a small file."""

INKS = (BLACK, GREY, BLUE, RED, GREEN, ORANGE)
"""What is drawn with: one palette for all pictures, or colours would depend on what is beside."""


class _Body(NamedTuple):
    """A body at the times of the pictures: (K, 2) positions [m], and who it is."""

    name: str
    label: str
    place: Floats
    colour: str
    marker: str
    agent: AgentFindings | None


def draw_video(
    path: Path, recording: Recording, findings: Findings,
    note: Callable[[int, int], None] = lambda done, of: None,
) -> Path:  # fmt: skip
    """Write a flight as a GIF, from above, round its target if it has one.

    Args:
        path: The file.
        recording: The recording.
        findings: Its findings.
        note: Told how many pictures are drawn, and of how many.

    Raises:
        RunError: Nobody moves, or the file cannot be written.
    """
    pace = max(1.0, (findings.duration - findings.begin) / LONGEST)
    count = int((findings.duration - findings.begin) / pace * RATE) + 1
    time = findings.begin + pace / RATE * np.arange(count)
    bodies = list(_bodies(recording, findings, time))
    if not bodies or count < 2:
        raise RunError(f'{path}: nobody moves, so there is nothing to show')
    pictures = []
    for k, picture in enumerate(_pictures(findings, bodies, time, pace)):
        pictures.append(picture)
        note(k + 1, count)
    first, *rest = pictures
    try:
        with replacing(path) as part:
            first.save(
                part, format='GIF', save_all=True, append_images=rest, loop=0,
                duration=round(1000.0 / RATE), optimize=True,
            )  # fmt: skip
    except OSError as error:
        raise RunError(f'{path}: cannot write the video: {error.strerror}') from None
    return path


def _bodies(recording: Recording, findings: Findings, time: Floats) -> Iterator[_Body]:
    agents = {agent.name: agent for agent in findings.agents}
    for name, moved in moving_bodies(recording, findings).items():
        role = TARGET if name == findings.settings.target else name
        place = interpolated(moved.time, moved.position, time, reach=longest_gap(moved.time))
        yield _Body(
            role, shown_name(name), place[:, :2], COLOURS.get(role, BLUE),
            MARKERS.get(role, 'o'), agents.get(name),
        )  # fmt: skip


def _pictures(
    findings: Findings, bodies: list[_Body], time: Floats, pace: float
) -> Iterator[object]:
    """Draw one picture after the other."""
    from PIL import Image

    figure = Figure(figsize=(SIZE, SIZE), dpi=DPI)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_aspect('equal')
    has_curves = np.isfinite(findings.series[CURVES[0]]).any()
    curves = _Curves(findings) if has_curves else None
    palette = _palette()
    radius = findings.settings.radius
    centre = _centre(findings, bodies, len(time))
    middle, half = _frame(bodies, centre, radius)
    tail = max(1, round(TAIL / (time[1] - time[0])))
    for k, now in enumerate(time):
        axes.clear()
        axes.set_axis_off()
        x, y = centre[k] if centre is not None and np.isfinite(centre[k]).all() else middle
        axes.set_xlim(x - half, x + half)
        axes.set_ylim(y - half, y + half)
        if centre is not None and math.isfinite(radius):
            axes.add_patch(Circle((x, y), radius, fill=False, color=GREY, linestyle='--'))
        for body in bodies:
            _draw(axes, body, k, now, tail, len(bodies) <= MAX_LABELS)
        faster = f', {pace:.1f} times as fast' if pace > 1.0 else ''
        axes.text(0.02, 0.02, f'{now:.1f} s{faster}', transform=axes.transAxes, color=GREY)
        canvas.draw()
        pixels = np.asarray(canvas.buffer_rgba())
        if curves is not None:
            pixels = np.hstack([pixels, curves.until(now)])
        whole = Image.fromarray(pixels).convert('RGB')
        yield whole.quantize(palette=palette, dither=Image.Dither.NONE)


def _palette() -> object:
    """Return a picture with all colours: each ink, paler and paler."""
    from PIL import Image

    shares = np.linspace(0.0, 1.0, SHADES, endpoint=False)
    colours = [(1.0 - share) * np.asarray(to_rgb(ink)) + share for ink in INKS for share in shares]
    palette = Image.new('P', (1, 1))
    whole = np.rint(255.0 * np.array([*colours, (1.0, 1.0, 1.0)]))
    palette.putpalette(whole.astype(int).ravel().tolist())
    return palette


class _Curves:
    """The curves beside the view: drawn without and with their lines, of which a part is shown."""

    def __init__(self, findings: Findings) -> None:
        figure = Figure(figsize=(BESIDE, SIZE), dpi=DPI)
        canvas = FigureCanvasAgg(figure)
        lines = [_draw_curve(figure, findings, k) for k in range(len(CURVES))]
        canvas.draw()
        self._whole = np.array(canvas.buffer_rgba())
        for line in lines:
            line.set_visible(False)
        canvas.draw()
        self._empty = np.array(canvas.buffer_rgba())
        self._columns = figure.axes[0].transData

    def until(self, now: float) -> Pixels:
        """Return them up to a time [s]."""
        column = math.ceil(self._columns.transform((now, 0.0))[0])
        return np.hstack([self._whole[:, :column], self._empty[:, column:]])


def _draw_curve(figure: Figure, findings: Findings, k: int) -> Line2D:
    """Draw one of the curves, and return its line."""
    name = CURVES[k]
    values = np.asarray(findings.series[name])
    axes = figure.add_axes((0.19, 0.6 - 0.48 * k, 0.75, 0.31))
    axes.set_title(f'{name}: {METRIC_TEXTS[name].title}', fontsize=10, loc='left')
    axes.set_xlim(findings.begin, findings.duration)
    highest = values[np.isfinite(values)].max(initial=LEAST_HEIGHT)
    axes.set_ylim(0.0, 1.05 * highest)
    axes.tick_params(labelsize=9)
    axes.grid(color=GREY, alpha=0.25)
    if k == len(CURVES) - 1:
        axes.set_xlabel('time [s]', fontsize=10)
    return axes.plot(findings.series['time'], values, color=BLUE, linewidth=1.5)[0]


def _draw(
    axes: Axes, body: _Body, k: int, now: float, tail: int, is_labelled: bool
) -> None:
    """Draw a body at a time [s], with where it came from."""
    x, y = body.place[k]
    if not math.isfinite(x):
        return
    trail = body.place[max(0, k - tail) : k + 1]
    axes.plot(*trail.T, color=body.colour, linewidth=1.3, alpha=0.4)
    down = body.agent is not None and body.agent.is_down(now)
    face = 'white' if down else body.colour
    size = 8 if body.agent else 13
    axes.plot(
        x, y, body.marker, markersize=size, markerfacecolor=face,
        markeredgecolor=RED if down else body.colour, markeredgewidth=1.8 if down else 0.5,
    )  # fmt: skip
    if is_labelled:
        axes.annotate(
            body.label, (x, y), (7, 7), textcoords='offset points', fontsize=10,
            color=RED if down else BLACK, clip_on=True,
        )  # fmt: skip


def _centre(findings: Findings, bodies: list[_Body], count: int) -> Floats | None:
    """Return where the target is at every picture (K, 2), None without one."""
    point = findings.settings.target
    if isinstance(point, tuple):
        return np.broadcast_to(np.asarray(point[:2]), (count, 2))
    found = [body.place for body in bodies if body.name == TARGET]
    return found[0] if found else None


def _frame(
    bodies: list[_Body], centre: Floats | None, radius: float
) -> tuple[tuple[float, float], float]:
    """Return the middle of what is shown [m], and half its width [m]."""
    places = np.concatenate([body.place for body in bodies])
    low, high = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
    middle = float(low[0] + high[0]) / 2.0, float(low[1] + high[1]) / 2.0
    if centre is not None and math.isfinite(radius):
        return middle, ROOM * radius
    return middle, 0.55 * max(float((high - low).max()), 1.0)
