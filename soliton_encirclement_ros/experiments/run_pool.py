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
    FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
)

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.run_store import (
    TURN, BrokenOffError, RunResult, SweepMonitor, fly_run, one_line
)
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun
from soliton_encirclement_ros.sim.forked_processes import FORK, end_with_client

DEATHS_IN_A_ROW = 6
"""Number of deaths without a finished run in between that ends the sweep."""

AHEAD = 2
"""Runs per process that are handed over: one in work, one to go on with at once."""


class Pool(ABC):
    """Where runs are simulated.

    Attributes:
        room: Largest number of runs in work.
    """

    room = 1

    def fly(self, runs: Sequence[PlannedRun], monitor: SweepMonitor) -> None:
        """Simulate runs; return when all are done, or when the monitor stops the sweep.

        Raises:
            BrokenOffError: No process can be started, processes die repeatedly, or a cluster is
                lost.
        """
        try:
            self._fly(runs, monitor)
        finally:
            self._close()

    def _fly(self, runs: Sequence[PlannedRun], monitor: SweepMonitor) -> None:
        waiting, suspects, alone = deque(runs), deque[PlannedRun](), set[str]()
        flying: dict[Future[RunResult], PlannedRun] = {}
        while (waiting or suspects or flying) and monitor.turn():
            while (waiting and len(flying) < self.room) or (suspects and not flying):
                run = (waiting or suspects).popleft()
                flying[self._submit(run)] = run
            self._check()
            finished, failed = [], []
            for future in _wait_for_ended(flying):
                run, error = flying.pop(future), _error_of(future)
                if error is None:
                    self._accept(future.result())
                    finished.append((run, future.result()))
                else:
                    failed.append((run, error))
            if failed:
                reason = self._recover(failed[0][1])
                again = [run for run, _ in failed if run.key not in alone]
                finished += [(run, RunResult(run.key, '', reason))
                             for run, _ in failed if run.key in alone]  # fmt: skip
                if again:
                    names = '; '.join(run.label for run in again)
                    monitor.note(f'{reason}; repeated, each alone: {names}')
                suspects += again
                alone.update(run.key for run in again)
            if finished:
                monitor.take(finished)

    @abstractmethod
    def _submit(self, run: PlannedRun) -> 'Future[RunResult]':
        """Begin to simulate a run; an error says that no process can be started."""

    @abstractmethod
    def _accept(self, result: RunResult) -> None:
        """Take note of a result; an error says that it is from other code."""

    @abstractmethod
    def _recover(self, error: BaseException) -> str:
        """Return why a run failed; an error says that the pool is not fit for the next."""

    @abstractmethod
    def _close(self) -> None:
        """End what is in work, which is not wanted any more."""

    def _check(self) -> None:  # noqa: B027
        """Raise an error if nothing can be simulated any more."""


def _wait_for_ended(flying: dict[Future[RunResult], PlannedRun]) -> list[Future[RunResult]]:
    """Return the futures that have ended, in the order of the runs; wait at most ``TURN``."""
    ended = wait(flying, TURN, FIRST_COMPLETED).done
    if any(isinstance(_error_of(future), BrokenExecutor) for future in ended):
        ended = wait(flying).done  # all in work end with the pool
    return [future for future in flying if future in ended]


def _error_of(future: Future[RunResult]) -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()


SCENARIOS: dict[str, Scenario] = {}
"""In a process of this machine: what may be flown there, by the key of the run."""


def _begin(client: int, runs: Sequence[PlannedRun]) -> None:
    """Prepare a process; it is forked, so nothing is copied."""
    end_with_client(client)
    SCENARIOS.update((run.key, run.scenario) for run in runs)


def _fly_by_key(key: str) -> RunResult:
    return fly_run(key, SCENARIOS[key])


class LocalPool(Pool):
    """The processes of this machine: forked, so that libraries, laws and runs are there."""

    def __init__(self, jobs: int, runs: Sequence[PlannedRun]) -> None:
        """Prepare processes for some runs; they are started with the first one."""
        self._runs = runs
        self.room = AHEAD * jobs
        self._jobs = jobs
        self._deaths = 0
        self._others = set(multiprocessing.active_children())
        self._executor: ProcessPoolExecutor | None = None

    def _submit(self, run: PlannedRun) -> 'Future[RunResult]':
        try:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    self._jobs, FORK, _begin, (os.getpid(), self._runs)
                )
            return self._executor.submit(_fly_by_key, run.key)
        except BrokenExecutor as error:  # a process has died since the last look
            broken: Future[RunResult] = Future()
            broken.set_exception(error)
            return broken
        except OSError as error:
            raise BrokenOffError(
                f'cannot start a worker: {error.strerror}; finished runs are kept: repeat the '
                'command with fewer --jobs'
            ) from None

    def _accept(self, result: RunResult) -> None:
        self._deaths = 0

    def _recover(self, error: BaseException) -> str:
        if not isinstance(error, BrokenExecutor):
            return one_line(error)
        self._close()
        self._deaths += 1
        if self._deaths >= DEATHS_IN_A_ROW:
            raise BrokenOffError(
                f'{DEATHS_IN_A_ROW} workers died without finishing a run; finished runs are kept: '
                'find the cause, for example a lack of memory'
            )
        return 'its worker died'

    def _close(self) -> None:
        if self._executor is None:
            return
        for process in set(multiprocessing.active_children()) - self._others:
            process.kill()
        self._executor.shutdown(cancel_futures=True)
        self._executor = None


def fly_locally(runs: Sequence[PlannedRun], jobs: int, monitor: SweepMonitor) -> None:
    """Simulate runs by at most ``jobs`` processes of this machine; as ``Pool.fly``."""
    LocalPool(max(1, min(jobs, len(runs))), runs).fly(runs, monitor)
