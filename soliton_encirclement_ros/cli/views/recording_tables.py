"""A comparison of recordings as terminal tables."""

import math
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.views.comparison_tables import number
from soliton_encirclement_ros.cli.views.terminal_tables import print_table

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.compare.comparison_records import (
        FigureRow,
        RecordingComparison,
    )

UNKNOWN = '-'


def print_recordings(comparison: 'RecordingComparison', console: Console) -> None:
    """Print alignment, figures, deviations over time, and the warnings."""
    print_table(_heads(comparison), console)
    print_table(_figures(comparison), console)
    if comparison.deviations:
        print_table(_deviations(comparison), console)
    if comparison.differing:
        _line(console, f'the scenarios differ in {", ".join(comparison.differing)}')
    for note in comparison.notes:
        _line(console, note, 'yellow')
    for side in comparison.sides:
        for problem in side.problems:
            _line(console, f'{side.name}: {problem}', 'yellow')


def _line(console: Console, text: str, style: str = '') -> None:
    console.print(text, style=style, highlight=False, soft_wrap=True, markup=False)


def _heads(comparison: 'RecordingComparison') -> Table:
    table = Table('', 'recording', 'clock', title=f'aligned by {comparison.align}')
    for title in ('duration [s]', 'agents', 'time 0 at [s]'):
        table.add_column(title, justify='right')
    for i, (side, zero) in enumerate(zip(comparison.sides, comparison.zeros, strict=True)):
        cells = (f'{side.duration:.1f}', str(side.agents), f'{zero:.2f}')
        table.add_row(letter(i), escape(side.name), side.clock, *cells)
    return table


def letter(i: int) -> str:
    """Return the label of the i-th recording: A, B, ... Z, then R27, R28."""
    return chr(ord('A') + i) if i < 26 else f'R{i + 1}'


def _figures(comparison: 'RecordingComparison') -> Table:
    table = Table('', title='figures; difference and ratio against A')
    for i in range(len(comparison.sides)):
        table.add_column(letter(i), justify='right', no_wrap=True)
        if i:
            table.add_column(f'{letter(i)} - A', justify='right', no_wrap=True)
            table.add_column(f'{letter(i)} / A', justify='right', no_wrap=True)
    for row in comparison.rows:
        label = f'{row.name} [{row.unit}]' if row.unit else row.name
        table.add_row(escape(label), *_cells(row))
    return table


def _cells(row: 'FigureRow') -> list[str]:
    found = []
    triples = zip(row.values, row.differences, row.ratios, strict=True)
    for i, (value, difference, ratio) in enumerate(triples):
        found.append(shown(value))
        if i:
            found += [shown(difference, sign=True), '' if ratio is None else f'{ratio:.3g}']
    return found


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
    letters = {side.name: letter(i) for i, side in enumerate(comparison.sides)}
    for one in comparison.deviations:
        label = f'{one.curve} [{one.unit}]' if one.unit else one.curve
        table.add_row(
            escape(label), letters[one.side], number(one.mean_first), number(one.mean),
            shown(one.bias, sign=True), number(one.rms), number(one.largest), f'{one.at:.2f}',
        )  # fmt: skip
    return table
