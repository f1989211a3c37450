"""``swarm simulate``: fly scenarios without nodes, one or many, and compare the results.

A simulation flies alone, or is published on ROS topics.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, Optional

import typer
from rich.console import Console
from rich.table import Table

from soliton_encirclement_ros.cli.operator.ros_context import DomainClaim, domain
from soliton_encirclement_ros.cli.options import JSON, NUMBER, Count, refuse_together, unique_names
from soliton_encirclement_ros.cli.output import end_for_fault, print_error, print_json
from soliton_encirclement_ros.cli.runs.batch_runs import (
    MAX_SEEDS, Job, check_memory, fly_many, jobs_of, planned_runs
)
from soliton_encirclement_ros.cli.runs.run_start import (
    check_ros, remove_run_folder, set_environment, streaming
)
from soliton_encirclement_ros.cli.scenario_verbs import (
    AGENTS, DURATION, LAWS, NAMESPACE, OUT, SCENARIO_HELP, SEED, SETTINGS, STREAM, VEHICLE
)
from soliton_encirclement_ros.cli.streams.streaming import check_stream
from soliton_encirclement_ros.cli.views.compilation_progress import (
    load_code_or_interpret, load_code_to_publish
)
from soliton_encirclement_ros.cli.views.run_report import RunProgress, conclude
from soliton_encirclement_ros.cli.views.terminal_display import plain, print_table, wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.finished_run import exit_code
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.engine import Pace, check_external
from soliton_encirclement_ros.sim.recorded_data import usable_formats
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import NO_FORMAT
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import MobilityError


class Publication(NamedTuple):
    """How a flight is published: names of the swarm, members that fly elsewhere, and a stream."""

    fleet: Fleet
    external: tuple[str, ...] = ()
    stream: Optional[str] = None


@contextmanager
def opened(
    job: Job, publication: Optional[Publication]
) -> Iterator[tuple[Simulation, Path, Optional[Pace]]]:
    """Create a simulation, its run folder, and its pace; None: as fast as it can.

    Args:
        job: The run.
        publication: How it is published; None: it is not.

    Raises:
        MobilityError: ROS does not start; there is no folder then.
    """
    if publication is None:
        folder = job.folder()
        alone = Simulation(job.scenario, folder, job.recording, is_compiled=job.is_compiled)
        yield alone, folder, None
        return
    from soliton_encirclement_ros.cli.runs.published_flight import published

    fleet, external, stream = publication
    radius = job.scenario.swarm.encirclement_radius
    with DomainClaim(domain(), fleet), streaming(stream, fleet, radius), ExitStack() as stack:
        folder = job.folder()
        set_environment(folder)
        try:
            node, pace = stack.enter_context(published(job.scenario, fleet, external))
        except MobilityError:
            remove_run_folder(folder)
            raise
        simulation = Simulation(
            job.scenario, folder, job.recording, node.take, external, job.is_compiled
        )
        node.engine = simulation.engine
        yield simulation, folder, pace


Figures = Mapping[str, float | None]


def print_study(study: Mapping[str, Figures], console: Console) -> None:
    """Print a row per figure and a column per variant.

    Args:
        study: Variants by name, such as ``corrected``, each with its figures by name.
        console: The console.
    """
    table = Table('', *[name.replace('_', ' ') for name in study], title="the original's study")
    names = dict.fromkeys(name for figures in study.values() for name in figures)
    for name in names:
        table.add_row(name, *[plain(figures[name], '.4g') for figures in study.values()])
    print_table(table, console)


def simulate(
    scenarios: list[str] = typer.Argument(None, help=SCENARIO_HELP, show_default='demo'),
    agents: Optional[int] = AGENTS,
    duration: Optional[float] = DURATION,
    seed: Optional[int] = SEED,
    changes: list[str] = SETTINGS,
    vehicle: Optional[str] = VEHICLE,
    controllers: list[str] = typer.Option(
        [],
        '--controller',
        help=f'A law ({LAWS}), all, or a FILE.py of your own; may be repeated.',
        show_default='that of the scenario',
    ),
    seeds: int = typer.Option(
        1, click_type=Count(min=1, max=MAX_SEEDS), help='How many seeds, beginning with --seed.'
    ),
    jobs: Optional[int] = typer.Option(
        None, click_type=Count(min=1), help='Runs at once.', show_default='one per core'
    ),
    pictures: Optional[bool] = typer.Option(
        None, '--pictures/--no-pictures', help='Draw.', show_default='a single run with telemetry'
    ),
    formats: list[str] = typer.Option(
        ['csv'], '--format', help='Telemetry: csv, parquet, bag, or none; may be repeated.'
    ),
    rate: Optional[float] = typer.Option(
        None,
        '--telemetry-rate',
        click_type=NUMBER,
        help='Samples of the telemetry per second; the summary looks at every tick.',
        show_default='every control tick; of several runs two',
    ),
    publish: bool = typer.Option(
        False, '--publish', help='Fly one run in real time, and publish it on ROS topics.'
    ),
    external: list[str] = typer.Option(
        [], '--external', metavar='MEMBER',
        help='With --publish: uav_K or target flies elsewhere, by nodes of its own; may be '
        'repeated.',
    ),
    stream: Optional[str] = STREAM,
    namespace: str = NAMESPACE,
    study: bool = typer.Option(
        False, '--study', help="Add the figures of the original's study to the summary."
    ),
    out: Path = OUT,
    json_wanted: bool = JSON,
) -> int:
    """Simulate scenarios without ROS, as fast as it goes; exit with 1 if a run failed.

    A single run fails if the swarm did not encircle, of several runs only those that broke off.
    """
    _check(changes, controllers, formats, rate)
    planned = planned_runs(
        unique_names(scenarios or ['demo']), controllers, changes, seeds, vehicle,
        num_agents=agents, sim_duration=duration, seed=seed,
    )  # fmt: skip
    usable = usable_formats(formats)
    drawn = bool(len(planned) == 1 and usable) if pictures is None else pictures
    publication = _publication(publish, namespace, external, stream, planned)
    flights = jobs_of(planned, out, sys.argv, usable, rate, study, drawn)
    at_once = jobs or len(os.sched_getaffinity(0))
    forecast = check_memory(flights, at_once, out)
    if publication is None:
        is_compiled = load_code_or_interpret(planned, at_once)
    else:
        is_compiled = load_code_to_publish(planned[0])
    flights = [job._replace(is_compiled=is_compiled) for job in flights]
    if len(flights) == 1:
        return _fly_one(flights[0], json_wanted, publication)
    return fly_many(flights, at_once, json_wanted, forecast)


def _check(
    changes: Sequence[str], controllers: Sequence[str], formats: Sequence[str],
    rate: Optional[float],
) -> None:  # fmt: skip
    """Refuse options that exclude each other.

    Raises:
        RunError: They are named.
    """
    refuse_together(
        (f'--telemetry-rate {rate}', rate is not None),
        (f'--format {NO_FORMAT}', NO_FORMAT in formats),
        why='there is no telemetry to thin out; leave one of them out',
    )
    law = next((change for change in changes if change.startswith('control.controller=')), '')
    refuse_together(
        (' '.join(f'--controller {name}' for name in controllers), controllers),
        (f'--set {law}', law),
        why='both choose the law; give one of them',
    )


def _publication(
    publish: bool, namespace: str, external: Sequence[str], stream: Optional[str],
    planned: Sequence[Scenario],
) -> Optional[Publication]:  # fmt: skip
    """Return how a run is published; None: it is not.

    Raises:
        ParameterError: The namespace is invalid.
        RunError: Several runs, a member that cannot fly elsewhere, or options without effect.
        StartupError: ROS cannot start.
    """
    if not publish:
        asked = [f'--namespace {namespace}'] * bool(namespace)
        asked += [f'--external {name}' for name in external]
        asked += [f'--stream {stream}'] * bool(stream)
        if asked:
            raise RunError(f'{asked[0]}: has no effect without --publish')
        return None
    if len(planned) > 1:
        raise RunError(
            f'--publish: {len(planned)} runs are asked for, one can be published at a time'
        )
    check_stream(stream)
    check_external(planned[0], external)
    check_ros()
    fleet = named_fleet(namespace, '--namespace')
    return Publication(fleet, tuple(dict.fromkeys(external)), stream)


def _fly_one(job: Job, json_wanted: bool, publication: Optional[Publication]) -> int:
    interrupt, console = Interrupt(), wide_console(json_wanted)
    scenario = job.scenario
    with (
        opened(job, publication) as (simulation, folder, pace),
        RunProgress(console, scenario, simulation.seen) as progress,
    ):
        summary = simulation.fly(lambda: bool(interrupt), progress.update, pace, end_for_fault)
    for error in simulation.errors:
        print_error(error)
    if 'study' in summary:
        print_study(summary['study'], console)
    summary = conclude(
        summary, scenario, simulation.seen, folder, interrupt, console, simulation.errors,
        job.recording.pictures,
    )  # fmt: skip
    if json_wanted:
        print_json({**summary, 'run_folder': str(folder)})
    return exit_code(summary)
