"""``swarm sweep``: many runs from one file, resumable, on all cores or on a Dask cluster.

Warnings come before the first run, on standard error; the result is text or JSON.
"""

import math
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple, Optional

import typer
from rich.console import Console
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted

from soliton_encirclement_ros.cli.options import (
    PATH,
    TEXT,
    Count,
    check_folder,
    check_scheduler,
    refuse_together,
)
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.views.run_report import if_installed
from soliton_encirclement_ros.cli.views.terminal_display import wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.run.finished_run import FAILED, INTERRUPTED


class SweepOutcome(NamedTuple):
    """Result of one call of ``swarm sweep``.

    Attributes:
        folder: The sweep's folder.
        monitor: The monitor, with the number of finished runs and the failed ones.
        kept: Number of runs stored before.
        results: Its tables.
        tables: Files with tables.
        drawn: Files with plots.
    """

    folder: Path
    monitor: Any
    kept: int
    results: Any
    tables: list[Path]
    drawn: list[Path]


def report_sweep(planned: Any, outcome: SweepOutcome, console: Console, json_wanted: bool) -> None:
    """Print the number of runs and the files; as JSON if requested."""
    monitor = outcome.monitor
    counts = f'{counted(monitor.flown, "run")} flown, {outcome.kept} kept from before'
    print_line(f'{counts}, {len(monitor.failed)} failed', console)
    for title, paths in (('tables', outcome.tables), ('pictures', outcome.drawn)):
        if paths:
            print_line(f'{title}: {"  ".join(map(str, paths))}', console)
    if json_wanted:
        print_json(_content(planned, outcome))


def print_line(line: str, console: Console) -> None:
    """Print a line as it is."""
    console.print(line, highlight=False, soft_wrap=True, markup=False)


def _content(planned: Any, outcome: SweepOutcome) -> dict[str, Any]:
    monitor, results = outcome.monitor, outcome.results
    return {
        'sweep': planned.name,
        'folder': str(outcome.folder),
        'runs': len(planned.runs),
        'kept': outcome.kept,
        'flown': monitor.flown,
        'left_out': [{'run': run.label, 'why': why} for run, why in monitor.failed],
        'tables': list(map(str, outcome.tables)),
        'pictures': list(map(str, outcome.drawn)),
        'statistics': [_plain(row) for row in results.statistics.rows],
        'paired': [_plain(row) for row in results.paired.rows],
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for JSON: infinite values, counted by ``never``, are null."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }


MAX_WARNINGS = 5


def warn_of_points(planned: Any) -> None:
    """Warn of unlikely values in the first points, and of points that fly alike."""
    from soliton_encirclement_ros.core.scenario.overrides import flown_alike, varied_in_vain

    first = {run.point.number: run.scenario for run in reversed(planned.runs[:1000])}
    lines = [line for scenario in first.values() for line in scenario.warnings]
    vain = varied_in_vain(planned.keys, first.values()) or flown_alike(
        planned.keys, first.values(), len(planned.seeds)
    )
    warnings = dict.fromkeys([*vain, *lines])
    for line in list(warnings)[:MAX_WARNINGS]:
        print(f'warning: {line}', file=sys.stderr)
    if len(warnings) > MAX_WARNINGS:
        more = counted(len(warnings) - MAX_WARNINGS, 'more warning')
        print(f'warning: {more} of this kind', file=sys.stderr)


def warn_of_another_sweep(path: Path, text: str) -> None:
    """Warn if the folder belongs to another sweep, or to an earlier version of this one."""
    try:
        other = path.read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError):
        return  # there is none, or it cannot be read
    if other != text:
        print(
            f'warning: {path} is another sweep: its runs are kept, its tables and pictures '
            'are replaced',
            file=sys.stderr,
        )


COPY = 'sweep.yaml'


