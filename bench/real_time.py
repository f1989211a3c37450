"""How evenly agents tick at 50 Hz in real time, and whether neighbours go missing.

Starts ``swarm run --real-time`` (agents, world, target, adversary, monitor, recorder), then reads
the stamps of what the agents sent and their diagnostics from the bag. Several compositions are
flown one after the other, in turns, so that they can be compared.

    python bench/real_time.py [SECONDS] [--agents N] [--processes P...] [--rounds R]
                              [--set SECTION.NAME=VALUE ...] [--python PATH]

``--processes usual`` leaves the number of processes to the version that flies. ``--python``
names the interpreter of another version to compare with.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

TOPICS = ('/swarm/agent_states', '/diagnostics')
RATE = 50.0
STARTUP = 5.0
"""Time [s] at the beginning that does not count: processes start one after another."""


def fly(
    folder: Path,
    seconds: float,
    agents: int,
    processes: str | None,
    python: str = sys.executable,
    settings: Sequence[str] = (),
) -> tuple[Path, float, float]:
    """Run the swarm; return its run folder, the cores it kept busy, and its wake-ups per second.

    Args:
        folder: Where the run folder is made.
        seconds: Duration without the start [s].
        agents: Number of agents.
        processes: Composition; None: the usual one.
        python: Interpreter of the version that flies.
        settings: Changes of the scenario.
    """
    command = [python, '-m', 'soliton_encirclement_ros.cli.main', 'run', 'demo']
    command += ['--real-time', '--agents', str(agents), '--duration', str(seconds + STARTUP)]
    command += ['--set', f'swarm.control_period={1.0 / RATE}', '--out', str(folder), '--json']
    command += ['--set', 'failure.failure_enable=false']
    command += [word for setting in settings for word in ('--set', setting)]
    command += ['--processes', processes] if processes else []
    began, before = time.monotonic(), used()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    elapsed, after = time.monotonic() - began, used()
    busy, wake_ups = ((end - start) / elapsed for start, end in zip(before, after, strict=True))
    return (folder / 'latest').resolve(), busy, wake_ups


def used() -> tuple[float, float]:
    """Return processor time [s] and wake-ups of all ended child processes, and of theirs."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime, children.ru_nvcsw


def read(run: Path) -> tuple[list[float], int, list[float]]:
    """Return all periods [s], the neighbour timeouts after start-up, and per-agent maxima [ms]."""
    stamps: dict[str, list[int]] = {}
    timeouts: dict[str, list[tuple[int, int]]] = {}
    types = get_typestore(Stores.LATEST)
    with AnyReader([run / 'bag'], default_typestore=types) as reader:
        wanted = [c for c in reader.connections if c.topic in TOPICS]
        for connection, logged, data in reader.messages(wanted):
            message = reader.deserialize(data, connection.msgtype)
            if connection.topic == '/diagnostics':
                for status in message.status:
                    values = {pair.key: pair.value for pair in status.values}
                    if 'neighbour_timeouts' in values:
                        count = int(values['neighbour_timeouts'])
                        timeouts.setdefault(status.name, []).append((logged, count))
            else:
                stamp = message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec
                for name in {name.partition('/')[0] for name in message.name}:
                    stamps.setdefault(name, []).append(stamp)
    begin = max(times[0] for times in stamps.values()) + round(STARTUP * 1e9)
    ended = min(times[-1] for times in stamps.values()) - round(1e9)
    periods, worst = [], []
    for times in stamps.values():
        own = [
            (after - before) / 1e9 for before, after in pairwise(times) if begin <= before <= ended
        ]
        periods += own
        worst.append(max(own) * 1e3)
    late = sum(_after(counts, begin, ended) for counts in timeouts.values())
    return periods, late, worst


def _after(counts: list[tuple[int, int]], begin: int, ended: int) -> int:
    within = [count for logged, count in counts if begin <= logged <= ended]
    return within[-1] - within[0] if within else 0


def measure(
    seconds: float, agents: int, processes: str, python: str, settings: Sequence[str]
) -> dict[str, object]:
    """Fly once and return the figures; the arguments are those of the command."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = None if processes == 'usual' else processes
        run, busy, wake_ups = fly(Path(folder), seconds, agents, chosen, python, settings)
        periods, late, worst = read(run)
    ordered = sorted(periods)
    return {
        'agents': agents,
        'processes': processes,
        'rate_hz': RATE,
        'periods': len(periods),
        'period_median_ms': round(median(ordered) * 1e3, 2),
        'period_p99_ms': round(ordered[int(0.99 * len(ordered))] * 1e3, 2),
        'period_max_ms': round(max(worst), 1),
        'neighbour_timeouts': late,
        'cores': round(busy, 2),
        'wake_ups_per_s': round(wake_ups),
    }


def main() -> None:
    """Fly, read, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('seconds', type=float, nargs='?', default=60.0)
    parser.add_argument('--agents', type=int, default=10)
    parser.add_argument('--processes', nargs='+', default=['usual'])
    parser.add_argument('--rounds', type=int, default=1)
    parser.add_argument('--set', action='append', default=[], metavar='SECTION.NAME=VALUE')
    parser.add_argument('--python', default=sys.executable)
    asked = parser.parse_args()
    for _ in range(asked.rounds):
        for processes in asked.processes:
            figures = measure(asked.seconds, asked.agents, processes, asked.python, asked.set)
            print(json.dumps(figures), flush=True)


if __name__ == '__main__':
    main()
