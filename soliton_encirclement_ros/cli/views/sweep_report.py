"""Result of a sweep as text and as JSON."""

import math
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.output import print_json


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
