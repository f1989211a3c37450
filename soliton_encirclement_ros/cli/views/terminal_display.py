"""Displays that are updated on a terminal, and tables without truncated names or numbers.

Elsewhere a display prints a line at times, or stays quiet. Tables fit terminals of any width.
"""

import math
import textwrap
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console, RenderableType
from rich.live import Live
from rich.measure import measure_renderables
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

PLAIN_PERIOD = 5.0
"""Wall time [s] between two lines if the output is not a terminal."""

REFRESH_PERIOD, SLOWEST_PERIOD = 0.2, 1.0
"""Wall time [s] between two drawings: at first, and at most where drawing takes long."""

MOST_DRAWING = 0.03
"""Share of the wall time that goes into drawing, since what is shown waits meanwhile."""


def can_draw(console: Console) -> bool:
    """Return whether a display is drawn on a console, and not printed line by line."""
    return console.is_terminal and not console.is_dumb_terminal and not console.quiet


View = TypeVar('View', bound='LiveDisplay')


class LiveDisplay(ABC):
    """Draws a bar and the line of a subclass, or what else it shows; it starts no thread."""

    def __init__(self, console: Console, takes_screen: bool = False) -> None:
        """Show on a console.

        Args:
            console: The console.
            takes_screen: Whether a terminal shows nothing else until the end, and then all that it
                showed before; who takes it holds back what is said meanwhile.
        """
        self._console = console
        self._shown = self._began = time.monotonic()
        self._took = 0.0
        self._live = Live(
            console=console, auto_refresh=False, transient=True, screen=takes_screen,
            redirect_stdout=not takes_screen, redirect_stderr=not takes_screen,
        )  # fmt: skip

    def __enter__(self: View) -> View:
        """Begin to draw."""
        if can_draw(self._console):
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was."""
        self._live.stop()

    def update(self) -> None:
        """Draw if it is time to."""
        now = time.monotonic()
        draws = can_draw(self._console)
        slowed = min(self._took / MOST_DRAWING, SLOWEST_PERIOD)
        period = max(REFRESH_PERIOD, slowed) if draws else PLAIN_PERIOD
        if now - self._shown < period:
            return
        self._shown = now
        if draws:
            self._live.update(self.view(), refresh=True)
            self._took = time.monotonic() - now
        else:
            print_line(self._console, self.line())

    def tell(self, line: str) -> None:
        """Print a line that stays, above the display."""
        print_line(self._console, line)

    def view(self) -> RenderableType:
        """Return the display for a terminal: a bar, if the share is known, and the line."""
        line, share = Text(self.line()), self.share()
        if share is None:
            return line
        view = Table.grid()
        view.add_row(ProgressBar(1.0, share, width=BAR))
        view.add_row(line)
        return view

    @abstractmethod
    def line(self) -> str:
        """Return the line, which is all that is shown elsewhere than on a terminal."""

    def share(self) -> float | None:
        """Return how much is done, from 0 to 1, None if that is not known."""
        return None

    def left(self) -> str:
        """Return the time left at the pace so far, as text; empty if it is not known."""
        share = self.share()
        if not share:
            return ''
        return f'  {duration((time.monotonic() - self._began) * (1.0 - share) / share)} left'


BAR = 40
"""Width of a bar [characters]."""


def duration(seconds: float) -> str:
    """Return a time [s] as hours, minutes and seconds, rounded up."""
    minutes, remainder = divmod(math.ceil(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f'{hours}:{minutes:02}:{remainder:02}' if hours else f'{minutes}:{remainder:02}'


def print_line(console: Console, line: str, style: str = '') -> None:
    """Print a line as it is: not wrapped, without markup."""
    console.print(line, style=style, highlight=False, soft_wrap=True, markup=False)


BORDER = 3
"""Characters between two columns: a line with a space on either side."""

UNKNOWN = '-'
"""Text of a number that is not known."""

WIDE = 1000
"""Columns if the output is not a terminal, enough for any table."""


PAGE = 120
"""Columns of a table of sentences if the output is not a terminal."""


def wide_console(quiet: bool, width: int = WIDE) -> Console:
    """Return a console for tables, of a width that suits them if the output is not a terminal."""
    console = Console(quiet=quiet)
    return console if console.is_terminal else Console(quiet=quiet, width=width)


def print_rows(
    heads: Iterable[str], rows: Iterable[Iterable[str | Text]], width: int = WIDE
) -> None:
    """Print rows as a table on standard output."""
    table = Table(*heads)
    table.columns[0].no_wrap = True  # the name
    for row in rows:
        table.add_row(*row)
    print_table(table, wide_console(False, width))


def print_table(table: Table, console: Console) -> None:
    """Print a table; if the terminal is too narrow for it, one block of lines per row.

    Texts are wrapped between words only. Spare width goes to the first columns; by default rich
    shrinks the widest one first, names included.
    """
    wide = console.options.update(max_width=WIDE)
    sizes = [
        measure_renderables(console, wide, [column.header, *column.cells])
        for column in table.columns
    ]
    for column, size in zip(table.columns, sizes, strict=True):
        column.width = size.maximum if column.no_wrap else size.minimum
    spare = console.width - sum(column.width + BORDER for column in table.columns) - 1
    if spare >= 0:
        for column, size in zip(table.columns, sizes, strict=True):
            extra = min(spare, size.maximum - column.width)
            column.width, spare = column.width + extra, spare - extra
        console.print(table)
        return
    for line in _lines(table):
        for part in _wrap(line, console.width):
            console.print(part, highlight=False, soft_wrap=True)


def _plain(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain


def _lines(table: Table) -> Iterator[Text]:
    """Iterate over the title, and a block for every row: its first cell, then the others."""
    if table.title:
        yield Text(_plain(table.title), style='italic')
    heads = [' '.join(_plain(column.header).split()) for column in table.columns]
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        first, *others = (' '.join(_plain(cell).split()) for cell in cells)
        yield Text(first, style='bold')
        for head, cell in zip(heads[1:], others, strict=True):
            if cell:
                yield Text(f'  {head}: {cell}' if head else f'  {cell}')


def _wrap(line: Text, width: int) -> Iterator[Text]:
    """Iterate over the parts of a line that fit into a width, but for words that do not."""
    parts = textwrap.wrap(
        line.plain, width, subsequent_indent='    ', break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    yield from (Text(part, style=line.style) for part in parts or [''])


def plain(value: float | None, form: str) -> str:
    """Return a number as text, ``-`` for none and for NaN."""
    return UNKNOWN if value is None or math.isnan(value) else format(value, form)
