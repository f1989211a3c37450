"""``swarm run``: fly a scenario over the ROS graph and leave a run folder."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.domain import DomainClaim, domain
from soliton_encirclement_ros.cli.options import (
    AGENTS,
    CONTROLLER,
    DURATION,
    OUT,
    SCENARIO_HELP,
    SEED,
    SETTINGS,
    VEHICLE,
    read_scenario,
)
from soliton_encirclement_ros.cli.outcome import complain, draw, exit_code, report
from soliton_encirclement_ros.core.observer import Observer
from soliton_encirclement_ros.core.plan import PlanOptions, check_for_nodes
from soliton_encirclement_ros.core.run_folder import SUMMARY, create_run_folder, write_json
from soliton_encirclement_ros.core.scenario import Scenario


def run(
    scenario: str = typer.Argument('demo', help=SCENARIO_HELP),
    agents: int | None = AGENTS,
    duration: float | None = DURATION,
    seed: int | None = SEED,
    controller: str | None = CONTROLLER,
    changes: list[str] = SETTINGS,
    vehicle: str | None = VEHICLE,
    real_time: bool = typer.Option(
        False, '--real-time', help='By the clock, one process per agent, instead of lockstep.'
    ),
    real_time_factor: float | None = typer.Option(
        None, help='Lockstep: simulated seconds per second; 0: as fast as it goes.'
    ),
    out: Path = OUT,
    bag: bool = typer.Option(True, help='Record a bag.'),
    as_json: bool = typer.Option(False, '--json', help='Print the summary as JSON, no progress.'),
) -> int:
    """Fly a scenario with real nodes; exit with 1 if the swarm did not encircle."""
    planned = read_scenario(
        scenario,
        changes,
        controller,
        vehicle,
        num_agents=agents,
        sim_duration=duration,
        seed=seed,
        real_time_factor=real_time_factor,
    )
    check_for_nodes(planned)
    console = Console(quiet=as_json)
    with DomainClaim(domain()):
        folder = create_run_folder(out, planned, sys.argv)
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        os.environ.setdefault('ROS_LOG_DIR', str((folder / 'log').resolve()))
        interrupt = Interrupt()
        plan = PlanOptions(not real_time, str(folder.resolve()), bag)
        observer, summary = _fly(planned, plan, interrupt, console)
    with console.status('drawing the pictures'):
        picture = draw(planned, observer, folder, interrupt, complain)
    report(summary, folder, picture, console)
    if as_json:
        print(json.dumps({**summary, 'run_folder': str(folder)}, indent=2))
    return exit_code(summary)


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
        complain(death)
    summary = monitor.summary()
    summary |= {'interrupted': bool(interrupt), 'complete': runner.complete}
    if runner.ended_early:
        summary['verdict'] = {'encircled': False, 'why': runner.ended_early}
    try:
        write_json(Path(options.run_folder) / SUMMARY, summary)
    except OSError as error:
        complain(f'{options.run_folder}: cannot write: {error.strerror}')
    return monitor.observer, summary
