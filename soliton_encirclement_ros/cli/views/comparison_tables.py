"""Comparisons as terminal tables."""

import math
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.views.terminal_tables import print_table
from soliton_encirclement_ros.core.run.law_comparison import ComparisonRow, LawComparison
from soliton_encirclement_ros.core.run.sample_statistics import Spread

FIRST_COLUMN, COLUMN = 36, 16
"""Widths of the label and of a controller, with their borders [characters]."""

BEST = 'bold green'


def print_comparison(comparison: LawComparison, console: Console) -> None:
    """Print one scenario: figures by controller, then seed by seed, then the omitted runs."""
    for controllers in _parts(list(comparison.seeds), console):
        print_table(_figures(comparison, controllers), console)
    if len(comparison.seeds) > 1:
        for controllers in _parts(list(comparison.seeds), console):
            print_table(_duels(comparison, controllers), console)
    for name, reason in comparison.left_out:
        line = f'left out: {escape(name)}: {reason}'
        console.print(line, style='yellow', highlight=False, soft_wrap=True)


def _parts(controllers: Sequence[str], console: Console) -> Iterator[Sequence[str]]:
    """Cut the controllers into parts that fit beside each other on a terminal."""
    count = len(controllers)
    if console.is_terminal:
        count = max(1, (console.width - FIRST_COLUMN) // COLUMN)
    for i in range(0, len(controllers), max(1, count)):
        yield controllers[i : i + count]


def _figures(comparison: LawComparison, controllers: Sequence[str]) -> Table:
    title = f'{comparison.scenario}: median over the seeds, lowest..highest below'
    table = Table('', title=title, min_width=FIRST_COLUMN)
    for controller in controllers:
        table.add_column(_head(comparison, controller), justify='right', no_wrap=True)
    table.add_column('best /\nnext', justify='right')
    for row in comparison.rows:
        cells = [_cell(row, controller) for controller in controllers]
        ratio = '' if row.ratio is None else f'{row.ratio:.2f}'
        table.add_row(escape(row.figure.label), *cells, ratio)
    return table


def _head(comparison: LawComparison, controller: str) -> str:
    return f'{controller}\n{counted(len(comparison.seeds[controller]), "seed")}'


def _cell(row: ComparisonRow, controller: str) -> str:
    spread = row.spreads[controller]
    if spread is None:
        return '-'
    median = number(spread.median)
    if controller in row.best:
        median = f'[{BEST}]{median}[/]'
    return f'{median}\n{_range(spread)}' if spread.count > 1 else median


def _range(spread: Spread) -> str:
    return f'[dim]{number(spread.lowest)}..{number(spread.highest)}[/]'


def number(value: float) -> str:
    """Return a figure with two to four digits, ``never`` for an infinite one."""
    if not math.isfinite(value):
        return 'never'
    size = abs(value)
    form = '.1e' if 0.0 < size < 0.01 else '.3f' if size < 10.0 else '.1f'
    return format(value, form)


def _duels(comparison: LawComparison, controllers: Sequence[str]) -> Table:
    title = f'{comparison.scenario}: row better than column in k of n seeds'
    table = Table('', title=title, min_width=FIRST_COLUMN)
    for controller in controllers:
        table.add_column(controller, justify='right', no_wrap=True)
    found = {(duel.figure, duel.controller, duel.other): duel for duel in comparison.duels}
    for figure in dict.fromkeys(duel.figure for duel in comparison.duels):
        for one in comparison.seeds:
            duels = [found.get((figure, one, other)) for other in controllers]
            cells = ['' if duel is None else f'{duel.better} of {duel.seeds}' for duel in duels]
            table.add_row(f'{figure}: {one}', *cells)
        table.add_section()
    return table
