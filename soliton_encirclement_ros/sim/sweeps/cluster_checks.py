"""Checks of a Dask cluster: workers, versions of libraries and of this package."""

import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.run_folder import code_version
from soliton_encirclement_ros.sim.sweeps.sweep_monitor import TURN, SweepMonitor

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

    Args:
        client: Client of the scheduler.
        address: Its address, for messages.
        monitor: Notified of the wait for a worker; if it stops the sweep, nothing is returned.

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
    _check_libraries(client, address)
    _check_code(client, address)
    return {name: int(worker['nthreads']) for name, worker in workers.items()}


def workers_of(client: Any) -> Mapping[str, Any]:
    """Return the workers of a cluster by address, from the scheduler.

    Raises:
        Exception: The scheduler does not answer.
    """
    found = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=ANSWER_TIMEOUT)
    workers: Mapping[str, Any] = found['workers']
    return workers


def _check_libraries(client: Any, address: str) -> None:
    try:
        found = client.get_versions()
    except Exception as error:
        raise _unusable(address, error) from None
    ours = versions(found['client'])
    others = {'the scheduler': found['scheduler']}
    others.update({f'worker {name}': one for name, one in found['workers'].items()})
    for name, one in others.items():
        for library, version in versions(one).items():
            if version != ours[library]:
                raise RunError(
                    f'--scheduler {address}: {name} has {library} {version}, this machine '
                    f'{ours[library]}: install the same everywhere (requirements/run.txt)'
                )


def versions(found: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions that must agree, from an entry of ``Client.get_versions``."""
    packages = dict(found['packages'])
    python = '.'.join(str(packages.get('python', '')).split('.')[:2])
    return {name: str(packages.get(name)) for name in SAME_VERSION} | {'python': python}


def _check_code(client: Any, address: str) -> None:
    _asked('the scheduler', lambda: client.run_on_scheduler(code_version), address)
    found = _asked('a worker', lambda: client.run(code_version), address)
    for worker, code in found.items():
        if code != code_version():
            raise RunError(
                f'--scheduler {address}: worker {worker} runs other code ({code}, here '
                f'{code_version()}): install this version on all workers and restart them'
            )


def _asked(who: str, ask: Callable[[], Any], address: str) -> Any:
    """Return the answer to a call that needs this package on the other side."""
    try:
        return ask()
    except Exception as error:
        lacking = LACKING.search(str(error))
        if lacking is None:
            raise _unusable(address, error) from None
        raise RunError(
            f'--scheduler {address}: {who} lacks {lacking[1]}: install this package, with '
            'requirements/run.txt, where scheduler and workers run'
        ) from None


def one_line(error: BaseException | None) -> str:
    """Return an error in one short line."""
    text = ' '.join(str(error).split())
    return (f'{type(error).__name__}: {text}' if text else type(error).__name__)[:200]


def _unusable(address: str, error: BaseException) -> RunError:
    return RunError(f'--scheduler {address} cannot be used: {one_line(error)}')
