"""Runs simulated by many processes: one loop over futures, wherever these are computed.

The processes are those of this machine, or the workers of a Dask cluster (``cluster``). A process
that dies takes down what is in work with it; since any of these runs may have been the cause, each
of them is flown again alone, and one that dies or fails again counts as failed.
"""

import multiprocessing
import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    wait,
)
from typing import NamedTuple

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.run_store import (
    TURN,
    BrokenOffError,
    RunResult,
    SweepMonitor,
    fly_run,
)
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun
from soliton_encirclement_ros.sim.forked_processes import FORK, end_with_client

DEATHS_IN_A_ROW = 6
"""Number of deaths without a finished run in between that ends the sweep."""

AHEAD = 2
"""Runs per process that are handed over: one in work, one to go on with at once."""


class Task(NamedTuple):
    """Runs in work, and whether no other runs are in work meanwhile."""

    runs: Sequence[PlannedRun]
    is_alone: bool


class Pool(ABC):
    """Where runs are simulated.

    Attributes:
        batch: Number of runs of a task.
        room: Largest number of tasks in work.
    """

    batch = 1
    room = 1.0

    def fly(self, runs: Sequence[PlannedRun], monitor: SweepMonitor) -> None:
        """Simulate runs; return when all are done, or when the monitor stops the sweep.

        Args:
            runs: The runs.
            monitor: Receives the results.

        Raises:
            BrokenOffError: No process can be started, processes die repeatedly, or a cluster is
                lost.
        """
        size = self.batch
        waiting = deque(Task(runs[i : i + size], False) for i in range(0, len(runs), size))
        suspects: deque[Task] = deque()
        flying: dict[Future[list[RunResult]], Task] = {}
        while (waiting or suspects or flying) and monitor.turn():
            while (waiting and len(flying) < self.room) or (suspects and not flying):
                task = (waiting or suspects).popleft()
                flying[self.submit(task.runs)] = task
            self.check()
            failed = []
            for future in _ended(flying):
                task, error = flying.pop(future), _error_of(future)
                if error is not None:
                    failed.append((task, error))
                else:
                    self.accept(future.result())
                    monitor.take(list(zip(task.runs, future.result(), strict=True)))
            if failed:
                reason = self.recover(failed[0][1])
                suspects += _again([task for task, _ in failed], reason, monitor)

    @abstractmethod
    def submit(self, runs: Sequence[PlannedRun]) -> 'Future[list[RunResult]]':
        """Begin to simulate some runs."""

    @abstractmethod
    def accept(self, results: Sequence[RunResult]) -> None:
        """Take note of results, or raise an error if they are from other code."""

    @abstractmethod
    def recover(self, error: BaseException) -> str:
        """Return why a task failed, after the pool has been made fit for the next.

        Raises:
            BrokenOffError: It cannot be.
        """

    def check(self) -> None:  # noqa: B027
        """Raise an error if nothing can be simulated any more."""


def _ended(flying: dict[Future[list[RunResult]], Task]) -> list[Future[list[RunResult]]]:
    """Return the futures that have ended, in the order of the runs; wait at most ``TURN``."""
    ended = wait(flying, TURN, FIRST_COMPLETED).done
    if any(isinstance(_error_of(future), BrokenExecutor) for future in ended):
        ended = wait(flying).done  # all in work end with the pool
    return [future for future in flying if future in ended]


def _error_of(future: Future[list[RunResult]]) -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()


def _again(tasks: Sequence[Task], reason: str, monitor: SweepMonitor) -> list[Task]:
    """Return the tasks that repeat what has failed, alone; what was alone counts as failed."""
    once = [run for task in tasks if not task.is_alone for run in task.runs]
    for run in (run for task in tasks if task.is_alone for run in task.runs):
        monitor.take([(run, RunResult(run.key, '', reason))])
    if once:
        monitor.note(f'{reason}; repeated, each alone: {"; ".join(run.label for run in once)}')
    return [Task([run], True) for run in once]


SCENARIOS: dict[str, Scenario] = {}
"""In a process of this machine: what may be flown there, by the key of the run."""


def _begin(client: int, runs: Sequence[PlannedRun]) -> None:
    """Prepare a process; it is forked, so nothing is copied."""
    end_with_client(client)
    SCENARIOS.update((run.key, run.scenario) for run in runs)


def _fly_by_key(key: str) -> list[RunResult]:
    return [fly_run(key, SCENARIOS[key])]


class LocalPool(Pool):
    """The processes of this machine: forked, so that libraries, laws and runs are there."""

    def __init__(self, jobs: int, runs: Sequence[PlannedRun]) -> None:
        """Prepare the processes; they are started with the first run.

        Args:
            jobs: Number of processes.
            runs: All that may be submitted.
        """
        self._runs = runs
        self.room = AHEAD * jobs
        self._jobs = jobs
        self._deaths = 0
        self._others = set(multiprocessing.active_children())
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> 'LocalPool':
        """Return the pool."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes; what they have in work is lost."""
        self._end()

    def submit(self, runs: Sequence[PlannedRun]) -> 'Future[list[RunResult]]':
        """Begin to simulate a run.

        Raises:
            BrokenOffError: No process can be started.
        """
        try:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    self._jobs, FORK, _begin, (os.getpid(), self._runs)
                )
            return self._executor.submit(_fly_by_key, runs[0].key)
        except BrokenExecutor as error:  # a process has died since the last look
            broken: Future[list[RunResult]] = Future()
            broken.set_exception(error)
            return broken
        except OSError as error:
            raise BrokenOffError(
                f'cannot start a worker: {error.strerror}; finished runs are kept: repeat the '
                'command with fewer --jobs'
            ) from None

    def accept(self, results: Sequence[RunResult]) -> None:
        """Take note that runs are finished; their code is that of this process."""
        self._deaths = 0

    def recover(self, error: BaseException) -> str:
        """Return why a task failed; new processes are started if one has died.

        Raises:
            BrokenOffError: They die again and again.
        """
        if not isinstance(error, BrokenExecutor):
            return ' '.join(f'{type(error).__name__}: {error}'.split())
        self._end()
        self._deaths += 1
        if self._deaths >= DEATHS_IN_A_ROW:
            raise BrokenOffError(
                f'{DEATHS_IN_A_ROW} workers died without finishing a run; finished runs are kept: '
                'find the cause, for example a lack of memory'
            )
        return 'its worker died'

    def _end(self) -> None:
        if self._executor is None:
            return
        for process in set(multiprocessing.active_children()) - self._others:
            process.kill()
        self._executor.shutdown(cancel_futures=True)
        self._executor = None


def fly_locally(runs: Sequence[PlannedRun], jobs: int, monitor: SweepMonitor) -> None:
    """Simulate runs by processes of this machine; as ``Pool.fly``.

    Args:
        runs: The runs.
        jobs: Number of processes.
        monitor: Receives the results.
    """
    with LocalPool(max(1, min(jobs, len(runs))), runs) as pool:
        pool.fly(runs, monitor)
