"""The swarm from above, in characters: braille dots for the ring, a number for each agent."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.text import Text

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
    """A body: where it is, east and north of the target [m], its text and the style of it."""

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

    Whoever is outside of it stands at its edge, in his direction.

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
    return [Text.assemble(*_runs(line), no_wrap=True) for line in cells]


def _runs(cells: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Iterate over texts of one style each."""
    for style, run in groupby(cells, itemgetter(1)):
        yield ''.join(character for character, _ in run), style


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
        (row, column, PLAIN_DOT if is_plain else chr(BRAILLE + found))
        for (row, column), found in bits.items()
    ]
