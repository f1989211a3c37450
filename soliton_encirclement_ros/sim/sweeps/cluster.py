"""Runs flown by the workers of a Dask cluster."""

import asyncio
import contextlib
import logging
import queue
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from velocity_mobility_ros.core.errors import MobilityError

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.code_version import code_version
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sweeps.cluster_checks import check_cluster, one_line, workers_of
from soliton_encirclement_ros.sim.sweeps.run_result import RunResult, fly_run
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun
from soliton_encirclement_ros.sim.sweeps.sweep_monitor import TURN, BrokenOffError, SweepMonitor

CONNECT_TIMEOUT = 8.0
"""Wall time [s] that a scheduler has to answer."""

WATCH_PERIOD = 1.0
"""Wall time [s] between two looks at who is there."""

LARGEST_BATCH = 10
"""Runs that travel together at most; what one worker loses when it dies."""

BATCHES_PER_THREAD = 8
"""So many batches per thread of the cluster share out the work evenly."""


class TaskBatch(NamedTuple):
    """Runs that travel together, where their result will be, and whether nothing flies beside."""

    runs: Sequence[PlannedRun]
    future: Any
    alone: bool


def fly_batch(batch: Sequence[tuple[str, Scenario]]) -> list[RunResult]:
    """Fly some runs; this is what a worker of the cluster calls."""
    return [fly_run(key, scenario) for key, scenario in batch]


def fly_on_cluster(runs: Sequence[PlannedRun], address: str, desk: SweepMonitor) -> None:
    """Fly runs; returns when all are done, or when the desk does not want to go on.

    Args:
        runs: What to fly.
        address: Of the scheduler, such as ``tcp://host:8786``.
        desk: Takes what comes of them.

    Raises:
        RunError: The scheduler cannot be reached, or its workers cannot fly for us.
        BrokenOffError: It went away meanwhile.
    """
    with _client(address) as client:
        try:
            workers = check_cluster(client, address, desk)
            if workers:
                _Flights(client, address, desk, workers).fly(runs)
        except MobilityError:
            raise
        except Exception as error:
            raise lost(address, one_line(error)) from None


