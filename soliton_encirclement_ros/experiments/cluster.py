"""Runs simulated by the workers of a Dask cluster.

Its workers, their libraries and their version of this package are checked before.
"""

import asyncio
import contextlib
import logging
import re
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.run_folder import code_version
from soliton_encirclement_ros.experiments.run_pool import Pool
from soliton_encirclement_ros.experiments.run_store import (
    TURN, BrokenOffError, RunResult, SweepMonitor, fly_run, one_line
)
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun
from velocity_mobility_ros.core.user_errors import MobilityError

WORKER_TIMEOUT = 30.0
"""Wall time [s] to wait for the first worker."""

NOTE_AFTER = 3.0
"""Wall time [s] after which a line says that there is no worker yet."""

ANSWER_TIMEOUT = 20.0
"""Wall time [s] after which a scheduler without an answer counts as lost."""

LACKING = re.compile(r'No module named \W*([\w.]+)')

SAME_VERSION = ('python', 'dask', 'distributed', 'msgpack', 'cloudpickle', 'numpy')
"""Packages that must have the same version everywhere."""


def check_cluster(client: Any, address: str, monitor: SweepMonitor) -> dict[str, int]:
    """Refuse an unusable cluster; return the number of threads of every worker by address.

    The monitor is notified of the wait for a worker; if it stops the sweep, nothing is returned.

    Raises:
        RunError: There is no worker, or versions differ.
    """
    began, noted = time.monotonic(), False
    while not (workers := workers_of(client)):
        if not monitor.turn():
            return {}
        waited = time.monotonic() - began
        if not noted and waited > NOTE_AFTER:
            noted = True
            monitor.note(f'--scheduler {address}: no worker yet, waiting for one')
        if waited > WORKER_TIMEOUT:
            raise RunError(
                f'--scheduler {address} has no worker after {WORKER_TIMEOUT:g} s: start one with '
                f'`dask worker {address}`'
            )
        time.sleep(TURN)
    try:
        _check_libraries(client.get_versions(), address)
        code = client.run_on_scheduler(code_version), *client.run(code_version).values()
    except RunError:
        raise
    except Exception as error:
        raise RunError(f'--scheduler {address} cannot be used: {_reason(error)}') from None
    for other in code:
        _refuse_other_code(address, other, RunError)
    return {name: int(worker['nthreads']) for name, worker in workers.items()}


def workers_of(client: Any) -> Mapping[str, Any]:
    """Return the workers of a cluster by address, from the scheduler.

    Raises:
        Exception: The scheduler does not answer.
    """
    identity = client.sync(
        client.scheduler.identity, n_workers=-1, callback_timeout=ANSWER_TIMEOUT
    )
    workers: Mapping[str, Any] = identity['workers']
    return workers


def _check_libraries(all_versions: Mapping[str, Any], address: str) -> None:
    own = versions(all_versions['client'])
    others = {f'worker {name}': entry for name, entry in all_versions['workers'].items()}
    for name, entry in {'the scheduler': all_versions['scheduler'], **others}.items():
        for library, version in versions(entry).items():
            if version != own[library]:
                raise RunError(
                    f'--scheduler {address}: {name} has {library} {version}, this machine '
                    f'{own[library]}: install the same everywhere (requirements/run.txt)'
                )


