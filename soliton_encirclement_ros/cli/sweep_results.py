"""Output of a sweep: tables, plots, and a summary of the most important numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Printed
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.analysis.sweep.sweep_tables import (
    MeasuredFigures,
    Row,
    SweepTable,
    measure,
    paired_table,
    run_table,
    statistics_table,
)
from soliton_encirclement_ros.analysis.table_files import write_csv, write_parquet
from soliton_encirclement_ros.cli.output import print_error
from soliton_encirclement_ros.cli.views.comparison_tables import number
from soliton_encirclement_ros.cli.views.terminal_tables import print_table
from soliton_encirclement_ros.core.run.sweep_runs import CONTROLLER, Curves, SweptRun, shown
from soliton_encirclement_ros.sim.sweeps import PlannedRun, Store, Sweep

SHOWN = ('E_gap', 'E_r', 'settling_time', 'as_published/M1_P95_e_pooled')
MAX_POINTS = 25
"""Maximum number of printed points; the files have them all."""


class Results(NamedTuple):
    """All results of the finished runs of a sweep."""

    runs: list[MeasuredFigures]
    table: SweepTable
    statistics: SweepTable
    paired: SweepTable


def collect(sweep: Sweep, store: Store) -> Results:
    """Read the finished runs of a sweep, in order of its design, and make the tables."""
    swept = [
        SweptRun(kept.run.point, kept.run.scenario.run.seed, kept.summary, kept.study)
        for kept in store.read(sweep.runs)
    ]
    runs = measure(swept)
    return Results(runs, run_table(runs), statistics_table(runs), paired_table(runs))


def write_tables(folder: Path, results: Results) -> list[Path]:
    """Write all tables; one that would be empty is left out, and an old one of it removed.

    Raises:
        RunError: One cannot be written.
    """
    written = []
    tables = {
        'table': results.table, 'statistics': results.statistics, 'paired': results.paired,
    }  # fmt: skip
    parquet = True
    for name, table in tables.items():
        comma, columnar = folder / f'{name}.csv', folder / f'{name}.parquet'
        if not table.rows:
            comma.unlink(missing_ok=True)
            columnar.unlink(missing_ok=True)
            continue
        write_csv(comma, table)
        written.append(comma)
        parquet = parquet and write_parquet(columnar, table)
        if parquet:
            written.append(columnar)
    if not parquet:
        print_error('no Parquet tables, only CSV: pip install pyarrow and run the same again')
    return written


def draw(
    folder: Path, sweep: Sweep, store: Store, results: Results, interrupt: Interrupt
) -> list[Path]:
    """Draw the plots; an interrupt skips the rest."""
    from soliton_encirclement_ros.analysis.plots.sweep_plots import draw_sweep

    planned: dict[tuple[int, int], PlannedRun] = {
        (run.point.number, run.scenario.run.seed): run for run in sweep.runs
    }

    def curves(run: SweptRun) -> Curves:
        return store.curves(planned[run.point.number, run.seed])

    drawn: list[Path] = []
    try:
        for picture in draw_sweep(folder, sweep.name, results.runs, curves):
            drawn.append(picture)
            if interrupt:
                break
    except OSError as error:
        print_error(f'{folder}: cannot draw: {error.strerror}')
    return drawn


def print_results(results: Results, console: Console) -> None:
    """Print the best points by E_gap, and how the laws compare."""
    print_table(_points(results), console)
    if results.paired.rows:
        print_table(_pairs(results.paired.rows), console)


def _points(results: Results) -> Printed:
    by_point: dict[int, dict[str, Row]] = {}
    for row in results.statistics.rows:
        by_point.setdefault(row['point'], {})[row['figure']] = row
    figures = [name for name in SHOWN if any(
        point.get(name, {}).get('count') for point in by_point.values()
    )]  # fmt: skip
    listed = list(by_point.values())
    title = f'median over the seeds, 95 % interval; {counted(len(results.runs), "run")}'
    if len(listed) > MAX_POINTS:
        title += f'; the {MAX_POINTS} of {len(listed)} points with the least E_gap'
        listed.sort(key=lambda point: _order(point['E_gap']['median']))
    printed = Printed('', title=title)
    for name in figures:
        printed.add_column(name.rpartition('/')[2], justify='right', no_wrap=True)
    labels = {one.run.point.number: _label(one.run) for one in results.runs}
    for point in listed[:MAX_POINTS]:
        cells = [_cell(point[name]) for name in figures]
        printed.add_row(escape(labels[point['E_gap']['point']]), *cells)
    return printed


def _label(run: SweptRun) -> str:
    values = [shown(v) for key, v in run.point.values.items() if key != CONTROLLER]
    return ' '.join([run.point.controller, *values])


def _order(value: float | None) -> float:
    return float('inf') if value is None else value


def _cell(row: Row) -> str:
    if row['median'] is None:
        return '-'
    text = number(row['median'])
    if row['median_low'] is None:
        return text
    return f'{text} [dim]({number(row["median_low"])}..{number(row["median_high"])})[/]'


def _pairs(rows: Sequence[Row]) -> Printed:
    """Show E_gap and E_r of every pair of laws, all points together where there are several."""
    chosen: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if row['figure'] in SHOWN[:2]:
            chosen[row['figure'], row['controller'], row['other']] = row
    printed = Printed('', title='seed by seed: mean difference, 95 % interval')
    for name in ('difference', 'better', 'worse', 'pairs'):
        printed.add_column(name, justify='right', no_wrap=True)
    for (figure, law, other), row in chosen.items():
        low, high = row['mean_low'], row['mean_high']
        mean = '-' if row['mean'] is None else number(row['mean'])
        band = '' if low is None else f' [dim]({number(low)}..{number(high)})[/]'
        counts = [str(row[name]) for name in ('better', 'worse', 'count')]
        printed.add_row(f'{figure}: {law} - {other}', mean + band, *counts)
    return printed
