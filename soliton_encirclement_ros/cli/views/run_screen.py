"""A run on a whole terminal, in a line where that is small, and in plain lines elsewhere.

The swarm is seen from above, in characters: braille dots for the ring, a number for each agent. A
series of values is a line of bars, one character each.
"""

import math
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console, Group, OverflowMethod, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from soliton_encirclement_ros.cli.views.run_report import RunProgress
from soliton_encirclement_ros.cli.views.terminal_display import can_draw, plain
from soliton_encirclement_ros.core.ring.metrics import METRIC_TEXTS
from soliton_encirclement_ros.core.run.observer import RunRecord
from soliton_encirclement_ros.core.run.swarm_health import SILENT
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav, uav_id

SPAN = 60.0
"""Time that a line shows [s]."""

BARS, PLAIN_BARS = '▁▂▃▄▅▆▇█', '_.:-=+*#'


def sparkline(
    time: Sequence[float], values: Sequence[float], width: int, least: float, is_plain: bool
) -> tuple[str, float]:
    """Return bars for the last values of a series, and the largest of these, NaN without any.

    Each bar is the largest value in its part of the time. Bars stand still while time passes:
    their parts are multiples of one length. They begin at the left, and move there once the line
    is full.

    Args:
        time: Times of the values [s], ascending.
        values: The values.
        width: Number of bars.
        least: Value of the lowest bar; the highest is the largest value.
        is_plain: Whether there are no characters but those of ASCII.
    """
    if not len(time):
        return ' ' * width, math.nan
    part = SPAN / width
    first = max(math.floor(time[0] / part), math.floor(time[-1] / part) - width + 1)
    edges = part * np.arange(first, first + width + 1)
    begin = int(np.searchsorted(time, edges[0]))
    recent = np.array(values[begin:], dtype=float)
    starts = np.searchsorted(np.array(time[begin:], dtype=float), edges)
    heights = [
        float(np.fmax.reduce(recent[low:high])) if high > low else math.nan
        for low, high in pairwise(starts)
    ]
    largest = max((height for height in heights if math.isfinite(height)), default=math.nan)
    bars = PLAIN_BARS if is_plain else BARS
    return ''.join(_bar(height, least, largest, bars) for height in heights), largest


def _bar(value: float, least: float, most: float, bars: str) -> str:
    if not math.isfinite(value):
        return ' '
    share = (value - least) / (most - least) if most > least else 0.0
    return bars[min(max(int(share * len(bars)), 0), len(bars) - 1)]


ROOM = 1.35
"""Half the width of the view, in radii of the ring."""

MOST_NUMBERS = 24
"""Agents that are drawn by their numbers at most; of more each is one character."""

TARGET_MARK, ADVERSARY_MARK, DOWN_MARK, SILENT_MARK, AGENT_MARK = 'T', 'A', 'x', '?', 'o'

LEGEND = (
    f'{TARGET_MARK} target   {ADVERSARY_MARK} adversary   '
    f'{DOWN_MARK} down   {SILENT_MARK} silent'
)

DOTS_PER_ROW = 3
"""Dots of the ring per row of the view: about every third dot of its circumference."""

BRAILLE, PLAIN_DOT = 0x2800, '.'

