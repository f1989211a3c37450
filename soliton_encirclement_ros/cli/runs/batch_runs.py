"""Runs of ``swarm simulate`` and of Python: planned, checked beforehand, and flown many at once.

Every scenario is flown with every law and seed. Each run is in its own process: one that fails, or
whose process dies, affects no other run. Runs do not depend on the process or on the number of
parallel runs, so neither do their results.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, Optional

from rich.console import Console

from soliton_encirclement_ros.cli.options import unique_names
from soliton_encirclement_ros.cli.output import end_for_fault, print_error, print_json
from soliton_encirclement_ros.cli.runs.run_start import check_machine, this_machine, wall_time
from soliton_encirclement_ros.cli.scenario_verbs import read_scenario
from soliton_encirclement_ros.cli.views.comparison_tables import print_comparison
from soliton_encirclement_ros.cli.views.run_report import draw, plots_of
from soliton_encirclement_ros.cli.views.terminal_display import (
    LiveDisplay, print_line, wide_console
)
from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.errors import SwarmError
from soliton_encirclement_ros.core.run.finished_run import FAILED, INTERRUPTED, read_run
from soliton_encirclement_ros.core.run.machine_resources import all_needs, simulation_needs
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.placement import check_starts
from soliton_encirclement_ros.core.scenario.plugin_sections import settings_of_law
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.law_comparison import as_json, compare
from soliton_encirclement_ros.sim import RecordedData, Simulation
from soliton_encirclement_ros.sim.allocation import check_links
from soliton_encirclement_ros.sim.forked_processes import FORK
from soliton_encirclement_ros.sim.recorded_data import recording_of
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.plugins import short_name
from velocity_mobility_ros.core.user_errors import counted

ALL = 'all'
MAX_SEEDS = 10_000
OF_NODES = dict.fromkeys(
    ('run.real_time_factor', 'run.lockstep_timeout', 'run.startup_timeout'),
    'it is for nodes, and there are none',
)
ADVICE = 'fly fewer or shorter, or record less: --no-pictures, --telemetry-rate, --format none'


class Job(NamedTuple):
    """One run to fly; ``folder`` creates its run folder when its turn comes.

    ``is_compiled`` is that of ``Engine``.
    """

    scenario: Scenario
    folder: Callable[[], Path]
    recording: RecordedData
    is_compiled: Callable[[], bool] | None = None


def planned_runs(
    names: Sequence[str],
    controllers: Sequence[str],
    settings: list[str],
    seeds: int | Sequence[int],
    vehicle: Optional[str] = None,
    **run: Any,
) -> list[Scenario]:
    """Return the scenarios to fly, with every law and seed; warn of unlikely values.

    Args:
        names: Files, or names of installed scenarios.
        controllers: Laws, ``all`` for every one that comes along; none: that of the scenario.
        settings: Texts of the form ``section.key=value``.
        seeds: The seeds, or how many, beginning with the scenario's.
        vehicle: File of a vehicle, or name of an installed one.
        **run: Values of the section ``run``; None is left out.

    Raises:
        ScenarioError: There is no such scenario or law, or a value is refused.
        RunError: One needs too much memory.
    """
    laws, warned = laws_of(controllers), set[str]()
    planned = [
        variant
        for name in names
        for law in laws or (None,)
        for variant in with_seeds(
            read_scenario(
                name,
                settings_of_law(settings, law, laws) if law else settings,
                law,
                vehicle=vehicle,
                unused=OF_NODES,
                warned=warned,
                **run,
            ),
            seeds,
        )
    ]
    for scenario in planned:
        check_links(scenario)
        check_starts(scenario)
    return planned


def laws_of(controllers: Sequence[str]) -> list[str]:
    """Return laws, each once, with every law that comes along for ``all``."""
    return unique_names(
        law for name in controllers for law in (CONTROLLERS if name == ALL else [name])
    )


def with_seeds(scenario: Scenario, seeds: int | Sequence[int]) -> list[Scenario]:
    """Return a scenario under several seeds.

    Args:
        scenario: The selected scenario.
        seeds: The seeds, or how many, beginning with the scenario's.

    Raises:
        ScenarioError: A seed is too large.
    """
    first = scenario.run.seed
    chosen = range(first, first + seeds) if isinstance(seeds, int) else seeds
    return [scenario.with_changes({'run': {'seed': seed}}, 'command line') for seed in chosen]


def jobs_of(
    planned: Sequence[Scenario], out: Path, command: list[str], formats: tuple[str, ...],
    rate: Optional[float] = None, study: bool = False, pictures: bool = False,
) -> list[Job]:  # fmt: skip
    """Return a job for every scenario, with a run folder of its own.

    Args:
        planned: What is flown.
        out: Folder for the run folders.
        command: The command line that the manifests name.
        formats: Usable formats of the telemetry.
        rate: Samples of the telemetry per second [Hz], as of ``recording_of``.
        study: Whether the figures of the study are requested.
        pictures: Whether plots are requested.

    Raises:
        RunError: The rate does not fit, or the study takes too much memory.
    """
    many = len(planned) > 1
    return [
        Job(
            scenario,
            partial(_folder, out, scenario, command),
            recording_of(scenario, formats, rate, study, pictures, many),
        )
        for scenario in planned
    ]


def _folder(out: Path, scenario: Scenario, command: list[str]) -> Path:
    label = f'{short_name(scenario.control.controller)}-s{scenario.run.seed}'
    return create_run_folder(out, scenario, command, label)


def check_memory(flights: Sequence[Job], at_once: int, out: Path) -> str:
    """Return what runs will take; refuse those for which this machine has no memory.

    Raises:
        RunError: It is named.
    """
    each = [
        simulation_needs(job.scenario, data.formats, data.every, data.pictures)
        for job in flights for data in [job.recording]
    ]  # fmt: skip
    needs = all_needs(each, at_once)
    run = max((job.scenario.run for job in flights), key=lambda settings: settings.num_agents)
    many = f'{len(flights)} runs of up to ' if len(flights) > 1 else ''
    what = f'{many}{counted(run.num_agents, "agent")} over {run.sim_duration:g} s'
    check_machine(needs, this_machine(out), what, ADVICE)
    return f'{what}: about {wall_time(max(needs.wall, 1.0))}, {needs.disk / 1e6:.0f} MB in {out}'


NEWS_PERIOD = 0.2
"""Wall time [s] between two progress reports of a run."""


class JobResult(NamedTuple):
    """The result of a job: its folder, its summary, and errors of one line each."""

    folder: Path | None
    summary: dict[str, Any]
    errors: list[str]


class BatchFlight:
    """One running job in its process."""

    def __init__(self, job: Job, interrupt: Interrupt) -> None:
        """Create the run folder and start the process.

        Raises:
            SwarmError: The folder cannot be written.
            OSError: There are no resources for a process.
        """
        self.job = job
        self.ticks = 0
        self.folder = job.folder()
        self.result: JobResult | None = None
        self.link, theirs = FORK.Pipe(duplex=False)
        # It inherits the handler of ctrl-C, so the run ends soon, complete up to then.
        arguments = (job, self.folder, interrupt, theirs)
        self.process = FORK.Process(target=_fly, args=arguments, daemon=True)
        try:
            self.process.start()
        finally:
            theirs.close()

    def receive(self) -> None:
        """Take the number of ticks or the result; a process that ends without one has died."""
        try:
            message = self.link.recv()
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode or 0
            why = f'signal {-code}' if code < 0 else f'exit code {code}'
            died = f'{self.folder}: the process of this run died ({why}); the other runs continue'
            message = JobResult(self.folder, {}, [died])
        if isinstance(message, JobResult):
            self.result = message
            self.process.join()
            self.link.close()
        else:
            self.ticks = message


class BatchRunner:
    """Runs jobs, a few at a time."""

    def __init__(self, jobs: Sequence[Job], at_once: int, interrupt: Interrupt) -> None:
        """Prepare; nothing is started yet."""
        self._waiting = list(enumerate(jobs))[::-1]
        self._flights: dict[int, BatchFlight] = {}
        self._results: dict[int, JobResult] = {}
        self._at_once = at_once
        self._interrupt = interrupt
        self._ticks_done = 0
        self.total_ticks = sum(job.scenario.ticks for job in jobs)

    @property
    def ticks(self) -> int:
        """Ticks flown so far in all runs; those of a run that failed count as flown."""
        return self._ticks_done + sum(flight.ticks for flight in self._flights.values())

    @property
    def finished(self) -> int:
        """Runs that have ended."""
        return len(self._results)

    def fly(self, each_turn: Callable[[], None]) -> list[JobResult]:
        """Fly all jobs, or those begun before an interrupt; return results in order of jobs."""
        asked = False
        try:
            while self._flights or (self._waiting and not self._interrupt):
                self._begin()
                self._receive()
                if self._interrupt and not asked:
                    asked = True
                    for flight in self._flights.values():
                        flight.process.terminate()
                each_turn()
        finally:
            for flight in self._flights.values():
                flight.process.kill()
                flight.process.join()
        return [self._results[number] for number in sorted(self._results)]

    def _begin(self) -> None:
        while self._waiting and len(self._flights) < self._at_once and not self._interrupt:
            number, job = self._waiting.pop()
            try:
                self._flights[number] = BatchFlight(job, self._interrupt)
            except (SwarmError, OSError) as error:
                self._end(number, job, JobResult(None, {}, [f'{job.scenario.name}: {error}']))

    def _receive(self) -> None:
        numbers = {flight.link: number for number, flight in self._flights.items()}
        for link in wait(list(numbers), NEWS_PERIOD):
            number = numbers[link]
            flight = self._flights[number]
            flight.receive()
            if flight.result is not None:
                del self._flights[number]
                self._end(number, flight.job, flight.result)

    def _end(self, number: int, job: Job, result: JobResult) -> None:
        self._results[number] = result
        self._ticks_done += job.scenario.ticks


def _fly(job: Job, folder: Path, interrupt: Interrupt, link: Connection) -> None:
    """Fly one job in this process and send its progress and result."""
    try:
        result = _simulate(job, folder, interrupt, link.send)
    except Exception as error:
        reason = ' '.join(f'{type(error).__name__}: {error}'.split())
        why = f'{folder}: the run failed ({reason}); the other runs continue'
        result = JobResult(folder, {}, [why])
    with suppress(OSError):  # the client has gone: nobody listens any more
        link.send(result)


def _simulate(
    job: Job, folder: Path, interrupt: Interrupt, report: Callable[[int], None]
) -> JobResult:
    parent = os.getppid()
    simulation = Simulation(job.scenario, folder, job.recording, is_compiled=job.is_compiled)
    reported = time.monotonic()

    def report_ticks() -> None:
        nonlocal reported
        if time.monotonic() - reported > NEWS_PERIOD:
            reported = time.monotonic()
            with suppress(OSError):  # who asked is gone: the next tick ends the flight
                report(simulation.ticks)

    stop = lambda: bool(interrupt) or os.getppid() != parent  # noqa: E731
    summary = simulation.fly(stop, report_ticks, lost=end_for_fault)
    errors = simulation.errors
    if job.recording.pictures:
        plots = partial(plots_of, job.scenario, simulation.seen, folder)
        draw(plots, folder, interrupt, errors.append)
    return JobResult(folder, summary, errors)


class BatchProgress(LiveDisplay):
    """A batch; runs are forked from this process, which therefore has no threads."""

    def __init__(self, console: Console, batch: BatchRunner, runs: int) -> None:
        """Show a batch of ``runs`` runs."""
        super().__init__(console)
        self._batch = batch
        self._runs = runs

    def line(self) -> str:
        """Return how many have ended, and the time left."""
        done = f'{self._batch.finished} of {self._runs} runs'
        return f'{done}  {100.0 * self.share():.0f} %{self.left()}'

    def share(self) -> float:
        """Return how much is done."""
        return self._batch.ticks / self._batch.total_ticks


def fly_many(jobs: Sequence[Job], at_once: int, json_wanted: bool, forecast: str) -> int:
    """Run jobs in processes, compare the results, and return the exit code.

    Args:
        jobs: The runs.
        at_once: How many at the same time.
        json_wanted: Whether to print JSON, and nothing else.
        forecast: What they will take, in a line.
    """
    if any(job.recording.pictures for job in jobs):
        import soliton_encirclement_ros.analysis.plots.run_plots  # noqa: F401 - for all forked processes
    interrupt, console = Interrupt(), wide_console(json_wanted)
    print_line(console, forecast)
    batch = BatchRunner(jobs, at_once, interrupt)
    with BatchProgress(console, batch, len(jobs)) as progress:
        results = batch.fly(progress.update)
    for error in [error for result in results for error in result.errors]:
        print_error(error)
    flown = [result for result in results if is_complete_run(result)]
    runs = [read_run(result.folder) for result in flown if result.folder is not None]
    comparisons = compare(runs) if runs else []
    for comparison in comparisons:
        print_comparison(comparison, console)
    print_line(console, f'{len(flown)} of {len(jobs)} runs complete')
    if json_wanted:
        summaries = [
            {**result.summary, 'run_folder': str(result.folder), 'errors': result.errors}
            for result in results
        ]
        print_json({'runs': summaries, 'comparisons': list(map(as_json, comparisons))})
    if interrupt:
        return INTERRUPTED
    return 0 if len(flown) == len(jobs) else FAILED


def is_complete_run(result: JobResult) -> bool:
    """Return whether a run is complete and all of it on disk."""
    return bool(result.summary) and not (result.errors or result.summary['interrupted'])