@contextlib.contextmanager
def _client(address: str) -> Iterator[Any]:
    """Give a client of a scheduler, closed afterwards."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise RunError(
            f'--scheduler needs the library {error.name}: pip install dask distributed'
        ) from None
    logging.disable(logging.CRITICAL)
    warnings.simplefilter('ignore')
    dask.config.set({'distributed.comm.timeouts.connect': CONNECT_TIMEOUT})

    class Client(distributed.Client):  # type: ignore[misc]
        def __del__(self) -> None:
            """Do not wait once more, and complain, for a scheduler that never answered."""

    try:
        asyncio.run(asyncio.wait_for(_knock(address), CONNECT_TIMEOUT + 1.0))
        client = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except Exception as error:
        raise RunError(
            f'--scheduler {address}: no scheduler answers ({one_line(error)}): start it with '
            '`dask scheduler`, or mend the address'
        ) from None
    try:
        yield client
    finally:
        # All results are kept by now; a scheduler that is gone has many ways to say so.
        with contextlib.suppress(Exception):
            client.close(timeout=2.0)


async def _knock(address: str) -> None:
    """See whether a scheduler answers; a client would wait forever for one that is silent."""
    from distributed.comm import connect

    comm = await connect(address, timeout=CONNECT_TIMEOUT)
    try:
        await comm.write({'op': 'identity', 'reply': True})
        answer = await comm.read()
    finally:
        comm.abort()
    if answer.get('type') != 'Scheduler':
        raise ValueError(f'a {answer.get("type")} is there')


def lost(address: str, reason: str = '') -> BrokenOffError:
    """Return the error for a scheduler that went away."""
    detail = f' ({reason})' if reason else ''
    return BrokenOffError(
        f'--scheduler {address}: the scheduler is lost{detail}; finished runs are kept: start it '
        'and its workers again and run the same again'
    )


class _Flights:
    """Batches under way on a cluster."""

    def __init__(
        self, client: Any, address: str, desk: SweepMonitor, workers: Mapping[str, int]
    ) -> None:
        self._client = client
        self._address = address
        self._desk = desk
        self._threads = sum(workers.values())
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._batches: dict[str, TaskBatch] = {}
        self._suspects: list[PlannedRun] = []
        self._workers = set(workers)
        self._looked = time.monotonic()

    def fly(self, runs: Sequence[PlannedRun]) -> None:
        """Fly everything."""
        share = -(-len(runs) // (self._threads * BATCHES_PER_THREAD))
        size = max(1, min(LARGEST_BATCH, share))
        for i in range(0, len(runs), size):
            self._send(runs[i : i + size])
        while (self._batches or self._suspects) and self._desk.turn():
            if not self._batches:
                self._send([self._suspects.pop(0)], alone=True)
            self._watch()
            for future in self._heard():
                self._take(future)
        if self._batches:
            self._cancel()
        else:
            with contextlib.suppress(Exception):  # all is done, whoever is gone
                self._look()

    def _cancel(self) -> None:
        """Take back what is under way; a cluster that cannot be told goes on with it."""
        try:
            self._client.cancel([batch.future for batch in self._batches.values()])
        except Exception as error:  # a lost scheduler has many ways to say so
            self._desk.say(
                f'the runs under way could not be cancelled ({one_line(error)}): workers that are '
                'still there finish them for nobody'
            )

    def _send(self, runs: Sequence[PlannedRun], alone: bool = False) -> None:
        load = [(run.key, run.scenario) for run in runs]
        future = self._client.submit(fly_batch, load, pure=False)
        self._batches[future.key] = TaskBatch(runs, future, alone)
        future.add_done_callback(self._done.put)

    def _heard(self) -> list[Any]:
        """Return the futures that have ended, after a turn at the latest."""
        found = []
        with contextlib.suppress(queue.Empty):  # none has ended, or no more
            found.append(self._done.get(timeout=TURN))
            while True:
                found.append(self._done.get_nowait())
        return found

    def _take(self, future: Any) -> None:
        batch = self._batches.pop(future.key, None)
        if batch is None:
            return
        if future.status in ('cancelled', 'lost'):
            raise lost(self._address)
        if future.status == 'finished':
            self._keep(batch, future.result(timeout=CONNECT_TIMEOUT))
        else:
            self._fail(batch, future.exception())

    def _keep(self, batch: TaskBatch, records: Sequence[RunResult]) -> None:
        for record in records:
            if record.code != code_version():
                raise BrokenOffError(
                    f'--scheduler {self._address}: a worker runs other code '
                    f'({record.code}, here {code_version()}); finished runs are kept: bring this '
                    'package to all workers, restart them and run the same again'
                )
        self._desk.take(list(zip(batch.runs, records, strict=True)))

    def _fail(self, batch: TaskBatch, error: BaseException | None) -> None:
        """Put runs of a failed batch aside: one may have failed the others, or runs beside it.

        They are flown alone in the end, and who fails then has failed.
        """
        if not batch.alone:
            self._suspects += batch.runs
            return
        killed = type(error).__name__ == 'KilledWorker'
        reason = 'its workers died again and again' if killed else one_line(error)
        self._desk.take([(run, RunResult(run.key, '', reason)) for run in batch.runs])

    def _watch(self) -> None:
        """Notice that the scheduler is lost, or a worker; Dask itself flies its runs again."""
        if self._client.status != 'running':
            raise lost(self._address)
        if time.monotonic() - self._looked < WATCH_PERIOD:
            return
        self._look()

    def _look(self) -> None:
        self._looked = time.monotonic()
        now = workers_of(self._client).keys()
        for gone in sorted(self._workers - now):
            left = f'{len(now)} left' if now else 'none is left, waiting for another'
            self._desk.say(f'worker {gone} is gone ({left}); what it had in work is flown again')
        self._workers = set(now)
