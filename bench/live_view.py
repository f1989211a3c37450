"""What the live page costs the swarm that it shows.

Flies ``swarm run`` in turns, alone and beside ``swarm view`` with some readers of its feed (no
browser), and compares the processor time of the run and, in lockstep, its speed.

    python bench/live_view.py [SECONDS] [--agents N] [--rounds R] [--readers K] [--real-time]

Prints ratios beside to alone, and how many frames per second a reader got.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import websockets

SWARM = (sys.executable, '-m', 'soliton_encirclement_ros.cli.main')


SHORT = 1.0
"""Duration of a run whose processor time is that of start and end [s]."""


def fly(seconds: float, agents: int, is_real_time: bool) -> tuple[float, float]:
    """Run the swarm; return its processor time [s], and its real-time factor."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*SWARM, 'run', 'demo', '--agents', str(agents), '--no-bag', '--json']
        command += ['--duration', str(seconds), '--out', folder]
        command += ['--real-time'] if is_real_time else []
        with (Path(folder) / 'out').open('w') as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
            _, _, used = os.wait4(process.pid, 0)
        text = (Path(folder) / 'out').read_text()
    return used.ru_utime + used.ru_stime, json.loads(text)['real_time_factor']


async def read(port: int, times: list[float]) -> None:
    """Read the feed, and note when news come, until cancelled."""
    origin = f'http://127.0.0.1:{port}'
    async with websockets.connect(f'ws://127.0.0.1:{port}/feed', origin=origin) as link:
        async for text in link:
            if '"kind": "news"' in text[:40]:
                times.append(time.monotonic())


async def beside(readers: int, *flight: float) -> tuple[float, float, float]:
    """Run the swarm beside a live page; return the same, and news per second of a reader."""
    view = subprocess.Popen([*SWARM, 'view'], stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r'localhost:([0-9]+)', view.stdout.readline())[1])
        times: list[list[float]] = [[] for _ in range(readers)]
        tasks = [asyncio.create_task(read(port, received)) for received in times]
        cpu, factor = await asyncio.to_thread(fly, *flight)
        for task in tasks:
            task.cancel()
    finally:
        view.send_signal(signal.SIGINT)
        view.wait()
    return cpu, factor, median(len(received) / (received[-1] - received[0]) for received in times)


def main() -> None:
    """Measure in turns, and print the medians of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('seconds', type=float, nargs='?', default=60.0)
    parser.add_argument('--agents', type=int, default=50)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--readers', type=int, default=1)
    parser.add_argument('--real-time', action='store_true')
    asked = parser.parse_args()
    flown = asked.agents, asked.real_time
    start = median(fly(SHORT, *flown)[0] for _ in range(3))
    rows = []
    for _ in range(asked.rounds):
        alone, factor = fly(asked.seconds, *flown)
        viewed, faster, frames = asyncio.run(beside(asked.readers, asked.seconds, *flown))
        rows.append(((viewed - start) / (alone - start), faster / factor, frames))
        print([round(value, 3) for value in (alone, viewed, factor, faster, frames)], flush=True)
    cpu, speed, frames = (round(median(column), 3) for column in zip(*rows, strict=True))
    print(json.dumps({
        'agents': asked.agents, 'readers': asked.readers, 'real_time': asked.real_time,
        'cpu_ratio': cpu, 'speed_ratio': speed, 'frames_per_s': frames,
    }))  # fmt: skip


if __name__ == '__main__':
    main()
