"""For tests that fly runs: every flight is a process of its own in a domain of its own.

A file lists its flights as ``FLIGHTS``, its tests ask for ``flight``; each is flown at most once.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.cli import Process, run_swarm
from support.ros_domain import domain_of_its_own

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
def flight(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Any]:
    """Return what flies a flight of the file by its name, and returns what it came to."""
    flown: dict[str, Any] = {}

    def fly_once(name: str) -> Any:
        if name not in flown:
            with domain_of_its_own() as domain:
                pilot: Pilot = request.module.FLIGHTS[name]
                flown[name] = pilot(tmp_path_factory.mktemp(name), domain)
        return flown[name]

    return fly_once
