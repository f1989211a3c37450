"""Runs simulated by parallel processes on this machine."""

from collections import Counter, deque
from collections.abc import Sequence
from functools import partial

from soliton_encirclement_ros.sim.process_pool import Report, Worker, end_with_client, received
from soliton_encirclement_ros.sim.sweeps.run_store import (
    TURN,
    BrokenOffError,
    RunResult,
    SweepMonitor,
    fly_run,
)
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun

MAX_DEATHS = 2
"""Number of worker deaths after which the run in work is not repeated."""

DEATHS_IN_A_ROW = 6
"""Number of worker deaths without a finished run in between that ends the sweep."""


def fly_locally(runs: Sequence[PlannedRun], jobs: int, monitor: SweepMonitor) -> None:
    """Simulate runs; return when all are done, or when the monitor stops the sweep.

    Args:
        runs: The runs.
        jobs: Number of workers.
        monitor: Receives the results.

    Raises:
        BrokenOffError: No process can be started, or workers die repeatedly.
    """
    pool = _WorkerPool(runs, monitor)
    try:
        pool.fly(min(jobs, len(runs)))
    finally:
        for worker in pool.workers:
            worker.end()


class _WorkerPool:
    """The workers, and the runs that wait for one of them."""

    def __init__(self, runs: Sequence[PlannedRun], monitor: SweepMonitor) -> None:
        self._runs = runs
        self._monitor = monitor
        self._waiting = deque(range(len(runs)))
        self._left = len(runs)
        self._deaths: Counter[int] = Counter()
        self._deaths_in_a_row = 0
        self.workers: list[Worker] = []

    def fly(self, jobs: int) -> None:
        """Simulate all runs."""
        for _ in range(jobs):
            self._start_worker()
        while self._left and self._monitor.turn():
            for worker in self.workers:
                self._assign(worker)
            self._receive()

    def _start_worker(self) -> None:
        try:
            self.workers.append(Worker(partial(_fly_one, self._runs), end_with_client))
        except OSError as error:
            raise BrokenOffError(
                f'cannot start a worker: {error.strerror}; finished runs are kept: repeat the '
                'command with fewer --jobs'
            ) from None

    def _assign(self, worker: Worker) -> None:
        """Give a worker one run, and one in advance if there are enough for all."""
        ahead = 2 if len(self._waiting) > len(self.workers) else 1
        while self._waiting and len(worker.asked) < ahead:
            worker.ask(self._waiting.popleft())

    def _receive(self) -> None:
        finished: list[tuple[PlannedRun, RunResult]] = []
        dead = []
        for worker, message in received(self.workers, TURN):
            if message is None:
                dead.append(worker)
            else:
                finished.append((self._runs[message.job], message.content))
        if finished:
            self._deaths_in_a_row = 0
            self._end(finished)
        for worker in dead:
            self._replace(worker)

    def _end(self, finished: Sequence[tuple[PlannedRun, RunResult]]) -> None:
        self._left -= len(finished)
        self._monitor.take(finished)

    def _replace(self, worker: Worker) -> None:
        """Replace a dead worker; its unfinished runs come first."""
        death = worker.death()
        self.workers.remove(worker)
        worker.end()
        self._deaths_in_a_row += 1
        if self._deaths_in_a_row >= DEATHS_IN_A_ROW:
            raise BrokenOffError(
                f'{DEATHS_IN_A_ROW} workers died without finishing a run (the last: {death}); '
                'finished runs are kept: find the cause, for example a lack of memory'
            )
        self._waiting.extendleft(reversed(worker.asked))
        if worker.asked:
            self._note_death(worker.asked[0], death)
        self._start_worker()

    def _note_death(self, number: int, death: str) -> None:
        run = self._runs[number]
        self._deaths[number] += 1
        if self._deaths[number] < MAX_DEATHS:
            self._monitor.note(f'a worker died ({death}); repeated: {run.label}')
            return
        self._waiting.remove(number)
        why = f'its worker died {MAX_DEATHS} times ({death})'
        self._end([(run, RunResult(run.key, '', why))])


def _fly_one(runs: Sequence[PlannedRun], number: int, report: Report) -> RunResult:
    """Simulate one of the runs in a worker."""
    del report
    return fly_run(runs[number].key, runs[number].scenario)
