"""What a person, or a program, reads at the end of a sweep."""

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console


class SweepOutcome(NamedTuple):
    """What came of one call of ``swarm sweep``.

    Attributes:
        folder: The sweep's folder.
        desk: Knows how many runs were flown, and which failed.
        kept: How many runs were there before.
        results: Its tables, as they were computed.
        tables: Files with tables.
        drawn: Files with pictures.
    """

    folder: Path
    desk: Any
    kept: int
    results: Any
    tables: list[Path]
    drawn: list[Path]


def report_sweep(planned: Any, outcome: SweepOutcome, console: Console, json_wanted: bool) -> None:
    """Print how many runs there are, and the files; and all of it as JSON if wanted."""
    desk = outcome.desk
    counts = f'{desk.flown} runs flown, {outcome.kept} kept from before'
    print_line(f'{counts}, {len(desk.failed)} left out', console)
    for title, paths in (('tables', outcome.tables), ('pictures', outcome.drawn)):
        if paths:
            print_line(f'{title}: {"  ".join(map(str, paths))}', console)
    if json_wanted:
        print(json.dumps(_content(planned, outcome), indent=2, allow_nan=False))


def print_line(line: str, console: Console) -> None:
    """Print a line as it is."""
    console.print(line, highlight=False, soft_wrap=True, markup=False)


def _content(planned: Any, outcome: SweepOutcome) -> dict[str, Any]:
    desk, results = outcome.desk, outcome.results
    return {
        'sweep': planned.name,
        'folder': str(outcome.folder),
        'runs': len(planned.runs),
        'kept': outcome.kept,
        'flown': desk.flown,
        'left_out': [{'run': run.label, 'why': why} for run, why in desk.failed],
        'tables': list(map(str, outcome.tables)),
        'pictures': list(map(str, outcome.drawn)),
        'statistics': [_plain(row) for row in results.statistics.rows],
        'paired': [_plain(row) for row in results.paired.rows],
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for JSON, which has no infinity: ``never`` counts these, so they are null."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }
