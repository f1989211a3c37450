"""What a run came to, for people: pictures, numbers, the verdict, and where to look."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.witness import Witness

FAILED = 1
INTERRUPTED = 130


def draw(
    scenario: Scenario,
    witness: Witness,
    folder: Path,
    interrupt: Interrupt,
    complain: Callable[[str], None],
) -> Path | None:
    """Draw the pictures and return the last; a further interrupt leaves the rest out.

    Args:
        scenario: What was run.
        witness: Who has seen it.
        folder: The run's folder.
        interrupt: The request to stop.
        complain: Takes one line if a picture cannot be written.
    """
    from soliton_encirclement_ros.analysis.plots import draw_run

    asked = interrupt.count
    drawn: list[Path] = []
    try:
        for picture in draw_run(folder, scenario, witness):
            drawn.append(picture)
            if interrupt.count > asked:
                break
    except OSError as error:
        complain(f'{folder}: cannot draw: {error.strerror}')
    return drawn[-1] if drawn else None


def report(summary: dict[str, Any], folder: Path, picture: Path | None, console: Console) -> None:
    """Print the numbers, the verdict and where to look."""
    table = Table('', *METRIC_NAMES, title=f'{summary["scenario"]}: {summary["agents"]} agents')
    for key, label in (('metrics_mean', 'mean of the last 20 %'), ('metrics_last', 'at the end')):
        values = [summary[key].get(name) for name in METRIC_NAMES]
        table.add_row(label, *[plain(value, '.3f') for value in values])
    console.print(table)
    settled = summary['settling_time_s']
    separation = summary['min_separation_m']
    console.print(
        f'{summary["duration_s"]:g} s in {summary["ticks"]} ticks, '
        f'x{plain(summary["real_time_factor"], ".1f")} real time; '
        f'settled after {plain(settled, "g")} s; '
        f'failures {summary["failures"]}, recovered {summary["failures_recovered"]}; '
        f'smallest separation {plain(separation, ".2f")} m; '
        f'missed answers {summary["missed_answers"]}',
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    if summary['interrupted']:
        console.print('interrupted; everything up to here is in the run folder', style='yellow')
    if not summary['complete']:
        console.print('incomplete: the errors above cost a part of the record', style='yellow')
    encircled, why = summary['verdict']['encircled'], summary['verdict']['why']
    style = 'bold green' if encircled else 'bold red'
    console.print(f'{"ENCIRCLED" if encircled else "NOT ENCIRCLED"}: {why}', style=style)
    console.print(f'run folder: {folder}', highlight=False, soft_wrap=True)
    if picture is not None:
        console.print(f'picture:    {picture}', highlight=False, soft_wrap=True)


def complain(line: str) -> None:
    """Print one line of an error."""
    print(f'error: {line}', file=sys.stderr)


def exit_code(summary: dict[str, Any]) -> int:
    """Return the exit code of a single run."""
    if summary['interrupted']:
        return INTERRUPTED
    return 0 if summary['verdict']['encircled'] and summary['complete'] else FAILED


def plain(value: float | None, form: str) -> str:
    """Return a number as text, ``-`` for none."""
    return '-' if value is None else format(value, form)
