"""Tables on terminals of every width: no name and no number is ever cut."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

BORDER = 3
"""Characters between two columns: a line with a space on either side."""

WIDE = 1000
"""Columns of what is no terminal: as many as any table needs."""


def wide_console(quiet: bool) -> Console:
    """Return a console for tables: as wide as they need where the output is no terminal."""
    console = Console(quiet=quiet)
    return console if console.is_terminal else Console(quiet=quiet, width=WIDE)


def print_table(table: Table, console: Console) -> None:
    """Print a table; where the terminal is too narrow for it, row by row in blocks of lines.

    Only texts of several words are broken, between words.
    """
    spare = console.width - needed_width(table)
    if spare >= 0:
        _share_out(table, spare)
        console.print(table)
        return
    for line in _lines(table):
        console.print(line, highlight=False, soft_wrap=True)


def needed_width(table: Table) -> int:
    """Return how many characters a line of a table takes at least."""
    return sum(_needed(column) + BORDER for column in table.columns) + 1


def _share_out(table: Table, spare: int) -> None:
    """Give every column what it needs, and what is spare to the first ones until they have all.

    By itself a table takes from the widest column first, names included.
    """
    for column in table.columns:
        extra = min(spare, _longest_line(column) - _needed(column))
        column.width = _needed(column) + extra
        spare -= extra


def _needed(column: Column) -> int:
    """Return the width of what cannot be broken in a column."""
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
