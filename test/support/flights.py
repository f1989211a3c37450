"""For tests that fly runs: every flight is a process of its own in a domain of its own.

Most of a flight's time is waiting, so all flights of a file are started ahead of the tests that
look at them, a few at a time: the file lists them as ``FLIGHTS``, its tests ask for ``flight``.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.cli import Process, run_swarm
from support.ros.graph import domain_of_its_own

AT_ONCE = 3
PERIOD_NS = 50_000_000
"""Control period [ns]."""

SLOW = ('run', 'demo', '--agents', '3', '--duration', '60', '--real-time-factor', '1')
"""A run that is surely still under way when something happens to it."""

Pilot = Callable[[Path, int], Any]
"""Flies one run in a folder and a domain, and returns what a test looks at."""


def stamps(ticks: int) -> list[int]:
    """Return the stamps [ns] of so many ticks."""
    return [k * PERIOD_NS for k in range(1, ticks + 1)]


def fly(*arguments: str) -> Pilot:
    """Return a pilot that runs to the end."""

    def pilot(folder: Path, domain: int) -> tuple[Process, Path]:
        return run_swarm(*arguments, domain=domain, folder=folder), folder

    return pilot


def is_flying(folder: Path) -> bool:
    """Say whether the first rows of a run are on disk."""
    return any(path.stat().st_size > 200 for path in folder.glob('runs/2*/agent_telemetry.csv'))


def has(pattern: str) -> Callable[[Path], bool]:
    """Return a check whether a file of a pattern exists in a run's folder."""
    return lambda folder: any(folder.glob(f'runs/2*/{pattern}'))


def last_time(folder: Path) -> float:
    """Return the last whole row's time [s] in a table that may still be written to."""
    for table in folder.glob('runs/2*/target_telemetry.csv'):
        lines = table.read_text(encoding='utf-8').split('\n')[1:-1]
        return float(lines[-1].partition(',')[0]) if lines else 0.0
    return 0.0


@pytest.fixture(scope='module')
def flights(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Future[Any]]]:
    """Return all flights of a file under way, a few at a time."""
    listed: dict[str, Pilot] = request.module.FLIGHTS

    def in_its_own_domain(pilot: Pilot, folder: Path) -> Any:
        with domain_of_its_own() as domain:
            return pilot(folder, domain)

    # Folders are made here: two threads that ask first at once get different roots from pytest.
    folders = {name: tmp_path_factory.mktemp(name) for name in listed}
    pool = ThreadPoolExecutor(AT_ONCE)
    yield {
        name: pool.submit(in_its_own_domain, pilot, folders[name])
        for name, pilot in listed.items()
    }
    pool.shutdown(cancel_futures=True)


@pytest.fixture
def flight(flights: dict[str, Future[Any]]) -> Callable[[str], Any]:
    """Return what a flight came to, by its name."""
    return lambda name: flights[name].result()
