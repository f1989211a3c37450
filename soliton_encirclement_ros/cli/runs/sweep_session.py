"""One call of ``swarm sweep``: warnings, the missing runs, tables, pictures, the result.

Warnings come before the first run, on standard error; the result is text or JSON.
"""

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.runs.run_start import check_machine, this_machine
from soliton_encirclement_ros.cli.runs.sweep_output import (
    Results, SweepProgress, collect, plots_of, print_results, write_tables
)
from soliton_encirclement_ros.cli.views.compilation_progress import load_code_visibly
from soliton_encirclement_ros.cli.views.run_report import draw
from soliton_encirclement_ros.cli.views.terminal_display import print_line, wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, writing
from soliton_encirclement_ros.core.run.finished_run import FAILED, INTERRUPTED
from soliton_encirclement_ros.core.run.machine_resources import all_needs, simulation_needs
from soliton_encirclement_ros.core.scenario.overrides import (
    no_effect_warnings, same_flight_warnings
)
from soliton_encirclement_ros.experiments.run_pool import fly_locally
from soliton_encirclement_ros.experiments.run_store import BrokenOffError, Store
from soliton_encirclement_ros.experiments.sweep_file import Sweep
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted

COPY = 'sweep.yaml'
MAX_WARNINGS = 5


def warn_of_points(planned: Sweep) -> None:
    """Warn of unlikely values in the first points, and of points that fly alike."""
    first = {run.point.number: run.scenario for run in reversed(planned.runs[:1000])}
    lines = [line for scenario in first.values() for line in scenario.warnings]
    keys = [key for key in planned.keys if '.' in key]
    vain = no_effect_warnings(keys, first.values())
    if not vain and len(keys) == len(planned.keys):  # names say themselves what is the same
        vain = same_flight_warnings(keys, first.values(), len(planned.seeds))
    warnings = dict.fromkeys([*vain, *lines])
    for line in list(warnings)[:MAX_WARNINGS]:
        print(f'warning: {line}', file=sys.stderr)
    if len(warnings) > MAX_WARNINGS:
        more = counted(len(warnings) - MAX_WARNINGS, 'more warning')
        print(f'warning: {more} of this kind', file=sys.stderr)


def check_memory(planned: Sweep, at_once: int, folder: Path) -> None:
    """Refuse runs that do not fit into the memory of this machine.

    Raises:
        RunError: They do not fit.
    """
    each = [simulation_needs(run.scenario, study=True) for run in planned.runs]
    needs = all_needs(each, at_once)
    what = f'{len(planned.runs)} runs, {at_once} in parallel'
    check_machine(needs, this_machine(folder), what, 'reduce --jobs')


def fly_missing(
    planned: Sweep, store: Store, folder: Path, at_once: int | None, scheduler: str | None,
    console: Console, interrupt: Callable[[], Interrupt] = Interrupt,
) -> SweepProgress:  # fmt: skip
    """Fly the runs of a sweep that its store does not have; return how that went.

    Args:
        planned: The sweep.
        store: The store in its output folder.
        folder: That folder; a copy of the sweep file is left in it.
        at_once: Number of parallel runs here; None on a cluster.
        scheduler: Address of the scheduler of a cluster.
        console: Console for the progress.
        interrupt: Returns the request to stop; called when the laws are compiled.

    Raises:
        RunError: The folder cannot be written.
        BrokenOffError: The sweep cannot go on; finished runs are kept.
    """
    with suppress(OSError, UnicodeDecodeError):  # there is none, or it cannot be read
        if (folder / COPY).read_text(encoding='utf-8') != planned.text:
            print(f'warning: {folder / COPY} is another sweep: its runs are kept, its tables '
                  'and pictures are replaced', file=sys.stderr)  # fmt: skip
    with writing(folder / COPY), replacing(folder / COPY) as part:
        part.write_text(planned.text, encoding='utf-8')
    runs = store.missing(planned.runs)
    kept = len(planned.runs) - len(runs)
    points, seeds = len(planned.points), len(planned.seeds)
    text = f'{points} x {seeds} (points x seeds) = {counted(len(planned.runs), "run")}'
    shown = f', {kept} of them kept from before' if kept else ''
    print_line(console, f'{planned.name}: {text}{shown}')
    if outdated := store.outdated(runs):
        note = f'note: {outdated} runs are from another version of the code: repeated'
        print(note, file=sys.stderr)
    if runs and scheduler is None:  # until then ctrl-C just ends everything
        load_code_visibly(run.scenario for run in runs)
    monitor = SweepProgress(console, store, interrupt(), runs, kept)
    with monitor:
        if runs and scheduler is not None:
            from soliton_encirclement_ros.experiments.cluster import fly_on_cluster

            fly_on_cluster(runs, scheduler, monitor)
        elif runs:
            fly_locally(runs, at_once or 1, monitor)
    return monitor


