"""Comparisons of controllers and of recordings as terminal tables."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.views.terminal_display import UNKNOWN, print_line, print_table
from soliton_encirclement_ros.experiments.law_comparison import ComparisonRow, LawComparison
from velocity_mobility_ros.core.user_errors import counted

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.comparison_records import FigureRow, RecordingComparison


FIRST_COLUMN, COLUMN = 36, 16
"""Widths of the label and of a controller, with their borders [characters]."""

BEST = 'bold green'


def print_comparison(comparison: LawComparison, console: Console) -> None:
    """Print one scenario: figures by controller, then seed by seed, then the omitted runs."""
    for controllers in _column_groups(list(comparison.seeds), console):
        print_table(_figures(comparison, controllers), console)
    if len(comparison.seeds) > 1:
        for controllers in _column_groups(list(comparison.seeds), console):
            print_table(_duels(comparison, controllers), console)
    for name, reason in comparison.left_out:
        print_line(console, f'left out: {name}: {reason}', 'yellow')


def _column_groups(controllers: Sequence[str], console: Console) -> Iterator[Sequence[str]]:
    """Split the controllers into groups that fit beside each other on a terminal."""
    count = len(controllers)
    if console.is_terminal:
        count = max(1, (console.width - FIRST_COLUMN) // COLUMN)
    for i in range(0, len(controllers), max(1, count)):
        yield controllers[i : i + count]


def _figures(comparison: LawComparison, controllers: Sequence[str]) -> Table:
    title = f'{comparison.scenario}: median over the seeds, lowest..highest below'
    table = Table('', title=title, min_width=FIRST_COLUMN)
    for controller in controllers:
        seeds = counted(len(comparison.seeds[controller]), 'seed')
        table.add_column(f'{controller}\n{seeds}', justify='right', no_wrap=True)
    table.add_column('best /\nnext', justify='right')
    for row in comparison.rows:
        cells = [_cell(row, controller) for controller in controllers]
        ratio = '' if row.ratio is None else f'{row.ratio:.2f}'
        table.add_row(escape(row.figure.label), *cells, ratio)
    return table


def _cell(row: ComparisonRow, controller: str) -> str:
    spread = row.spreads[controller]
    if spread is None:
        return UNKNOWN
    median = number(spread.median)
    if controller in row.best:
        median = f'[{BEST}]{median}[/]'
    if spread.count == 1:
        return median
    return f'{median}\n[dim]{number(spread.lowest)}..{number(spread.highest)}[/]'


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
    by_pair = {(d['figure'], d['controller'], d['other']): d for d in comparison.duels}
    for figure in dict.fromkeys(duel['figure'] for duel in comparison.duels):
        for law in comparison.seeds:
            duels = [by_pair.get((figure, law, other)) for other in controllers]
            cells = [f'{duel["better"]} of {duel["seeds"]}' if duel else '' for duel in duels]
            table.add_row(f'{figure}: {law}', *cells)
        table.add_section()
    return table


def print_recordings(comparison: 'RecordingComparison', console: Console) -> None:
    """Print alignment, figures, deviations over time, and the warnings."""
    print_table(_heads(comparison), console)
    print_table(_recorded_figures(comparison), console)
    if comparison.deviations:
        print_table(_deviations(comparison), console)
    if comparison.tracks:
        print_table(_tracks(comparison), console)
    if comparison.differing:
        print_line(console, f'the scenarios differ in {", ".join(comparison.differing)}')
    for note in comparison.notes:
        print_line(console, note, 'yellow')
    for side in comparison.sides:
        for problem in side.problems:
            print_line(console, f'{side.name}: {problem}', 'yellow')


def _heads(comparison: 'RecordingComparison') -> Table:
    table = Table('', 'recording', 'clock', title=f'aligned by {comparison.align}')
    for title in ('duration [s]', 'agents', 'time 0 at [s]'):
        table.add_column(title, justify='right')
    triples = zip(comparison.letters, comparison.sides, comparison.zeros, strict=True)
    for letter, side, zero in triples:
        cells = (f'{side.duration:.1f}', str(side.agents), f'{zero:.2f}')
        table.add_row(letter, escape(side.name), side.clock, *cells)
    return table


def _recorded_figures(comparison: 'RecordingComparison') -> Table:
    table = Table('', title='figures; difference and ratio against A')
    for i, letter in enumerate(comparison.letters):
        titles = (letter, f'{letter} - A', f'{letter} / A')
        for title in titles if i else titles[:1]:
            table.add_column(title, justify='right', no_wrap=True)
    for row in comparison.rows:
        label = f'{row.name} [{row.unit}]' if row.unit else row.name
        table.add_row(escape(label), *_cells(row))
    return table


def _cells(row: 'FigureRow') -> list[str]:
    cells = []
    triples = zip(row.values, row.differences, row.ratios, strict=True)
    for i, (value, difference, ratio) in enumerate(triples):
        cells.append(shown(value))
        if i:
            cells += [shown(difference, sign=True), '' if ratio is None else f'{ratio:.3g}']
    return cells


def shown(value: float | None, sign: bool = False) -> str:
    """Return a figure as text; a difference shows its sign, and is empty where unknown."""
    if value is None or math.isnan(value):
        return '' if sign else UNKNOWN
    if isinstance(value, int) and not sign:
        return str(value)
    return ('+' if sign and value > 0.0 else '') + number(value)


def _deviations(comparison: 'RecordingComparison') -> Table:
    begin, end = comparison.time[0], comparison.time[-1]
    table = Table('', title=f'curves against A, {begin:.2f} s to {end:.2f} s')
    for title in ('of', 'mean of A', 'its mean', 'difference', 'RMS of it', 'largest', 'at [s]'):
        table.add_column(title, justify='right' if title != 'of' else 'left', no_wrap=True)
    for deviation in comparison.deviations:
        label = f'{deviation.curve} [{deviation.unit}]' if deviation.unit else deviation.curve
        table.add_row(
            escape(label), comparison.letter_of[deviation.side], number(deviation.mean_first),
            number(deviation.mean), shown(deviation.bias, sign=True), number(deviation.rms),
            number(deviation.largest), f'{deviation.at:.2f}',
        )  # fmt: skip
    return table


MAX_TRACKS = 40
"""Agents shown; the JSON has them all."""


def _tracks(comparison: 'RecordingComparison') -> Table:
    table = Table('', title='distance to the same agent in A [m]')
    for title in ('of', 'mean', 'RMS', 'largest', 'at [s]'):
        table.add_column(title, justify='right' if title != 'of' else 'left', no_wrap=True)
    for track in comparison.tracks[:MAX_TRACKS]:
        cells = [f'{value:.2f}' for value in (track.mean, track.rms, track.largest, track.at)]
        table.add_row(escape(track.agent), comparison.letter_of[track.side], *cells)
    return table
