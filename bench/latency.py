"""From a neighbour's message to the first command that uses it, over the number of agents.

Flies ``swarm run --real-time`` and reads the bag. A state counts as used by the first tick of
another agent that begins after the state was received; its latency ends when the command of that
tick arrives.

    python bench/latency.py [--agents N...] [--processes P...] [--python PATH] [--plot FILE]
    python bench/latency.py --plot FILE --lines NAME=RESULTS.json ...
"""

import argparse
import bisect
import json
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from real_time import RATE, STARTUP, fly
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

SECONDS = 8.0
MAX_PAIRS = 40
"""Pairs of agents that are looked at per run: all of them would be thousands."""


def read(run: Path) -> tuple[dict[str, list], dict[str, list], dict[str, list]]:
    """Return, by agent, arrivals of states, beginnings of ticks, arrivals of commands [s]."""
    states: dict[str, list] = {}
    ticks: dict[str, list] = {}
    commands: dict[str, list] = {}
    with AnyReader([run / 'bag'], default_typestore=get_typestore(Stores.LATEST)) as reader:
        wanted = [
            c for c in reader.connections
            if c.topic == '/swarm/agent_states'
            or (c.topic.startswith('/uav_') and c.topic.endswith('/cmd_vel'))
        ]  # fmt: skip
        for connection, logged, data in reader.messages(wanted):
            if connection.topic.endswith('cmd_vel'):
                commands.setdefault(connection.topic.split('/')[1], []).append(logged / 1e9)
                continue
            message = reader.deserialize(data, connection.msgtype)
            stamp = message.header.stamp.sec + message.header.stamp.nanosec / 1e9
            for name in {name.partition('/')[0] for name in message.name}:
                states.setdefault(name, []).append(logged / 1e9)
                ticks.setdefault(name, []).append(stamp)
    return states, ticks, commands


def latencies(run: Path) -> list[float]:
    """Return the latencies of some pairs of agents [s]."""
    states, ticks, commands = read(run)
    start = max(times[0] for times in states.values()) + STARTUP
    names = sorted(states)
    pairs = [(a, b) for a in names for b in names if a != b]
    delays = []
    for sender, receiver in pairs[:: max(1, len(pairs) // MAX_PAIRS)]:
        begins, sent = sorted(ticks[receiver]), sorted(commands[receiver])
        for arrived in states[sender]:
            tick = bisect.bisect(begins, arrived)
            if arrived < start or tick >= len(begins):
                continue
            command = bisect.bisect(sent, begins[tick])
            if command < len(sent):
                delays.append(sent[command] - arrived)
    return delays


def measure(agents: int, processes: str | None, python: str) -> dict[str, object]:
    """Fly once and return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        run, *_ = fly(Path(folder), SECONDS, agents, processes, python)
        delays = np.array(latencies(run)) * 1e3
    p50, p99 = np.percentile(delays, [50, 99])
    return {
        'agents': agents, 'processes': processes, 'rate_hz': RATE, 'messages': len(delays),
        'p50_ms': round(float(p50), 2), 'p99_ms': round(float(p99), 2),
    }  # fmt: skip


def plot(file: Path, lines: dict[str, list[dict]]) -> None:
    """Draw p50 and p99 over the number of agents."""
    figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
    for color, (name, rows) in zip(['C0', 'C1', 'C2', 'C3'], lines.items(), strict=False):
        agents = [row['agents'] for row in rows]
        axes.plot(agents, [row['p50_ms'] for row in rows], f'{color}o-', label=f'{name}, p50')
        axes.plot(agents, [row['p99_ms'] for row in rows], f'{color}s--', label=f'{name}, p99')
    axes.axhline(1e3 / RATE, color='0.6', lw=1, label='control period')
    axes.set(xlabel='agents', ylabel="neighbour's message to command [ms]", yscale='log')
    axes.grid(alpha=0.3, which='both')
    axes.legend(fontsize=8)
    figure.savefig(file, dpi=110)


def main() -> None:
    """Measure and print, or plot."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--agents', type=int, nargs='+', default=[2, 5, 10, 20, 30, 50])
    parser.add_argument('--processes', nargs='+', default=['1'], help='none: without the option')
    parser.add_argument('--python', default=sys.executable)
    parser.add_argument('--plot', type=Path)
    parser.add_argument('--lines', nargs='+', default=[])
    asked = parser.parse_args()
    lines = {
        name: [json.loads(row) for row in Path(file).read_text().splitlines()]
        for name, file in (line.split('=', 1) for line in asked.lines)
    }
    for processes in [] if asked.lines else asked.processes:
        rows = []
        for agents in asked.agents:
            chosen = None if processes == 'none' else processes
            rows.append(measure(agents, chosen, asked.python))
            print(json.dumps(rows[-1]), flush=True)
        lines[f'--processes {processes}'] = rows
    if asked.plot:
        plot(asked.plot, lines)


if __name__ == '__main__':
    main()
