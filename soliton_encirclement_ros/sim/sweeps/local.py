"""Runs flown by processes of this machine, as many at once as wanted."""

from collections import Counter, deque
from collections.abc import Sequence
from functools import partial

from soliton_encirclement_ros.sim.process_pool import Tell, Worker, end_with_client, heard
from soliton_encirclement_ros.sim.sweeps.run_result import RunResult, fly_run
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun
from soliton_encirclement_ros.sim.sweeps.sweep_monitor import TURN, BrokenOffError, SweepMonitor

MAX_DEATHS = 2
"""A run that was in work at so many deaths of a worker is not flown again."""

DEATHS_IN_A_ROW = 6
"""So many deaths without a single finished run between them end the sweep."""


def fly_locally(runs: Sequence[PlannedRun], jobs: int, desk: SweepMonitor) -> None:
    """Fly runs; returns when all are done, or when the desk does not want to go on.

    Args:
        runs: What to fly.
        jobs: How many workers.
        desk: Takes what comes of them.

    Raises:
        BrokenOffError: There is no room for a process, or workers die and die.
    """
    crew = _Crew(runs, desk)
    try:
        crew.fly(min(jobs, len(runs)))
    finally:
        for worker in crew.workers:
            worker.end()


class _Crew:
    """The workers, and what is still waiting for one of them."""

    def __init__(self, runs: Sequence[PlannedRun], desk: SweepMonitor) -> None:
        self._runs = runs
        self._desk = desk
        self._waiting = deque(range(len(runs)))
        self._left = len(runs)
        self._deaths: Counter[int] = Counter()
        self._deaths_in_a_row = 0
        self.workers: list[Worker] = []

    def fly(self, jobs: int) -> None:
        """Fly everything."""
        for _ in range(jobs):
            self._hire()
        while self._left and self._desk.turn():
            for worker in self.workers:
                self._ask(worker)
            self._listen()

    def _hire(self) -> None:
        try:
            self.workers.append(Worker(partial(_fly_one, self._runs), end_with_client))
        except OSError as error:
            raise BrokenOffError(
                f'cannot start a worker: {error.strerror}; finished runs are kept: run the same '
                'again with fewer --jobs'
            ) from None

    def _ask(self, worker: Worker) -> None:
        """Give a worker one run, and one in advance as long as there are enough for all."""
        ahead = 2 if len(self._waiting) > len(self.workers) else 1
        while self._waiting and len(worker.asked) < ahead:
            worker.ask(self._waiting.popleft())

    def _listen(self) -> None:
        finished: list[tuple[PlannedRun, RunResult]] = []
        dead = []
        for worker, message in heard(self.workers, TURN):
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
        self._desk.take(finished)

    def _replace(self, worker: Worker) -> None:
        """Put another worker in the place of a dead one; what it had not finished comes first."""
        death = worker.death()
        self.workers.remove(worker)
        worker.end()
        self._deaths_in_a_row += 1
        if self._deaths_in_a_row >= DEATHS_IN_A_ROW:
            raise BrokenOffError(
                f'{DEATHS_IN_A_ROW} workers died without finishing a run (the last: {death}); '
                'finished runs are kept: look for what kills them, such as a lack of memory'
            )
        self._waiting.extendleft(reversed(worker.asked))
        if worker.asked:
            self._note_death(worker.asked[0], death)
        self._hire()

    def _note_death(self, number: int, death: str) -> None:
        run = self._runs[number]
        self._deaths[number] += 1
        if self._deaths[number] < MAX_DEATHS:
            self._desk.say(f'a worker died ({death}); flown again: {run.label}')
            return
        self._waiting.remove(number)
        why = f'its worker died {MAX_DEATHS} times ({death})'
        self._end([(run, RunResult(run.key, '', why))])


def _fly_one(runs: Sequence[PlannedRun], number: int, tell: Tell) -> RunResult:
    """Fly one of the runs in a worker."""
    del tell
    return fly_run(runs[number].key, runs[number].scenario)
