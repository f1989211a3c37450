"""Many simulations at once, each in its own process.

A run that fails, or whose process dies, affects no other run. Runs do not depend on the process
or on the number of parallel runs, so neither do their results.
"""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.output import end_for_fault
from soliton_encirclement_ros.cli.views.run_report import draw
from soliton_encirclement_ros.core.errors import SwarmError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import RecordedData, Simulation
from soliton_encirclement_ros.sim.process_pool import PoolMessage, Report, Worker, received

NEWS_PERIOD = 0.2
"""Wall time [s] between two progress reports of a run."""


class Job(NamedTuple):
    """One run to fly; ``folder`` creates its run folder when its turn comes.

    ``is_compiled`` is that of ``Engine``.
    """

    scenario: Scenario
    folder: Callable[[], Path]
    recording: RecordedData
    is_compiled: Callable[[], bool] | None = None


class Result(NamedTuple):
    """Result of a job: its folder, its summary, and errors of one line each."""

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
        self.result: Result | None = None
        # It inherits the handler of ctrl-C, so the run ends soon, complete up to then.
        self.worker = Worker(lambda number, report: _fly(job, self.folder, interrupt, report))
        self.worker.ask(0)

    def take(self, message: PoolMessage | None) -> None:
        """Process a message; a process that ends without a result has died."""
        if message is None:
            why = self.worker.death()
            died = f'{self.folder}: the process of this run died ({why}); the other runs continue'
            self.result = Result(self.folder, {}, [died])
        elif message.is_result:
            self.result = message.content
        else:
            self.ticks = message.content


class BatchRunner:
    """Runs jobs, a few at a time."""

    def __init__(self, jobs: Sequence[Job], at_once: int, interrupt: Interrupt) -> None:
        """Prepare; nothing is started yet."""
        self._waiting = list(enumerate(jobs))[::-1]
        self._flights: dict[int, BatchFlight] = {}
        self._results: dict[int, Result] = {}
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

    def fly(self, each_turn: Callable[[], None]) -> list[Result]:
        """Fly all jobs, or those begun before an interrupt; return results in order of jobs."""
        asked = False
        try:
            while self._flights or (self._waiting and not self._interrupt):
                self._begin()
                self._receive()
                if self._interrupt and not asked:
                    asked = True
                    for flight in self._flights.values():
                        flight.worker.stop()
                each_turn()
        finally:
            for flight in self._flights.values():
                flight.worker.end()
        return [self._results[number] for number in sorted(self._results)]

    def _begin(self) -> None:
        while self._waiting and len(self._flights) < self._at_once and not self._interrupt:
            number, job = self._waiting.pop()
            try:
                self._flights[number] = BatchFlight(job, self._interrupt)
            except (SwarmError, OSError) as error:
                self._end(number, job, Result(None, {}, [f'{job.scenario.name}: {error}']))

    def _receive(self) -> None:
        numbers = {flight.worker: number for number, flight in self._flights.items()}
        for worker, message in received(list(numbers), NEWS_PERIOD):
            number = numbers[worker]
            flight = self._flights[number]
            flight.take(message)
            if flight.result is not None:
                worker.dismiss()
                del self._flights[number]
                self._end(number, flight.job, flight.result)

    def _end(self, number: int, job: Job, result: Result) -> None:
        self._results[number] = result
        self._ticks_done += job.scenario.ticks


def _fly(job: Job, folder: Path, interrupt: Interrupt, report: Report) -> Result:
    """Fly one job in this process and return how it went."""
    try:
        return _simulate(job, folder, interrupt, report)
    except Exception as error:
        reason = ' '.join(f'{type(error).__name__}: {error}'.split())
        return Result(
            folder, {}, [f'{folder}: the run failed ({reason}); the other runs continue']
        )


def _simulate(job: Job, folder: Path, interrupt: Interrupt, report: Report) -> Result:
    parent = os.getppid()
    simulation = Simulation(job.scenario, folder, job.recording, is_compiled=job.is_compiled)
    reported = time.monotonic()

    def report_ticks() -> None:
        nonlocal reported
        if time.monotonic() - reported > NEWS_PERIOD:
            reported = time.monotonic()
            report(simulation.ticks)

    stop = lambda: bool(interrupt) or os.getppid() != parent  # noqa: E731
    summary = simulation.fly(stop, report_ticks, lost=end_for_fault)
    errors = simulation.errors
    if job.recording.pictures:
        draw(job.scenario, simulation.seen, folder, interrupt, errors.append)
    return Result(folder, summary, errors)
