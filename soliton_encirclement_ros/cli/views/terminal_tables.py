"""Tables on terminals of any width, without truncated names or numbers."""

import math
import textwrap
from collections.abc import Iterator

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

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


def print_table(table: Table, console: Console) -> None:
    """Print a table; if the terminal is too narrow for it, one block of lines per row.

    Texts are wrapped between words only.
    """
    spare = console.width - needed_width(table)
    if spare >= 0:
        _share_out(table, spare)
        console.print(table)
        return
    for line in _lines(table):
        for part in _wrapped(line, console.width):
            console.print(part, highlight=False, soft_wrap=True)


def needed_width(table: Table) -> int:
    """Return the minimum width of a table [characters]."""
    return sum(_needed(column) + BORDER for column in table.columns) + 1


def _share_out(table: Table, spare: int) -> None:
    """Give every column its minimum width, and spare width to the first columns.

    By default rich shrinks the widest column first, names included.
    """
    for column in table.columns:
        extra = min(spare, _longest_line(column) - _needed(column))
        column.width = _needed(column) + extra
        spare -= extra


def _needed(column: Column) -> int:
    """Return the width of the longest word of a column, or line without wrapping."""
    if column.no_wrap:
        return _longest_line(column)
    return max((len(word) for text in _texts(column) for word in text.split()), default=0)


def _longest_line(column: Column) -> int:
    return max((len(line) for text in _texts(column) for line in text.split('\n')), default=0)


def _texts(column: Column) -> list[str]:
    return [_plain(column.header), *map(_plain, column.cells)]


def _plain(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain


def _lines(table: Table) -> Iterator[Text]:
    """Iterate over the title, and a block for every row: its first cell, then the others."""
    if table.title:
        yield Text(_plain(table.title), style='italic')
    heads = [' '.join(_plain(column.header).split()) for column in table.columns]
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        first, *rest = (' '.join(_plain(cell).split()) for cell in cells)
        yield Text(first, style='bold')
        for head, cell in zip(heads[1:], rest, strict=True):
            if cell:
                yield Text(f'  {head}: {cell}' if head else f'  {cell}')


def _wrapped(line: Text, width: int) -> Iterator[Text]:
    """Iterate over the parts of a line that fit into a width, but for words that do not."""
    parts = textwrap.wrap(
        line.plain, width, subsequent_indent='    ', break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    yield from (Text(part, style=line.style) for part in parts or [''])


def plain(value: float | None, form: str) -> str:
    """Return a number as text, ``-`` for none and for NaN."""
    return UNKNOWN if value is None or math.isnan(value) else format(value, form)