DOT_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille character: four rows of two dots."""

NO_STYLE = ''


class Mark(NamedTuple):
    """A body: its place east and north of the target [m], its text and the style of that."""

    east: float
    north: float
    text: str
    style: str


def agent_mark(
    number: int, place: Sequence[float], is_down: bool, is_silent: bool, is_numbered: bool
) -> Mark:
    """Return how an agent is drawn.

    Args:
        number: Its number.
        place: Where it is, east and north of the target [m].
        is_down: Whether it has failed.
        is_silent: Whether nothing is received of it for another reason.
        is_numbered: Whether its number is shown.
    """
    sign = DOWN_MARK if is_down else SILENT_MARK if is_silent else ''
    style = 'bold red' if is_down else 'yellow' if is_silent else 'bold cyan'
    text = f'{sign}{number}' if is_numbered else sign or AGENT_MARK
    return Mark(place[0], place[1], text, style)


def top_view(marks: Sequence[Mark], radius: float, rows: int, is_plain: bool) -> list[Text]:
    """Return the lines of a view round the target, twice as many columns as rows.

    A body outside of it is drawn at its edge, in its direction.

    Args:
        marks: The bodies; a later one covers those before.
        radius: Wanted radius of the ring [m].
        rows: How many lines.
        is_plain: Whether there are no characters but those of ASCII.
    """
    columns, half = 2 * rows, ROOM * radius
    cells = [[(' ', NO_STYLE)] * columns for _ in range(rows)]
    for row, column, dot in _ring(rows, is_plain):
        cells[row][column] = dot, 'dim'
    for mark in marks:
        row = _cell(-mark.north, half, rows)
        column = _cell(mark.east, half, columns) - (len(mark.text) - 1) // 2
        column = min(max(column, 0), columns - len(mark.text))
        for k, character in enumerate(mark.text):
            cells[row][column + k] = character, mark.style
    runs = ([(''.join(character for character, _ in run), style)
             for style, run in groupby(line, itemgetter(1))] for line in cells)  # fmt: skip
    return [Text.assemble(*run, no_wrap=True) for run in runs]


def _cell(offset: float, half: float, count: int) -> int:
    """Return the cell of ``count`` over the width of a view in which an offset [m] lies."""
    return min(max(math.floor((offset / half + 1.0) / 2.0 * count), 0), count - 1)


@lru_cache(maxsize=1)
def _ring(rows: int, is_plain: bool) -> list[tuple[int, int, str]]:
    """Return the cells of the dotted ring: row, column, character."""
    bits: dict[tuple[int, int], int] = {}
    dots = DOTS_PER_ROW * rows
    for k in range(dots):
        angle = 2.0 * math.pi * k / dots
        x = _cell(math.cos(angle), ROOM, 4 * rows)
        y = _cell(-math.sin(angle), ROOM, 4 * rows)
        place = y // 4, x // 2
        bits[place] = bits.get(place, 0) | DOT_BITS[y % 4][x % 2]
    return [
        (row, column, PLAIN_DOT if is_plain else chr(BRAILLE + mask))
        for (row, column), mask in bits.items()
    ]


LEAST_WIDTH, LEAST_HEIGHT = 60, 16
"""Columns and lines of a terminal that has room for more than one line."""

HEAD, NOTES, MOST_ROWS = 2, 5, 30
"""Lines above the view from above, those below it at least, and those of the view at most."""

FIGURES = 40
"""Columns beside the view from above at least."""

NAME, NUMBER = 6, 8
"""Columns of the name of a metric, and of a number."""

MAX_STDERR_LINES = 2
"""Lines from stderr that are shown, at most."""

MAX_NOTES = 200
"""Events and warnings that are kept."""

AGE = re.compile(r'[\d.]+ s ago')
"""The part of a warning that changes while it lasts."""

LOG_LINE = re.compile(r'^\[\w+\] \[[\d.]+\] \[([^]]*)\]: ')
"""Begin of a line that a node logs."""


@dataclass
class Note:
    """Something that has happened at a time [s]; the text of a warning changes while it lasts."""

    time: float
    text: str
    style: str


class RunScreen(RunProgress):
    """One run."""

    def __init__(
        self, console: Console, scenario: Scenario, observation: RunRecord,
        warnings: Callable[[], Sequence[str]], said: Callable[[], Sequence[str]], **more: Any,
    ) -> None:  # fmt: skip
        """Show a run.

        Args:
            console: Console for the display.
            scenario: The scenario.
            observation: The observer of the run.
            warnings: Returns the present warnings about the swarm.
            said: Returns the lines that were said on stderr, and are not on the terminal.
            **more: As of ``RunProgress``.
        """
        super().__init__(console, scenario, observation, takes_screen=True, **more)
        self._warnings, self._said = warnings, said
        self._notes: deque[Note] = deque(maxlen=MAX_NOTES)
        self._lasting: dict[str, Note] = {}
        self._seen_events = 0

    def tell(self, line: str) -> None:
        """Note a line; elsewhere than on a terminal print it."""
        if can_draw(self._console):
            self._notes.append(Note(self._now, line, 'bold red'))
        else:
            super().tell(line)

    def view(self) -> RenderableType:
        """Return what fits on the terminal."""
        width, height = self._console.size
        self._note_news()
        if width < LEAST_WIDTH or height < LEAST_HEIGHT:
            return Text(self._short_line(), no_wrap=True, overflow=self._overflow)
        rows = min(height - HEAD - NOTES, (width - FIGURES - 2) // 2, MOST_ROWS)
        left = top_view(self._marks(), self._radius, rows, self._is_plain)
        right = [*self._figures(width - 2 * rows - 2)][:rows]
        right += [Text()] * (rows - len(right))
        below = [Text(), *self._last_notes(height - HEAD - rows - 1)]
        beside = [
            Text.assemble(left_line, '  ', right_line, no_wrap=True, overflow=self._overflow)
            for left_line, right_line in zip(left, right, strict=True)
        ]
        return Group(*self._head(), *beside, *below)

    @property
    def _now(self) -> float:
        """The time of the newest sample [s], 0 before it."""
        return self._observation.last.time if self._observation.last else 0.0

    @property
    def _is_plain(self) -> bool:
        return self._console.options.ascii_only

    @property
    def _overflow(self) -> OverflowMethod:
        """What is done with a line that is too long; an ellipsis is no character of ASCII."""
        return 'crop' if self._is_plain else 'ellipsis'

    @property
    def _radius(self) -> float:
        return self._scenario.swarm.encirclement_radius

    def _short_line(self) -> str:
        if self._observation.last is None:
            return f'waiting for {self._waiting()}'
        numbers = '  '.join(f'{name} {value}' for name, value in self._metrics().items())
        return (
            f'{self._stop_text()}{self._time(self._now).strip()}  x{self.factor():.1f}  '
            f'alive: {self._alive()}  down: {self._down()}  {numbers}'
        )

    def _head(self) -> Iterator[RenderableType]:
        """Iterate over the lines at the top: time and speed, and a bar."""
        if self._observation.last is None:
            state = f'waiting for {self._waiting()}'
        else:
            left = self._time_left()
            state = f'x{self.factor():.1f} real time' + (f'   {left}' if left else '')
        yield Text.assemble(
            (self._scenario.name, 'bold'), f' {self._time(self._now)}   {state}   ',
            (self._stop_text(), 'bold red'), no_wrap=True, overflow=self._overflow,
        )  # fmt: skip
        yield Padding(ProgressBar(total=self._length(), completed=self._now), 0)  # a whole line

    def _figures(self, width: int) -> Iterator[Text]:
        """Iterate over the lines beside the top view, none before the first sample."""
        if self._observation.last is None:
            return
        bars = width - NAME - 2 * NUMBER - 2
        title = f'last {SPAN:g} s'
        yield Text(f'{"":{NAME}}{"now":>{NUMBER}}  {title:{bars}}{"worst":>{NUMBER}}', 'dim')
        series = self._observation.series
        for name, value in self._metrics().items():
            least = METRIC_TEXTS[name].even or 0.0
            line, worst = sparkline(series['time'], series[name], bars, least, self._is_plain)
            yield Text.assemble(
                (f'{name:{NAME}}', 'dim'), f'{value:>{NUMBER}}  ', (line, 'cyan'),
                (f'{plain(worst, ".3f"):>{NUMBER}}', 'dim'),
            )  # fmt: skip
        down = self._down()
        filtered = self._filter_text().strip()
        yield Text.assemble((f'{"alive":{NAME}}  ', 'dim'), self._alive(), f'   {filtered}')
        style = 'green' if down == 'nobody' else 'bold red'
        yield Text.assemble((f'{"down":{NAME}}  ', 'dim'), (down, style))
        yield Text()
        yield Text(LEGEND, 'dim')

    def _marks(self) -> list[Mark]:
        """Return all bodies with places, the most important ones last."""
        trails = {name: trail for name, trail in self._observation.trails.items() if trail.time}
        if TARGET not in trails:
            return []
        x, y = trails[TARGET].x[-1], trails[TARGET].y[-1]
        received = {*self._observation.received}
        is_numbered = self._scenario.run.num_agents <= MOST_NUMBERS
        agents, others = [], []
        for name, trail in trails.items():
            place = trail.x[-1] - x, trail.y[-1] - y
            number = uav_id(name)
            if number is not None:
                is_down = bool(trail.failed[-1])
                is_silent = not is_down and number not in received
                agents.append(agent_mark(number, place, is_down, is_silent, is_numbered))
            elif name == ADVERSARY:
                others.append(Mark(*place, ADVERSARY_MARK, 'bold yellow'))
        return [*others, *agents, Mark(0.0, 0.0, TARGET_MARK, 'bold green')]

    def _note_news(self) -> None:
        """Note failures and recoveries, and warnings when they begin."""
        events = self._observation.events
        for event in events[self._seen_events :]:
            style = 'red' if event.failed else 'green'
            text = f'{uav(event.agent_id)} {"down" if event.failed else "up again"}'
            self._notes.append(Note(event.time, text, style))
        self._seen_events = len(events)
        present = {
            AGE.sub('', text): text for text in self._warnings() if not text.startswith(SILENT)
        }
        for key, text in present.items():
            if key not in self._lasting:
                self._lasting[key] = Note(self._now, text, 'yellow')
                self._notes.append(self._lasting[key])
            self._lasting[key].text = text
        for key in self._lasting.keys() - present.keys():
            del self._lasting[key]

    def _last_notes(self, count: int) -> list[Text]:
        """Return the last lines from stderr, and of what has happened."""
        said = [LOG_LINE.sub(r'\1: ', line) for line in self._said() if line.strip()]
        lines = [Text(line, 'yellow') for line in said[-MAX_STDERR_LINES:]]
        notes = [*self._notes][len(lines) - count :]
        lines += [Text(f'{note.time:6.1f} s  {note.text}', note.style) for note in notes]
        for line in lines:
            line.no_wrap, line.overflow = True, self._overflow
        return lines