def versions(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions that must agree, from an entry of ``Client.get_versions``."""
    packages = dict(entry['packages'])
    python = '.'.join(str(packages.get('python', '')).split('.')[:2])
    return {name: str(packages.get(name)) for name in SAME_VERSION} | {'python': python}


def _refuse_other_code(address: str, code: str, kind: type[RunError]) -> None:
    if code != code_version():
        raise kind(
            f'--scheduler {address}: scheduler or workers run other code ({code}, here '
            f'{code_version()}); finished runs are kept: install this version everywhere, restart '
            'them and repeat the command'
        )


def _reason(error: BaseException) -> str:
    """Return why a cluster is of no use; one that lacks this package is told what to do."""
    lacking = LACKING.search(str(error))
    if lacking is None:
        return one_line(error)
    return (f'it lacks {lacking[1]}: install this package, with requirements/run.txt, where '
            'scheduler and workers run')  # fmt: skip


CONNECT_TIMEOUT = 8.0
"""Wall time [s] to connect to a scheduler."""

WATCH_PERIOD = 1.0
"""Wall time [s] between two checks of the workers."""

AHEAD_PER_THREAD = 20
"""Runs per thread of the cluster that are handed over, so that none waits for the next."""


def fly_on_cluster(runs: Sequence[PlannedRun], address: str, monitor: SweepMonitor) -> None:
    """Simulate runs by a scheduler such as ``tcp://host:8786``; the monitor gets the results.

    Return when all are done, or when the monitor stops the sweep.

    Raises:
        RunError: The scheduler cannot be reached, or its workers cannot be used.
        BrokenOffError: The connection was lost.
    """
    with _client(address) as client:
        try:
            workers = check_cluster(client, address, monitor)
            if workers:
                ClusterPool(client, address, monitor, workers).fly(runs, monitor)
        except MobilityError:
            raise
        except Exception as error:
            raise lost(address, one_line(error)) from None


@contextlib.contextmanager
def _client(address: str) -> Iterator[Any]:
    """Yield a client of a scheduler, closed afterwards."""
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

    class Client(distributed.Client):
        def __del__(self) -> None:
            """Do not wait again, with a warning, for a scheduler that never answered."""

    try:
        asyncio.run(asyncio.wait_for(_check_scheduler(address), CONNECT_TIMEOUT + 1.0))
        client = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except Exception as error:
        raise RunError(
            f'--scheduler {address}: no scheduler answers ({one_line(error)}): start it with '
            '`dask scheduler`, or correct the address'
        ) from None
    try:
        yield client
    finally:
        # All results are stored; a lost scheduler can raise anything.
        with contextlib.suppress(Exception):
            client.close(timeout=2.0)


async def _check_scheduler(address: str) -> None:
    """Check that a scheduler answers; a client would wait forever for one that does not."""
    from distributed.comm import connect

    comm = await connect(address, timeout=CONNECT_TIMEOUT)
    try:
        await comm.write({'op': 'identity', 'reply': True})
        answer = await comm.read()
    finally:
        comm.abort()
    if answer.get('type') != 'Scheduler':
        raise ValueError(f'answered by a {answer.get("type")}')


def lost(address: str, reason: str = '') -> BrokenOffError:
    """Return the error for a lost connection to the scheduler."""
    detail = f' ({reason})' if reason else ''
    return BrokenOffError(
        f'--scheduler {address}: the connection is lost{detail}; finished runs are kept: '
        'restart scheduler and workers, and repeat the command'
    )


class ClusterPool(Pool):
    """The workers of a cluster; Dask itself repeats the runs of a lost one."""

    def __init__(
        self, client: Any, address: str, monitor: SweepMonitor, workers: Mapping[str, int]
    ) -> None:
        """Take the workers, numbers of threads by address, as they are."""
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._address = address
        self._monitor = monitor
        self._workers = set(workers)
        self._checked = time.monotonic()
        self.room = AHEAD_PER_THREAD * sum(workers.values())

    def _close(self) -> None:
        # A lost scheduler can raise anything, and if all runs are done, no error matters.
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=False)
            self._check_workers()

    def _submit(self, run: PlannedRun) -> 'Future[RunResult]':
        future: Future[RunResult] = self._executor.submit(fly_run, run.key, run.scenario)
        return future

    def _check(self) -> None:
        if self._client.status != 'running':
            raise lost(self._address)
        if time.monotonic() - self._checked >= WATCH_PERIOD:
            self._check_workers()

    def _accept(self, result: RunResult) -> None:
        _refuse_other_code(self._address, result.code, BrokenOffError)

    def _recover(self, error: BaseException) -> str:
        if isinstance(error, CancelledError):
            raise lost(self._address)
        if type(error).__name__ == 'KilledWorker':
            return 'its workers died repeatedly'
        return one_line(error)

    def _check_workers(self) -> None:
        self._checked = time.monotonic()
        now = workers_of(self._client).keys()
        for worker in sorted(self._workers - now):
            remaining = f'{len(now)} left' if now else 'none left, waiting for another'
            self._monitor.note(f'worker {worker} is lost ({remaining}); its runs are repeated')
        self._workers = set(now)
