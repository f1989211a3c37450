"""``swarm run``: fly a scenario over the ROS graph and leave a run folder."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.changes import apply_changes
from soliton_encirclement_ros.cli.domain import DomainClaim, domain
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.observer import Observer
from soliton_encirclement_ros.core.plan import PlanOptions
from soliton_encirclement_ros.core.run_folder import SUMMARY, create_run_folder, write_json
from soliton_encirclement_ros.core.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.share import find_scenario

FAILED = 1
INTERRUPTED = 130


def run(
    scenario: str = typer.Argument('demo', help='File, or name of a scenario that comes along.'),
    agents: int | None = typer.Option(None, help='Number of agents.'),
    duration: float | None = typer.Option(None, help='Simulated time [s].'),
    seed: int | None = typer.Option(None, help='Seed of every random stream.'),
    changes: list[str] = typer.Option(
        [], '--set', help='SECTION.KEY=VALUE; may be repeated.', show_default=False
    ),
    real_time: bool = typer.Option(
        False, '--real-time', help='By the clock, one process per agent, instead of lockstep.'
    ),
    real_time_factor: float | None = typer.Option(
        None, help='Lockstep: simulated seconds per second; 0: as fast as it goes.'
    ),
    out: Path = typer.Option(Path('runs'), help='Folder for the run folders.'),
    bag: bool = typer.Option(True, help='Record a bag.'),
    as_json: bool = typer.Option(False, '--json', help='Print the summary as JSON, no progress.'),
) -> int:
    """Fly a scenario with real nodes; exit with 1 if the swarm did not encircle."""
    options = {
        'run': {
            'num_agents': agents,
            'sim_duration': duration,
            'seed': seed,
            'real_time_factor': real_time_factor,
        }
    }
    planned = apply_changes(load_scenario(find_scenario(scenario)), changes, options)
    console = Console(quiet=as_json)
    for warning in planned.warnings:
        print(f'warning: {warning}', file=sys.stderr)
    with DomainClaim(domain()):
        folder = create_run_folder(out, planned, sys.argv)
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        os.environ.setdefault('ROS_LOG_DIR', str((folder / 'log').resolve()))
        interrupt = Interrupt()
        plan = PlanOptions(not real_time, str(folder.resolve()), bag)
        observer, summary = _fly(planned, plan, interrupt, console)
    interrupted = bool(interrupt)
    picture = _draw(planned, observer, folder, interrupt, console)
    _report(summary, folder, picture, console)
    if as_json:
        print(json.dumps({**summary, 'run_folder': str(folder)}, indent=2))
    if interrupted:
        return INTERRUPTED
    return 0 if summary['verdict']['encircled'] and summary['complete'] else FAILED


def _fly(
    scenario: Scenario, options: PlanOptions, interrupt: Interrupt, console: Console
) -> tuple[Observer, dict[str, Any]]:
    """Run the nodes; return what was seen and the summary."""
    from soliton_encirclement_ros.cli.progress import Progress
    from soliton_encirclement_ros.cli.runner import Runner

    runner = Runner(scenario, options)
    try:
        runner.start()
        monitor = runner.monitor
        with Progress(console, scenario, monitor.observer) as progress:
            runner.spin(lambda: bool(interrupt), progress.update)
    finally:
        runner.finish(lambda: bool(interrupt))
    for death in runner.deaths:
        print(f'error: {death}', file=sys.stderr)
    summary = monitor.summary()
    summary |= {'interrupted': bool(interrupt), 'complete': runner.complete}
    if runner.ended_early:
        summary['verdict'] = {'encircled': False, 'why': runner.ended_early}
    try:
        write_json(Path(options.run_folder) / SUMMARY, summary)
    except OSError as error:
        print(f'error: {options.run_folder}: cannot write: {error.strerror}', file=sys.stderr)
    return monitor.observer, summary


def _draw(
    scenario: Scenario, observer: Observer, folder: Path, interrupt: Interrupt, console: Console
) -> Path | None:
    """Draw the pictures; a further interrupt leaves the rest out."""
    from soliton_encirclement_ros.analysis.plots import draw_run

    asked = interrupt.count
    drawn: list[Path] = []
    try:
        with console.status('drawing the pictures'):
            for picture in draw_run(folder, scenario, observer):
                drawn.append(picture)
                if interrupt.count > asked:
                    break
    except OSError as error:
        print(f'error: {folder}: cannot draw: {error.strerror}', file=sys.stderr)
    return drawn[-1] if drawn else None


def _report(summary: dict[str, Any], folder: Path, picture: Path | None, console: Console) -> None:
    """Print the numbers, the verdict and where to look."""
    table = Table('', *METRIC_NAMES, title=f'{summary["scenario"]}: {summary["agents"]} agents')
    for key, label in (('metrics_mean', 'mean of the last 20 %'), ('metrics_last', 'at the end')):
        values = [summary[key].get(name) for name in METRIC_NAMES]
        table.add_row(label, *[_plain(value, '.3f') for value in values])
    console.print(table)
    settled = summary['settling_time_s']
    separation = summary['min_separation_m']
    console.print(
        f'{summary["duration_s"]:g} s in {summary["ticks"]} ticks, '
        f'x{_plain(summary["real_time_factor"], ".1f")} real time; '
        f'settled after {_plain(settled, "g")} s; '
        f'failures {summary["failures"]}, recovered {summary["failures_recovered"]}; '
        f'smallest separation {_plain(separation, ".2f")} m; '
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


def _plain(value: float | None, form: str) -> str:
    return '-' if value is None else format(value, form)
