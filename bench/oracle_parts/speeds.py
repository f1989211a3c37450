"""The speeds that are measured side by side: each returns one number of one version."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

Environment = Mapping[str, str]
SWARM = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main']
REAL_TIME = 20.0
"""Duration of a run in real time [s]."""


class Speed(NamedTuple):
    """What is measured, and how."""

    name: str
    measure: Callable[[Environment, Path], float]


def wall(words: list[str]) -> Callable[[Environment, Path], float]:
    """Return what measures how long a command takes [s]."""

    def measure(environment: Environment, work: Path) -> float:
        began = time.perf_counter()
        subprocess.run(
            [*SWARM, *words], check=False, env=environment, cwd=work, capture_output=True
        )
        return time.perf_counter() - began

    return measure


def rate(words: list[str], agents: int) -> Callable[[Environment, Path], float]:
    """Return what reads ticks of agents per second from the summary of a run."""

    def measure(environment: Environment, work: Path) -> float:
        command = [*SWARM, *words, '--agents', str(agents), '--json', '--out', 'speed']
        done = subprocess.run(
            command, check=False, env=environment, cwd=work, capture_output=True, text=True
        )
        found = json.loads(done.stdout)
        return agents * found['ticks'] / found['wall_s']

    return measure


def real_time(agents: int, processes: str, figure: str) -> Callable[[Environment, Path], float]:
    """Return what flies in real time at 50 Hz, and reads a figure of ``real_time.py``."""

    def measure(environment: Environment, work: Path) -> float:
        program = Path(__file__).resolve().parent.parent / 'real_time.py'
        words = [str(REAL_TIME), '--agents', str(agents), '--processes', processes]
        done = subprocess.run(
            [sys.executable, str(program), *words], check=True, env=environment, cwd=work,
            capture_output=True, text=True,
        )  # fmt: skip
        return float(json.loads(done.stdout)[figure])

    return measure


def reading(environment: Environment, work: Path) -> float:
    """Return how long the report on a bag takes [s]."""
    bag = next((work / 'out' / '0' / 'nodes').glob('*/*/bag'), None)
    if bag is None:
        return float('nan')
    words = ['report', str(bag), '--no-pictures', '--no-page', '--out', 'read']
    return wall(words)(environment, work)


SHORT = ['--format', 'none', '--no-pictures', '--duration']
LOCKSTEP = ['run', 'demo', '--no-bag', '--duration']
SPEEDS = (
    Speed('swarm --help [s]', wall(['--help'])),
    Speed('swarm simulate, first second [s]', wall(['simulate', 'demo', *SHORT, '1'])),
    Speed('engine, 10 agents [agent ticks/s]', rate(['simulate', 'demo', *SHORT, '300'], 10)),
    Speed('engine, 1,000 agents [agent ticks/s]', rate(['simulate', 'demo', *SHORT, '10'], 1000)),
    Speed('lockstep, 1 agent [agent ticks/s]', rate([*LOCKSTEP, '30'], 1)),
    Speed('lockstep, 10 agents [agent ticks/s]', rate([*LOCKSTEP, '30'], 10)),
    Speed('lockstep, 50 agents [agent ticks/s]', rate([*LOCKSTEP, '10'], 50)),
    Speed('10 agents at 50 Hz, per agent [cores]', real_time(10, 'per-agent', 'cores')),
    Speed('10 agents at 50 Hz, p99 of the period [ms]', real_time(10, 'usual', 'period_p99_ms')),
    Speed('50 agents at 50 Hz, p99 of the period [ms]', real_time(50, 'usual', 'period_p99_ms')),
    Speed('report on a bag [s]', reading),
)
