"""A fit as a terminal table."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.views.terminal_tables import print_table
from soliton_encirclement_ros.core.files.name_list import named

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.fit import Estimate, Fit


def print_fit(
    fit: 'Fit', problems: Sequence[str], written: Sequence[Path], console: Console
) -> None:
    """Print the parameters, their prediction error, the warnings, and the files."""
    table = Table('', 'value', '95 % interval', '', title=title(fit))
    for one in fit.estimates.values():
        table.add_row(one.name, *cells(one), escape(one.reason))
    print_table(table, console)
    lines = (
        f'RMS of predicted velocity on the last {fit.validation.samples} samples, not fitted: '
        f'{fit.validation.xy:.3g} m/s in xy, {fit.validation.z:.3g} m/s in z '
        f'(medians {fit.validation.usual_xy:.3g} and {fit.validation.usual_z:.3g})',
        f'the same on the fitted samples: {fit.fitted.xy:.3g} and {fit.fitted.z:.3g} m/s; '
        f'roughness of the odometry alone: {fit.noise[0]:.3g} and {fit.noise[1]:.3g} m/s',
    )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True, markup=False)
    for line in problems:
        console.print(line, style='yellow', highlight=False, soft_wrap=True, markup=False)
    for path in written:
        console.print(str(path), highlight=False, soft_wrap=True, markup=False)


def title(fit: 'Fit') -> str:
    """Return the fitted agents and the amount of data."""
    return escape(f'{named(fit.agents)}: {fit.used:.0f} s of flight, up to {fit.until:.1f} s')


def cells(one: 'Estimate') -> tuple[str, str]:
    """Return value and interval as text."""
    if not one.known:
        return 'not identifiable', ''
    if one.value is None:
        return 'none', ''
    value, low, high = (f'{round(x, 5) + 0.0:.5g}' for x in (one.value, one.low, one.high))
    return f'{value} {one.unit}', f'{low} .. {high}'
