"""Forecast, progress and output of a sweep: tables, plots, and the most important numbers.

``swarm sweep --dry-run`` says how many runs there are, where, and how long they take; nothing is
written. Whoever shows the progress also stores the finished runs.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.runs.run_start import wall_time
from soliton_encirclement_ros.cli.views.comparison_tables import number
from soliton_encirclement_ros.cli.views.terminal_display import (
    LiveDisplay, print_line, print_table, wide_console
)
from soliton_encirclement_ros.core.files import is_there
from soliton_encirclement_ros.core.run.machine_resources import simulation_needs
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.design import as_text
from soliton_encirclement_ros.experiments.result_tables import (
    SHOWN, RunTable, paired_table, run_table, statistics_table, write_table
)
from soliton_encirclement_ros.experiments.run_store import DATABASE, Curves, Finished, Store
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun, Sweep
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted

MAX_POINTS = 25
"""Maximum number of printed points; the files have them all."""


class Results(NamedTuple):
    """All results of the finished runs of a sweep; ``compared`` has what its statistics are of."""

    sweep: Sweep
    runs: RunTable
    compared: RunTable
    statistics: pd.DataFrame
    paired: pd.DataFrame


def collect(sweep: Sweep, store: Store) -> Results:
    """Read the finished runs of a sweep, in order of its design, and make the tables."""
    runs = run_table(list(store.read(sweep.runs)))
    if not len(runs.frame):
        return Results(sweep, runs, runs, runs.frame, runs.frame)
    compared = runs.select(sweep.comparison)
    paired = paired_table(compared, sweep.comparison.chosen)
    return Results(sweep, runs, compared, statistics_table(compared), paired)


def write_tables(folder: Path, results: Results) -> list[Path]:
    """Write all tables; one that would be empty is left out, and an old one of it removed.

    Raises:
        RunError: One cannot be written.
    """
    written, kinds = [], ['csv', 'parquet']
    tables = {
        'table': results.runs.frame, 'statistics': results.statistics, 'paired': results.paired,
    }  # fmt: skip
    for name, frame in tables.items():
        for kind in tuple(kinds):
            path = folder / f'{name}.{kind}'
            if not len(frame):
                path.unlink(missing_ok=True)
                continue
            try:
                write_table(path, frame)
            except ImportError:
                kinds.remove(kind)
                continue
            written.append(path)
    if len(kinds) < 2:
        print_error('no Parquet tables, only CSV: pip install pyarrow and run the same again')
    return written


def plots_of(folder: Path, store: Store, results: Results) -> Iterable[Path]:
    """Draw the plots, one after the other."""
    from soliton_encirclement_ros.experiments.sweep_plots import draw_sweep

    sweep = results.sweep
    planned = {(run.point.number, run.scenario.run.seed): run for run in sweep.runs}
    paired = results.paired if sweep.comparison.chosen else pd.DataFrame()

    def curves(point: int, seed: int) -> Curves:
        return store.curves(planned[point, seed])

    return draw_sweep(folder, sweep.name, results.compared, paired, curves)


def print_results(results: Results, console: Console) -> None:
    """Print the best points, and how the laws compare."""
    print_table(_points(results), console)
    if len(results.paired):
        several = results.paired['point'].nunique() > 1
        tallied = bool(results.sweep.comparison.chosen) and several
        print_table(_tallies(results) if tallied else _pairs(results), console)


def _shown(results: Results) -> list[str]:
    known = results.statistics.loc[results.statistics['count'] > 0, 'figure'].unique()
    usual = SHOWN if not results.sweep.comparison.metrics else results.sweep.comparison.metrics
    return [name for name in usual if name in known][: len(SHOWN)]


def _points(results: Results) -> Table:
    statistics, figures = results.statistics, _shown(results)
    points = list(statistics['point'].unique())
    title = f'median over the seeds, 95 % interval; {counted(len(results.runs.frame), "run")}'
    if len(points) > MAX_POINTS and figures:
        title += f'; the {MAX_POINTS} of {len(points)} points with the least {figures[0]}'
        first = statistics[statistics['figure'] == figures[0]]
        points = list(first.sort_values('median', kind='stable')['point'])
    printed = Table('', title=title)
    for name in figures:
        printed.add_column(name.rpartition('/')[2], justify='right', no_wrap=True)
    rows = {(row['point'], row['figure']): row for row in statistics.to_dict('records')}
    for point in points[:MAX_POINTS]:
        cells = [_interval(rows[point, name], 'median') for name in figures]
        row = rows[point, figures[0]]
        values = [as_text(row[key]) for key in results.runs.parameters if not pd.isna(row[key])]
        printed.add_row(escape(' '.join([row['controller'], *values])), *cells)
    return printed


def _interval(row: dict[str, Any], what: str) -> str:
    """Return a mean or median with its interval as text."""
    if pd.isna(row[what]):
        return '-'
    low, high = row[f'{what}_low'], row[f'{what}_high']
    text = number(row[what])
    return text if pd.isna(low) else f'{text} [dim]({number(low)}..{number(high)})[/]'


def _pairs(results: Results) -> Table:
    """Show two figures of every pair of laws, all points together where there are several."""
    paired = results.paired
    chosen = paired[paired['figure'].isin(_shown(results)[:2])]
    last = chosen.drop_duplicates(['figure', 'controller', 'other'], keep='last')
    printed = Table('', title='seed by seed: mean difference, 95 % interval')
    for name in ('difference', 'better', 'worse', 'pairs'):
        printed.add_column(name, justify='right', no_wrap=True)
    for row in last.to_dict('records'):
        counts = [str(row[name]) for name in ('better', 'worse', 'count')]
        name = f'{row["figure"]}: {row["controller"]} - {row["other"]}'
        printed.add_row(escape(name), _interval(row, 'mean'), *counts)
    return printed


def _tallies(results: Results) -> Table:
    """Show at how many points the chosen law is better and worse than each of the others."""
    rows = results.paired[results.paired['point'].notna()]
    figures = _shown(results)
    title = (
        f'at how many of {rows["point"].nunique()} points {results.sweep.comparison.chosen} is '
        'significantly better (+) and worse (−); median ratio to the other'
    )
    printed = Table('against', *map(escape, figures), title=escape(title))
    for other, group in rows.groupby('other', sort=False):
        cells = []
        for name in figures:
            rows_of_figure = group[group['figure'] == name]
            counts = rows_of_figure['verdict'].value_counts()
            ratio = rows_of_figure['ratio'].median()
            text = '–' if pd.isna(ratio) else f'{ratio:.2f}'
            cells.append(f'{counts.get("better", 0)}+ {counts.get("worse", 0)}−, {text}')
        printed.add_row(escape(str(other)), *cells)
    return printed


def forecast(planned: Sweep, folder: Path, jobs: int | None) -> dict[str, Any]:
    """Return what a sweep would do, for JSON; times in s.

    Args:
        planned: The sweep.
        folder: Its output folder.
        jobs: Number of parallel runs here; None on a cluster.

    Raises:
        RunError: The content of the folder cannot be used.
    """
    missing = planned.runs
    if is_there(folder / DATABASE):
        with Store(folder) as store:
            missing = store.missing(planned.runs)
    core_time = sum(simulation_needs(run.scenario, study=True).wall for run in missing)
    return {
        'sweep': planned.name,
        'folder': str(folder),
        'runs': len(planned.runs),
        'kept': len(planned.runs) - len(missing),
        'jobs': jobs,
        'expected_s': None if jobs is None else core_time / max(1, min(jobs, len(missing))),
        'expected_core_s': core_time,
    }


def print_forecast(planned: Sweep, folder: Path, at_once: int | None, json_wanted: bool) -> int:
    """Print what a sweep would do; write nothing. Arguments as of ``fly_sweep``."""
    estimate, console = forecast(planned, folder, at_once), wide_console(False)
    if json_wanted:
        print_json(estimate)
        return 0
    points, seeds = len(planned.points), len(planned.seeds)
    missing = estimate['runs'] - estimate['kept']
    new = '' if is_there(Path(estimate['folder'])) else ' (new)'
    if not missing:
        time_text = 'no runs, only tables and pictures'
    elif estimate['jobs'] is None:
        time_text = f'about {wall_time(estimate["expected_core_s"])} on one core like this'
    else:
        parallel = min(estimate['jobs'], missing)
        time_text = (f'about {wall_time(estimate["expected_s"])}, {parallel} in parallel; '
                     'then tables and pictures')  # fmt: skip
    lines = (
        f'{planned.name}: {points} x {seeds} (points x seeds) = '
        f'{counted(estimate["runs"], "run")}, {estimate["kept"]} kept from before, '
        f'{missing} to fly',
        f'folder: {estimate["folder"]}{new}',
        f'time: {time_text}',
    )
    for line in lines:
        print_line(console, line)
    return 0


MAX_LINES = 10
"""Maximum number of failed runs with a line of their own."""


class SweepProgress(LiveDisplay):
    """Monitor of a sweep: stores finished runs, counts, shows."""

    def __init__(
        self, console: Console, store: Store, interrupt: Interrupt, runs: Sequence[PlannedRun],
        kept: int,
    ) -> None:  # fmt: skip
        """Show a sweep.

        Args:
            console: The console.
            store: Store of the finished runs.
            interrupt: The request to stop.
            runs: Runs to simulate.
            kept: Number of runs stored before.
        """
        super().__init__(console)
        self.failed: list[tuple[PlannedRun, str]] = []
        self.flown = 0
        self._store = store
        self.interrupt = interrupt
        self._runs = len(runs)
        self.stored = kept
        self._work = sum(_work(run.scenario) for run in runs)
        self._done = 0

    def take(self, finished: Finished) -> None:
        """Store finished runs on disk; a failed one is reported in one line."""
        for run, record in finished:
            self._done += _work(run.scenario)
            if record.error:
                self.failed.append((run, record.error))
                if len(self.failed) <= MAX_LINES:
                    print_error(f'run failed: {run.label}: {record.error}')
        sound = [(run, record) for run, record in finished if not record.error]
        if sound:
            self._store.keep(sound)
            self.flown += len(sound)

    def note(self, line: str) -> None:
        """Print one line beside the progress."""
        print(f'note: {line}', file=sys.stderr)

    def turn(self) -> bool:
        """Draw if it is time to; return whether to continue."""
        self.update()
        return not self.interrupt

    def line(self) -> str:
        """Return the number of finished runs, and the time left."""
        total, done = self.stored + self._runs, self.stored + self.flown
        text = f'{done} of {total} runs'
        if self.stored:
            text += f' ({self.stored} kept from before)'
        if self.failed:
            text += f'  {len(self.failed)} failed'
        return f'{text}  {100.0 * self.share():.0f} %{self.left()}' if self._done else text

    def share(self) -> float:
        """Return how much is done."""
        return self._done / self._work if self._work else 1.0


def _work(scenario: Scenario) -> int:
    """Return the approximate amount of work of a run."""
    return scenario.ticks * scenario.run.num_agents
