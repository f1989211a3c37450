"""Measures the costs by which ``swarm run`` estimates the processor time of a real-time run.

Flies several swarms and compositions for some seconds each, reads the processor time of every
process, and fits the cost of each piece of work by least squares of the relative errors. Prints
the constants of ``core/capacity/reference_machine.py``. Nothing else should
run on the machine: with processes that wait for a core, more is counted.

    python bench/processor_needs.py [SECONDS] [--rounds R]
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from soliton_encirclement_ros.core.capacity.machine_speed import exchange, round_time
from soliton_encirclement_ros.core.capacity.processor_work import Work, run_work
from soliton_encirclement_ros.core.capacity.reference_machine import COSTS
from soliton_encirclement_ros.core.scenario.composition import (
    ProcessGroup,
    composition,
    process_count,
)
from soliton_encirclement_ros.core.scenario.plan_file import load_plan
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec

STARTUP = 8.0
"""Time [s] that does not count: nodes find each other."""

TABLE = 'target_telemetry.csv'

KEPT = 0.5
"""Weight of a cost in use beside that of one process of a flight."""


class Flight(NamedTuple):
    """What is flown: how many agents, how often [Hz], in which processes, and whether recorded."""

    agents: int
    rate: float
    processes: str
    bag: bool


FLIGHTS = (
    Flight(3, 50.0, 'per-agent', True),
    Flight(3, 10.0, 'per-agent', True),
    Flight(6, 20.0, 'per-agent', False),
    Flight(10, 20.0, 'per-agent', True),
    Flight(10, 50.0, '2', True),
    Flight(10, 50.0, '1', True),
    Flight(10, 50.0, '1', False),
    Flight(10, 20.0, '3', False),
    Flight(20, 20.0, '1', True),
    Flight(20, 20.0, '2', False),
    Flight(30, 20.0, '1', True),
    Flight(40, 20.0, '2', True),
    Flight(50, 20.0, '1', True),
)


def fly(flight: Flight, seconds: float) -> list[tuple[Work, float]]:
    """Return work and processor time [s] of each process in a control period."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', 'run', 'demo']
        command += ['--real-time', '--agents', str(flight.agents), '--duration', '600']
        command += ['--set', f'swarm.control_period={1.0 / flight.rate}', '--out', out]
        command += ['--set', 'failure.failure_enable=false', '--processes', flight.processes]
        command += [] if flight.bag else ['--no-bag']
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            plan, groups, shares = _measure(Path(out), runner.pid, flight, seconds)
        finally:
            runner.send_signal(signal.SIGINT)
            time.sleep(1.0)
            runner.send_signal(signal.SIGINT)  # without pictures
            runner.wait()
        rate = _rate(Path(out) / 'latest' / TABLE)
    work = run_work(plan, groups, 1.0 / flight.rate, flight.bag)
    costs = sum(each.time(COSTS) for each in work) * rate
    print(f'{flight}: {rate:.1f} Hz, {sum(shares):.2f} cores, by the constants in use '
          f'{costs:.2f}', flush=True)  # fmt: skip
    return [(part, share / rate) for part, share in zip(work, shares, strict=True)]


def _measure(
    out: Path, observer: int, flight: Flight, seconds: float
) -> tuple[list[NodeSpec], list[ProcessGroup], list[float]]:
    """Return plan, processes, and the cores that each process keeps busy."""
    wait_for(
        lambda: (out / 'latest' / TABLE).is_file() and (out / 'latest' / TABLE).stat().st_size > 0
    )
    time.sleep(STARTUP)
    folder = (out / 'latest').resolve()
    plan = load_plan(folder / 'plan.json')
    groups = composition(plan, process_count(flight.processes))
    hosts = _hosts(folder / 'plan.json')
    pids = [*[hosts[group.numbers] for group in groups], observer]
    before, begun = [_used(pid) for pid in pids], time.monotonic()
    time.sleep(seconds)
    after, elapsed = [_used(pid) for pid in pids], time.monotonic() - begun
    shares = [(end - start) / elapsed for start, end in zip(before, after, strict=True)]
    return plan, groups, shares


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a run has begun."""
    deadline = time.monotonic() + 60.0
    while not condition():
        if time.monotonic() > deadline:
            sys.exit('the run does not begin')
        time.sleep(0.1)


def _hosts(plan: Path) -> dict[tuple[int, ...], int]:
    """Return the process ids of a run by the numbers of their nodes in the plan."""
    found = {}
    for line in Path('/proc').glob('[0-9]*/cmdline'):
        try:
            words = line.read_bytes().decode(errors='replace').split('\0')
        except OSError:  # the process has ended
            continue
        if str(plan) in words:
            numbers = words[words.index(str(plan)) + 1 : -1]
            found[tuple(map(int, numbers))] = int(line.parent.name)
    return found


def _used(pid: int) -> float:
    """Return the processor time [s] of a process."""
    fields = Path(f'/proc/{pid}/stat').read_text(encoding='utf-8').rpartition(') ')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def _rate(table: Path) -> float:
    """Return the rate [Hz] at which a run was observed: lower than asked if it was too much."""
    rows = table.read_text(encoding='utf-8').splitlines()[1:]
    first, last = (float(rows[k].partition(',')[0]) for k in (0, -1))
    return (len(rows) - 1) / (last - first)


def fitted(rows: list[tuple[Work, float]]) -> Work:
    """Return the costs [s] that explain the processor times best.

    What the flights hardly tell apart stays near the costs in use.
    """
    counts = np.array([[*work] for work, _ in rows], dtype=float)
    times = np.array([used for _, used in rows])
    explained, near = counts / times[:, None], KEPT * np.diag(1.0 / np.array([*COSTS]))
    wanted = [*np.ones(len(times)), *np.full(len(near), KEPT)]
    return Work(*nnls(np.vstack([explained, near]), wanted)[0])


def main() -> None:
    """Fly, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('seconds', type=float, nargs='?', default=8.0)
    parser.add_argument('--rounds', type=int, default=1)
    asked = parser.parse_args()
    rows = []
    for _ in range(asked.rounds):
        print(f'a round of the calibration: {round_time(exchange) * 1e3:.2f} ms', flush=True)
        for flight in FLIGHTS:
            rows += fly(flight, asked.seconds)
    costs = fitted(rows)
    for name, cost in costs._asdict().items():
        print(f'{name}={cost * 1e6:.0f}e-6,')
    errors = [work.time(costs) / used - 1.0 for work, used in rows]
    print(f'error of one process: {np.percentile(np.abs(errors), [50, 90]) * 100.0} % (50, 90 %)')


if __name__ == '__main__':
    main()