def fly_sweep(
    planned: Sweep, folder: Path, at_once: int | None, scheduler: str | None, pictures: bool,
    json_wanted: bool,
) -> int:  # fmt: skip
    """Fly the missing runs, then write tables and pictures; return the exit code.

    Args:
        planned: The sweep.
        folder: Its output folder.
        at_once: Number of parallel runs here; None on a cluster.
        scheduler: Address of the scheduler of a cluster.
        pictures: Whether to draw.
        json_wanted: Whether JSON is printed instead of progress and tables.
    """
    console = wide_console(json_wanted)
    with Store(folder) as store:
        try:
            monitor = fly_missing(planned, store, folder, at_once, scheduler, console)
        except BrokenOffError as error:
            print_error(str(error))
            return FAILED
        interrupt = monitor.interrupt
        if interrupt:
            print_error(
                f'interrupted; {monitor.stored + monitor.flown} of {len(planned.runs)} runs are '
                f'kept in {folder}: the same command resumes the sweep'
            )
            return INTERRUPTED
        results = collect(planned, store)
        try:
            tables = write_tables(folder, results)
        except RunError as error:
            print_error(str(error))
            return FAILED
        drawn: list[Path] = []
        if len(results.runs.frame):
            if pictures:
                with console.status('drawing the pictures'):
                    plots = partial(plots_of, folder, store, results)
                    drawn, _ = draw(plots, folder, interrupt)
            print_results(results, console)
    counts = f'{counted(monitor.flown, "run")} flown, {count_stored(planned, monitor)} kept from before'
    print_line(console, f'{counts}, {len(monitor.failed)} failed')
    for title, paths in (('tables', tables), ('pictures', drawn)):
        if paths:
            print_line(console, f'{title}: {"  ".join(map(str, paths))}')
    if json_wanted:
        print_json(_content(results, folder, monitor, tables, drawn))
    if interrupt:
        return INTERRUPTED
    return FAILED if monitor.failed else 0


def count_stored(planned: Sweep, monitor: SweepProgress) -> int:
    return len(planned.runs) - monitor.flown - len(monitor.failed)


def _content(
    results: Results, folder: Path, monitor: SweepProgress, tables: Sequence[Path],
    drawn: Sequence[Path],
) -> dict[str, Any]:  # fmt: skip
    """Return what a sweep has found, for JSON."""
    return {
        'sweep': results.sweep.name,
        'folder': str(folder),
        'runs': len(results.sweep.runs),
        'kept': count_stored(results.sweep, monitor),
        'flown': monitor.flown,
        'left_out': [{'run': run.label, 'why': why} for run, why in monitor.failed],
        'tables': list(map(str, tables)),
        'pictures': list(map(str, drawn)),
        'statistics': [_plain(row) for row in results.statistics.to_dict('records')],
        'paired': [_plain(row) for row in results.paired.to_dict('records')],
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for JSON: infinite values, counted by ``never``, are null as missing ones."""
    return {
        key: value if isinstance(value, str | int)
        or (isinstance(value, float) and math.isfinite(value)) else None
        for key, value in row.items()
    }  # fmt: skip
