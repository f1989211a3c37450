"""Result of a run: plots, numbers, the verdict, and the folder."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.libraries import explain
from soliton_encirclement_ros.cli.output import print_error
from soliton_encirclement_ros.cli.views.metric_table import effort_text, metric_table
from soliton_encirclement_ros.cli.views.terminal_tables import print_table
from soliton_encirclement_ros.core.run.figures.gap_recovery import CLOSED_E_GAP
from soliton_encirclement_ros.core.run.run_folder import LOG
from soliton_encirclement_ros.core.run.run_observation import RunObservation
from soliton_encirclement_ros.core.run.run_outcome import FIRST, verdict_line
from soliton_encirclement_ros.core.run.separation.filter_text import fault_text, filter_text
from soliton_encirclement_ros.core.run.separation.near_miss_text import (
    closest_text,
    near_miss_text,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario

NEVER_SETTLED = 'never settled: not within the bounds of the verdict for long enough'
JUDGED = ' (the verdict judges the means of the last 20 %)'


LATE_START = 0.2
"""Time [s] that a monitor may need to find the members without a word about it."""


class Drawn(NamedTuple):
    """The last plot, and whether all were written."""

    last: Path | None
    is_whole: bool


def draw(
    scenario: Scenario,
    observation: RunObservation,
    folder: Path,
    interrupt: Interrupt,
    print_error: Callable[[str], None],
) -> Drawn:
    """Draw the plots; a further interrupt or a missing library skips the rest.

    Args:
        scenario: The scenario.
        observation: The observer of the run.
        folder: The run's folder.
        interrupt: The request to stop.
        print_error: Prints one line if a plot cannot be written.
    """
    asked = interrupt.count
    drawn: list[Path] = []
    is_whole = True
    try:
        from soliton_encirclement_ros.analysis.plots.run_plots import draw_run

        for picture in draw_run(folder, scenario, observation):
            drawn.append(picture)
            if interrupt.count > asked:
                break
    except OSError as error:
        is_whole = False
        print_error(f'{folder}: cannot draw: {error.strerror}')
    except ImportError as error:
        print_error(f'no pictures: {explain(error) or error}')
    return Drawn(drawn[-1] if drawn else None, is_whole)


def report(
    summary: dict[str, Any],
    folder: Path | None,
    picture: Path | None,
    console: Console,
    faults: Sequence[str] = (),
) -> None:
    """Print the numbers, the verdict and the folder.

    Args:
        summary: The summary of the run.
        folder: Its folder, if there is one.
        picture: The picture to name, if there is one.
        console: Where to print.
        faults: Why data is missing, if any is.
    """
    title = f'{summary["scenario"]}: {counted(summary["agents"], "agent")}'
    print_table(metric_table(summary, title), console)
    for line in _figures(summary):
        console.print(line, highlight=False, soft_wrap=True)
    if commands := fault_text(summary):
        console.print(commands, style='yellow', highlight=False, soft_wrap=True)
    if summary['interrupted']:
        where = 'the run folder has all data' if folder else 'this is what was seen'
        console.print(f'interrupted; {where} up to here', style='yellow')
    if not summary['complete']:
        first, *more = dict.fromkeys(faults) or [f'see the logs in {folder}/{LOG}']
        lines = [f'incomplete, data is missing: {first}', *(f'  {line}' for line in more)]
        for line in lines:
            console.print(line, style='yellow', highlight=False, soft_wrap=True, markup=False)
    style = 'bold green' if summary['verdict']['encircled'] else 'bold red'
    console.print(verdict_line(summary), style=style, soft_wrap=True)
    if folder is not None:
        console.print(f'run folder: {folder}', highlight=False, soft_wrap=True)
        if Path(folder, LOG).is_dir():
            console.print(f'logs:       {Path(folder, LOG)}', highlight=False, soft_wrap=True)
    if picture is not None:
        console.print(f'picture:    {picture}', highlight=False, soft_wrap=True)


def _figures(summary: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over what is known of a run besides its metrics, a line each."""
    ticks = counted(summary['ticks'], 'tick')
    yield f'{round(summary["duration_s"], 2):g} s in {ticks}{pace(summary["real_time_factor"])}'
    if summary.get(FIRST, 0.0) > LATE_START:
        yield f'nothing is known of the first {summary[FIRST]:.1f} s: the target was not heard yet'
    yield settled_text(summary)
    texts = failure_text, closest_text, near_miss_text, filter_text, effort_text
    yield from filter(None, (text(summary) for text in texts))
    if missed := summary['missed_answers']:
        yield f'{counted(missed, "answer")} came too late for their tick, or never'


def if_installed(what: str, make: Callable[[], Iterable[Path]]) -> list[Path]:
    """Return the created files; if a library is missing, print one line and return none."""
    try:
        return list(make())
    except ImportError as error:
        print_error(f'no {what}: {explain(error) or error}')
        return []


def failure_text(summary: Mapping[str, Any]) -> str:
    """Return how many agents failed, and how often and fast the ring closed; empty for none."""
    if not summary['failures']:
        return ''
    found = f'failures {summary["failures"]}, recovered {summary["failures_recovered"]}'
    told = [text for what in ('failure', 'recovery') if (text := _closed_text(summary, what))]
    if not told:
        return found
    return f'{found}; ring closed again (E_gap below {CLOSED_E_GAP:g}) after {" and ".join(told)}'


def _closed_text(summary: Mapping[str, Any], what: str) -> str:
    """Return after how many events of a kind the ring closed, and how fast; empty for none."""
    closed, unclosed = (summary[f'{word}_after_{what}'] for word in ('closed', 'unclosed'))
    if not closed and not unclosed:
        return ''
    noun = 'failure' if what == 'failure' else 'return'
    found = f'{closed} of {counted(closed + unclosed, noun)}'
    time = summary[f'time_to_close_after_{what}_s']
    return f'{found} in {time:.2f} s (median)' if closed else found


def settled_text(summary: Mapping[str, Any], begin: float = 0.0) -> str:
    """Return when the ring settled, in a run or a part of it that begins at a time [s]."""
    time = summary['settling_time_s']
    if time is None:
        return f'{NEVER_SETTLED}{JUDGED if summary["verdict"]["encircled"] else ""}'
    return f'settled {"at" if begin else "after"} {time:.2f} s'


def pace(factor: float | None) -> str:
    """Return the speed of a run as text that goes on after its duration, empty if unknown."""
    return '' if factor is None else f', {factor:.1f} times as fast as real time'
