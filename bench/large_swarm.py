"""How soon a large swarm flies over ROS, how evenly, and what it costs: the engine beside nodes.

    python bench/large_swarm.py [--sizes N ...] [--nodes N ...] [--seconds S] [--rounds R]

- engine: ``swarm simulate --publish``, one process, for every size
- nodes: ``swarm run --real-time --processes 1``, the same agents as nodes of one process

Ten states per second and agent, as a subscriber in a process of its own receives them. *Moving* is
the time from the start of the command until every agent has told a speed; periods and cores are
those of the last half of the flight. The laws should be compiled before: once per machine.
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import rclpy
from machine import describe
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rich.console import Console
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import AGENT_STATES
from soliton_encirclement_ros.nodes.state_messages import StateMessage, decoded
from velocity_mobility_ros.core.cdr_readers import MAX_LAYOUTS
from velocity_mobility_ros.ros_io.messages.serialized_messages import CoordinateReader

PERIOD = 0.1
"""Control period [s]."""

MOVING = 0.05
"""Speed [m/s] from which an agent moves."""

PLACE = 6.3
"""Arc of the ring per agent [m]."""

SWARM = (sys.executable, '-m', 'soliton_encirclement_ros.cli.main')
WAYS = {'engine': ('simulate', '--publish', '--format', 'none'),
        'nodes': ('run', '--real-time', '--processes', '1')}  # fmt: skip
QUEUE = QoSProfile(depth=5000, reliability=ReliabilityPolicy.BEST_EFFORT)
TICKS = os.sysconf('SC_CLK_TCK')


class Figures(NamedTuple):
    """What was measured of one flight; times in s."""

    heard: float
    moving: float
    median: float
    p99: float
    longest: float
    cores: float


def command(way: str, agents: int, seconds: float, folder: str) -> list[str]:
    """Return the command that flies so many agents for so long."""
    verb, *options = WAYS[way]
    settings = {
        'swarm.control_period': PERIOD,
        'swarm.encirclement_radius': max(60.0, PLACE * agents / 6.283),
        'radio.communication_transmission_range': 1e5,
        'run.max_e_gap': 9,
    }
    changes = [part for name, value in settings.items() for part in ('--set', f'{name}={value}')]
    sizes = ['--agents', str(agents), '--duration', str(seconds), '--out', folder]
    return [*SWARM, verb, 'still', *options, *sizes, *changes]


def measure(node: Node, way: str, agents: int, seconds: float) -> Figures:
    """Fly once and return the figures."""
    heard: list[tuple[float, bytes]] = []
    topic = f'/{AGENT_STATES}'
    ear = node.create_subscription(
        JointState, topic, lambda data: heard.append((time.monotonic(), data)), QUEUE, raw=True
    )
    began, used = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command(way, agents, seconds, folder),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while process.poll() is None:
            rclpy.spin_once(node, timeout_sec=0.02)
            if not used or time.monotonic() - used[-1][0] > 0.5:
                used.append((time.monotonic(), processor_time(process.pid)))
    node.destroy_subscription(ear)
    return figures(heard, used, began, agents)


def figures(
    heard: Sequence[tuple[float, bytes]], used: Sequence[tuple[float, float]], began: float,
    agents: int,
) -> Figures:  # fmt: skip
    """Return the figures of a flight.

    Args:
        heard: Times [s] and messages.
        used: Times [s] and the processor time until then [s].
        began: When the command was started [s].
        agents: How many agents there are.
    """
    reader, first, arrivals = CoordinateReader(MAX_LAYOUTS), {}, {}
    for when, data in heard:
        message: StateMessage = decoded(reader.read(bytes(data)))
        for state in message.states:
            assert isinstance(state, AgentState)
            if max(map(abs, state.velocity)) > MOVING:
                first.setdefault(state.agent_id, when)
            arrivals.setdefault(state.agent_id, []).append(when)
    if len(first) < agents:
        sys.exit(f'{len(first)} of {agents} agents have moved: fly longer')
    middle = 0.5 * (max(first.values()) + heard[-1][0])
    periods = sorted(
        after - before
        for times in arrivals.values()
        for before, after in pairwise(times)
        if before > middle
    )
    # when processes end, what they used is not counted any more
    (start, busy) = next(sample for sample in used if sample[0] > middle)
    (end, more) = max(used, key=lambda sample: sample[1])
    return Figures(
        heard[0][0] - began, max(first.values()) - began, statistics.median(periods),
        periods[int(0.99 * len(periods))], periods[-1], (more - busy) / (end - start),
    )  # fmt: skip


def processor_time(pid: int) -> float:
    """Return the processor time [s] of a process and of those that it has started."""
    spent = 0.0
    with contextlib.suppress(OSError):  # it has ended
        fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
        spent = (int(fields[11]) + int(fields[12])) / TICKS
        for task in os.listdir(f'/proc/{pid}/task'):
            children = Path(f'/proc/{pid}/task/{task}/children').read_text().split()
            spent += sum(processor_time(int(child)) for child in children)
    return spent


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--sizes', type=int, nargs='*', default=[100, 300, 1000])
    parser.add_argument('--nodes', type=int, nargs='*', default=[100])
    parser.add_argument('--seconds', type=float, default=40.0)
    parser.add_argument('--rounds', type=int, default=1)
    asked = parser.parse_args()
    rclpy.init()
    node, console = Node('ear'), Console(stderr=True)
    flights = [('nodes', n) for n in asked.nodes] + [('engine', n) for n in asked.sizes]
    print('| agents | by | first state [s] | all moving [s] | period: median, p99, longest [ms] |'
          ' cores |\n| --- | --- | --- | --- | --- | --- |')  # fmt: skip
    for _ in range(asked.rounds):
        for way, agents in flights:
            with console.status(f'{agents} agents, {way}'):
                result = measure(node, way, agents, asked.seconds)
            periods = ', '.join(
                f'{1e3 * value:.0f}' for value in (result.median, result.p99, result.longest)
            )
            cells = (agents, way, f'{result.heard:.1f}', f'{result.moving:.1f}', periods,
                     f'{result.cores:.2f}')  # fmt: skip
            print(f'| {" | ".join(map(str, cells))} |', flush=True)
    print(describe())
    node.destroy_node()
    rclpy.try_shutdown()


if __name__ == '__main__':
    main()
