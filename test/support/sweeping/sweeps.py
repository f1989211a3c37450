"""For tests of sweeps: small sweep files, and a real Dask scheduler with real workers."""

import hashlib
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.simulation import fly
from support.cli import Process, start_swarm, wait_until

NOWHERE = 99
"""A ROS domain that nobody looks at."""

SMALL = {
    'scenario': 'demo',
    'changes': {'run': {'sim_duration': 2.0, 'num_agents': 3}},
}
"""Runs of some hundredths of a second."""

SLOW = {'run': {'sim_duration': 1000.0, 'num_agents': 5}}
"""Changes for runs of more than a tenth of a second."""

SLOWLY = """
import time
from soliton_encirclement_ros.sim import simulation
fly = simulation.fly
def slowly(scenario):
    time.sleep(0.15)
    return fly(scenario)
simulation.fly = slowly
"""
"""Code that a worker runs first: every run of it takes its time, and none of the machine's."""

LAWS = {'grid': {'control.controller': ['soliton', 'two_channel']}}
NOTHING: Mapping[str, str] = {}
TABLES = ('table', 'statistics', 'paired')


def compile_laws() -> None:
    """Have the laws compiled before processes with little patience need them."""
    run = {'sim_duration': 0.05, 'num_agents': 3}
    fly(Scenario('brief').with_changes({'run': run}, 'test'))


def write_sweep(folder: Path, name: str = 'small', **content: Any) -> Path:
    """Write a sweep file and return it; ``content`` is added to ``SMALL``."""
    path = folder / f'{name}.yaml'
    path.write_text(yaml.safe_dump({**SMALL, **content}, sort_keys=False), encoding='utf-8')
    return path


def sweep(folder: Path, *arguments: str, name: str = 'swarm') -> Process:
    """Run ``swarm sweep ARGUMENTS`` without pictures to its end."""
    with start_sweep(folder, *arguments, name=name) as process:
        process.end()
    return process


def start_sweep(folder: Path, *arguments: str, name: str = 'swarm') -> Process:
    """Start ``swarm sweep ARGUMENTS`` without pictures."""
    words = ('sweep', *arguments, '--no-pictures')
    return start_swarm(*words, domain=NOWHERE, folder=folder, name=name)


def fingerprints(folder: Path) -> dict[str, str]:
    """Return a digest of every table of a sweep's folder by file name."""
    files = [folder / f'{name}.{kind}' for name in TABLES for kind in ('csv', 'parquet')]
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.exists()
    }


def free_port() -> int:
    """Return a port of the loopback interface that is given to nobody else before we end.

    It stays bound, by a socket that does not listen: that is in nobody's way who reuses addresses
    to listen, as servers do.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(('127.0.0.1', 0))
    port = int(holder.getsockname()[1])
    holder.detach()  # stays open
    return port


class Cluster:
    """A scheduler and workers as processes of their own, all gone when the block is left."""

    def __init__(
        self, folder: Path, workers: int = 2, before: Mapping[str, str] = NOTHING
    ) -> None:
        """Start everything.

        Args:
            folder: Where logs go.
            workers: How many workers.
            before: Code that a ``scheduler`` or ``worker`` runs first, to make it a strange one.
        """
        self.port = free_port()
        self.address = f'tcp://127.0.0.1:{self.port}'
        self._folder = folder
        self._before = before
        self._started = 0
        self.workers: list[Process] = []
        self.scheduler = self.start_scheduler()
        for _ in range(workers):
            self.workers.append(self.start_worker())

    def __enter__(self) -> 'Cluster':
        """Return the cluster."""
        return self

    def __exit__(self, *error: object) -> None:
        """End everybody for good."""
        for process in (*self.workers, self.scheduler):
            process.__exit__()

    def start_scheduler(self) -> Process:
        """Start a scheduler; it listens when this returns."""
        words = ('scheduler', '--host', '127.0.0.1', '--port', str(self.port), '--no-dashboard')
        self.scheduler = self._start('scheduler', words)
        wait_until(self._listens, 'the scheduler to listen')
        return self.scheduler

    def start_worker(self) -> Process:
        """Start a worker of one thread."""
        words = (
            'worker', self.address, '--host', '127.0.0.1', '--nthreads', '1', '--no-nanny',
            '--no-dashboard', '--local-directory', str(self._folder / f'worker-{self._started}'),
            '--death-timeout', '60',
        )  # fmt: skip
        return self._start('worker', words)

    def restart_worker(self, number: int) -> None:
        """Put a new worker in the place of one that was killed."""
        self.workers[number].__exit__()
        self.workers[number] = self.start_worker()

    def mend(self) -> None:
        """Put new ones in the place of all that have died."""
        if self.scheduler.popen.poll() is not None:
            self.restart()
        for number, worker in enumerate(self.workers):
            if worker.popen.poll() is not None:
                self.restart_worker(number)

    def restart(self) -> None:
        """Start everybody anew."""
        self.__exit__()
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in self.workers]

    def _start(self, kind: str, words: tuple[str, ...]) -> Process:
        self._started += 1
        code = f'{self._before.get(kind, "")}\nfrom dask.__main__ import main; main()'
        command = (sys.executable, '-c', code, *words)
        return Process(command, NOWHERE, self._folder, f'{kind}-{self._started}')

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(('127.0.0.1', self.port)) == 0
