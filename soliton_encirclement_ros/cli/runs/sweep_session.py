"""One call of ``swarm sweep``: warnings, the missing runs, tables, pictures, the result.

Warnings come before the first run, on standard error; the result is text or JSON.
"""

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted

from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.runs.run_start import check_machine, this_machine
from soliton_encirclement_ros.cli.runs.sweep_output import (
    SweepProgress,
    collect,
    draw,
    forecast,
    print_forecast,
    print_line,
    print_results,
    write_tables,
)
from soliton_encirclement_ros.cli.views.compilation_progress import get_ready_visibly
from soliton_encirclement_ros.cli.views.run_report import if_installed
from soliton_encirclement_ros.cli.views.terminal_display import wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.run.finished_run import FAILED, INTERRUPTED
from soliton_encirclement_ros.core.run.machine_resources import all_needs, simulation_needs
from soliton_encirclement_ros.core.scenario.overrides import flown_alike, varied_in_vain
from soliton_encirclement_ros.experiments.run_pool import fly_locally
from soliton_encirclement_ros.experiments.run_store import BrokenOffError, Store
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun, Sweep

COPY = 'sweep.yaml'
MAX_WARNINGS = 5


def warn_of_points(planned: Sweep) -> None:
    """Warn of unlikely values in the first points, and of points that fly alike."""
    first = {run.point.number: run.scenario for run in reversed(planned.runs[:1000])}
    lines = [line for scenario in first.values() for line in scenario.warnings]
    keys = [key for key in planned.keys if '.' in key]
    vain = varied_in_vain(keys, first.values())
    if not vain and len(keys) == len(planned.keys):  # names say themselves what is the same
        vain = flown_alike(keys, first.values(), len(planned.seeds))
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


def check_memory(planned: Sweep, at_once: int, folder: Path) -> None:
    """Refuse runs that do not fit into the memory of this machine.

    Raises:
        RunError: They do not fit.
    """
    each = [simulation_needs(run.scenario, study=True) for run in planned.runs]
    needs = all_needs(each, at_once)
    what = f'{len(planned.runs)} runs, {at_once} in parallel'
    check_machine(needs, this_machine(folder), what, 'reduce --jobs')


class SweepSession:
    """One call of the verb, from the first run to the last plot."""

    def __init__(
        self, planned: Sweep, folder: Path, at_once: int | None, scheduler: str | None,
        json_wanted: bool,
    ) -> None:  # fmt: skip
        """Prepare a call.

        Args:
            planned: The sweep.
            folder: Its output folder.
            at_once: Number of parallel runs here; None on a cluster.
            scheduler: Address of the scheduler of a cluster.
            json_wanted: Whether JSON is printed instead of progress and tables.
        """
        self._planned = planned
        self._folder = folder
        self._at_once = at_once
        self._scheduler = scheduler
        self._json = json_wanted
        self._console = wide_console(json_wanted)

    def forecast(self) -> int:
        """Print what the sweep would do; write nothing."""
        found = forecast(self._planned, self._folder, self._at_once)
        if self._json:
            print_json(found)
        else:
            print_forecast(self._planned, found, self._console)
        return 0

    def go(self, pictures: bool) -> int:
        """Execute all steps and return the exit code."""
        with Store(self._folder) as store:
            warn_of_another_sweep(self._folder / COPY, self._planned.text)
            _write_copy(self._folder / COPY, self._planned.text)
            return self._fly_missing(store, pictures)

    def _fly_missing(self, store: Store, pictures: bool) -> int:
        planned = self._planned
        runs = store.missing(planned.runs)
        kept = len(planned.runs) - len(runs)
        points, seeds = len(planned.points), len(planned.seeds)
        text = f'{points} x {seeds} (points x seeds) = {counted(len(planned.runs), "run")}'
        shown = f', {kept} of them kept from before' if kept else ''
        print_line(f'{planned.name}: {text}{shown}', self._console)
        if outdated := store.outdated(runs):
            note = f'note: {outdated} runs are from another version of the code: repeated'
            print(note, file=sys.stderr)
        if runs and self._scheduler is None:  # until then ctrl-C just ends everything
            get_ready_visibly(run.scenario for run in runs)
        interrupt = Interrupt()
        monitor = SweepProgress(self._console, store, interrupt, runs, kept)
        try:
            with monitor:
                self._fly(runs, monitor)
        except BrokenOffError as error:
            print_error(str(error))
            return FAILED
        if interrupt:
            print_error(
                f'interrupted; {kept + monitor.flown} of {len(planned.runs)} runs are kept in '
                f'{self._folder}: the same command resumes the sweep'
            )
            return INTERRUPTED
        return self._finish(store, monitor, interrupt, pictures)

    def _fly(self, runs: Sequence[PlannedRun], monitor: SweepProgress) -> None:
        """Fly the missing runs, here or on a cluster."""
        if runs and self._scheduler is not None:
            from soliton_encirclement_ros.experiments.cluster import fly_on_cluster

            fly_on_cluster(runs, self._scheduler, monitor)
        elif runs:
            fly_locally(runs, self._at_once or 1, monitor)

    def _finish(
        self, store: Store, monitor: SweepProgress, interrupt: Interrupt, pictures: bool
    ) -> int:
        results = collect(self._planned, store)
        try:
            tables = write_tables(self._folder, results)
        except RunError as error:
            print_error(str(error))
            return FAILED
        drawn: list[Path] = []
        if len(results.runs.frame):
            if pictures:
                with self._console.status('drawing the pictures'):
                    drawn = if_installed(
                        'pictures', lambda: draw(self._folder, store, results, interrupt)
                    )
            print_results(results, self._console)
        kept = len(self._planned.runs) - monitor.flown - len(monitor.failed)
        counts = f'{counted(monitor.flown, "run")} flown, {kept} kept from before'
        print_line(f'{counts}, {len(monitor.failed)} failed', self._console)
        for title, paths in (('tables', tables), ('pictures', drawn)):
            if paths:
                print_line(f'{title}: {"  ".join(map(str, paths))}', self._console)
        if self._json:
            print_json({
                'sweep': self._planned.name,
                'folder': str(self._folder),
                'runs': len(self._planned.runs),
                'kept': kept,
                'flown': monitor.flown,
                'left_out': [{'run': run.label, 'why': why} for run, why in monitor.failed],
                'tables': list(map(str, tables)),
                'pictures': list(map(str, drawn)),
                'statistics': [_plain(row) for row in results.statistics.to_dict('records')],
                'paired': [_plain(row) for row in results.paired.to_dict('records')],
            })  # fmt: skip
        if interrupt:
            return INTERRUPTED
        return FAILED if monitor.failed else 0


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for JSON: infinite values, counted by ``never``, are null as missing ones."""
    return {
        key: value if isinstance(value, str | int) or _is_finite(value) else None
        for key, value in row.items()
    }


def _is_finite(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _write_copy(path: Path, text: str) -> None:
    try:
        with replacing(path) as part:
            part.write_text(text, encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write: {error.strerror}') from None