def sweep(
    file: str = typer.Argument(
        help='Sweep file, or name of an installed sweep.', show_default=False
    ),
    out: Optional[Path] = typer.Option(
        None, click_type=PATH, help='Output folder of the sweep.', show_default='sweeps/NAME'
    ),
    jobs: Optional[int] = typer.Option(
        None,
        click_type=Count(min=1),
        help='Parallel runs on this machine.',
        show_default='one per core',
    ),
    scheduler: Optional[str] = typer.Option(
        None,
        click_type=TEXT,
        help='Dask scheduler whose workers simulate, such as tcp://host:8786.',
    ),
    pictures: bool = typer.Option(True, '--pictures/--no-pictures', help='Draw pictures.'),
    dry_run: bool = typer.Option(
        False, '--dry-run', help='Only print the number of runs, the folder and the expected time.'
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print JSON, no progress.'),
) -> int:
    """Simulate the missing runs of a sweep, then write its tables and pictures.

    Finished runs are never repeated: the same command resumes an interrupted sweep.

    Exits with 1 if a run failed.
    """
    refuse_together(
        (f'--jobs {jobs}', jobs), (f'--scheduler {scheduler}', scheduler),
        why='the workers of the scheduler set the number of parallel runs; leave out --jobs',
    )  # fmt: skip
    from soliton_encirclement_ros.core.run.run_folder import code_version
    from soliton_encirclement_ros.sim.sweeps.run_store import Store
    from soliton_encirclement_ros.sim.sweeps.sweep_file import find_sweep, load_sweep

    planned = load_sweep(find_sweep(file), code_version())
    warn_of_points(planned)
    folder = Path('sweeps', planned.name) if out is None else out
    check_scheduler(scheduler)
    check_folder('--out', folder)
    at_once = None if scheduler else jobs or len(os.sched_getaffinity(0))
    _check_machine(planned, at_once, folder)
    if dry_run:
        return _forecast(planned, folder, at_once, json_wanted)
    with Store(folder) as store:
        warn_of_another_sweep(folder / COPY, planned.text)
        _write_copy(folder / COPY, planned.text)
        return _Flight(planned, store, folder, scheduler, json_wanted).go(jobs, pictures)


def _check_machine(planned: Any, at_once: int | None, folder: Path) -> None:
    """Refuse runs that do not fit into the memory of this machine; a cluster is not checked.

    Raises:
        RunError: They do not fit.
    """
    if at_once is None:
        return
    from soliton_encirclement_ros.cli.runs.run_start import check_machine, this_machine
    from soliton_encirclement_ros.core.run.machine_resources import all_needs, simulation_needs

    each = [simulation_needs(run.scenario, study=True) for run in planned.runs]
    needs = all_needs(each, at_once)
    what, advice = f'{len(planned.runs)} runs, {at_once} in parallel', 'reduce --jobs'
    check_machine(needs, this_machine(folder), what, advice)


def _forecast(planned: Any, folder: Path, at_once: int | None, json_wanted: bool) -> int:
    """Print what a sweep would do."""
    from soliton_encirclement_ros.cli.studies.sweep_output import (
        forecast,
        forecast_json,
        print_forecast,
    )

    found = forecast(planned, folder, at_once)
    if json_wanted:
        print_json(forecast_json(planned, found))
    else:
        print_forecast(planned, found, wide_console(False))
    return 0


class _Flight:
    """One call of the verb, from the first run to the last plot."""

    def __init__(
        self, planned: Any, store: Any, folder: Path, scheduler: str | None, json_wanted: bool
    ) -> None:
        self._planned = planned
        self._store = store
        self._folder = folder
        self._scheduler = scheduler
        self._json = json_wanted
        self._console = wide_console(json_wanted)

    def go(self, jobs: int | None, pictures: bool) -> int:
        """Execute all steps and return the exit code."""
        from soliton_encirclement_ros.cli.studies.sweep_output import SweepProgress
        from soliton_encirclement_ros.sim.sweeps.run_store import BrokenOffError

        runs = self._store.missing(self._planned.runs)
        kept = len(self._planned.runs) - len(runs)
        print_line(self._begin(len(runs), kept), self._console)
        self._prepare(runs)
        self._interrupt = Interrupt()
        monitor = SweepProgress(self._console, self._store, self._interrupt, runs, kept)
        try:
            with monitor:
                _fly(runs, jobs, self._scheduler, monitor)
        except BrokenOffError as error:
            print_error(str(error))
            return FAILED
        if self._interrupt:
            there = kept + monitor.flown
            print_error(
                f'interrupted; {there} of {len(self._planned.runs)} runs are kept in '
                f'{self._folder}: the same command resumes the sweep'
            )
            return INTERRUPTED
        return self._finish(monitor, kept, pictures)

    def _prepare(self, runs: list[Any]) -> None:
        """Prepare the runs; until then ctrl-C just ends everything, compilation included."""
        outdated = self._store.outdated(runs)
        if outdated:
            print(
                f'note: {outdated} runs are from another version of the code: repeated',
                file=sys.stderr,
            )
        if runs and self._scheduler is None:
            from soliton_encirclement_ros.cli.views.compilation_progress import get_ready_visibly

            get_ready_visibly(run.scenario for run in runs)

    def _finish(self, monitor: Any, kept: int, pictures: bool) -> int:
        from soliton_encirclement_ros.cli.studies import sweep_output

        results = sweep_output.collect(self._planned, self._store)
        try:
            tables = sweep_output.write_tables(self._folder, results)
        except RunError as error:
            print_error(str(error))
            return FAILED
        drawn: list[Path] = []
        if pictures and results.runs:
            with self._console.status('drawing the pictures'):
                drawn = if_installed(
                    'pictures',
                    lambda: sweep_output.draw(
                        self._folder, self._planned, self._store, results, self._interrupt
                    ),
                )
        if results.runs:
            sweep_output.print_results(results, self._console)
        outcome = SweepOutcome(self._folder, monitor, kept, results, tables, drawn)
        report_sweep(self._planned, outcome, self._console, self._json)
        if self._interrupt:
            return INTERRUPTED
        return FAILED if monitor.failed else 0

    def _begin(self, runs: int, kept: int) -> str:
        points, seeds = len(self._planned.points), len(self._planned.seeds)
        asked = f'{points} x {seeds} (points x seeds) = {counted(runs + kept, "run")}'
        text = f'{self._planned.name}: {asked}'
        return f'{text}, {kept} of them kept from before' if kept else text


def _fly(runs: list[Any], jobs: int | None, scheduler: str | None, monitor: Any) -> None:
    """Fly the missing runs, here or on a cluster."""
    if not runs:
        return
    if scheduler is not None:
        from soliton_encirclement_ros.sim.sweeps.cluster import fly_on_cluster

        fly_on_cluster(runs, scheduler, monitor)
    else:
        from soliton_encirclement_ros.sim.sweeps.local_runs import fly_locally

        fly_locally(runs, jobs or len(os.sched_getaffinity(0)), monitor)


def _write_copy(path: Path, text: str) -> None:
    try:
        with replacing(path) as part:
            part.write_text(text, encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write: {error.strerror}') from None
