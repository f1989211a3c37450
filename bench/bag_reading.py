"""How long it takes to read a long bag, beside plain deserialisation by rosbags.

The bag holds odometry, commands and states of 10 agents at 50 Hz for an hour: 5.4 million
messages.
Both readers run in processes of their own, one after the other, so that each one's memory is its
own; plain deserialisation reads the first half million messages and its time is scaled up.

    python bench/bag_reading.py [SHARE OF THE HOUR] [FOLDER]
"""

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import describe, peak_memory

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.core.bag_writer import BagWriter
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    JOINT_STATE, ODOMETRY, MessageTemplate, agent, odometry
)

AGENTS, RATE, HOUR = 10, 50, 3600.0
PLAIN_MESSAGES = 500_000
BLOCK = 1000
TWIST_TYPE = 'geometry_msgs/msg/Twist'
START_NS = 1_700_000_000 * 10**9


def write(folder: Path, seconds: float) -> int:
    """Write the bag; return how many messages it has."""
    bag = BagWriter(folder)
    publishers = []
    for k in range(1, AGENTS + 1):
        motion = MessageTemplate(ODOMETRY, odometry(f'uav_{k}'), 6)
        sent = MessageTemplate(JOINT_STATE, agent(k), 9)
        angle = 2.0 * np.pi * k / AGENTS
        topic = bag.add_topic(f'/uav_{k}/odom', ODOMETRY.name, False, False, 10)
        publishers.append((topic, motion, angle))
        if k == 1:
            states = bag.add_topic('/swarm/agent_states', JOINT_STATE.name, True, False, 10)
        publishers.append((states, sent, angle))
    commands = [
        bag.add_topic(f'/uav_{k}/cmd_vel', TWIST_TYPE, True, False, 10)
        for k in range(1, AGENTS + 1)
    ]
    ticks = round(seconds * RATE)
    for first in range(0, ticks, BLOCK):
        _write_block(bag, publishers, commands, np.arange(first, min(ticks, first + BLOCK)))
    bag.close()
    return bag.messages


def _write_block(bag: BagWriter, publishers: list[Any], commands: list[Any], ticks: Any) -> None:
    stamps, t = START_NS + ticks * (10**9 // RATE), ticks / RATE
    written = []
    for topic, template, angle in publishers:
        x, y = 5 * np.cos(t + angle), 5 * np.sin(t + angle)
        columns = np.column_stack([x, y, 0 * t, -y, x, 0 * t, ticks, t, t])
        written.append((topic, template.serialize(stamps, columns[:, : len(template._places)])))
    for i, stamp in enumerate(stamps.tolist()):
        twist = b'\0\1\0\0' + np.array([*columns[i, 3:6], 0.0, 0.0, 0.0]).tobytes()
        for topic, messages in written:
            bag.write(topic, stamp + 1_000_000, messages[i])
        for topic in commands:
            bag.write(topic, stamp + 1_000_000, twist)


def ours(bag: Path) -> tuple[float, float, int]:
    """Return seconds, megabytes at the peak, and messages of ``read_recording``."""
    began = time.perf_counter()
    recording = read_recording(bag)
    seconds = time.perf_counter() - began
    assert recording.problems == (), recording.problems
    return seconds, peak_memory(), int(np.sum([topic.count for topic in recording.topics]))


def plain(bag: Path) -> tuple[float, float, int]:
    """Return the same of deserialising with rosbags, of as many messages as are patient."""
    from rosbags.highlevel import AnyReader
    from rosbags.typesys import Stores, get_typestore

    began, done = time.perf_counter(), 0
    with AnyReader([bag], default_typestore=get_typestore(Stores.LATEST)) as reader:
        for connection, _, data in reader.messages():
            reader.deserialize(data, connection.msgtype)
            done += 1
            if done >= PLAIN_MESSAGES:
                break
    return time.perf_counter() - began, peak_memory(), done


def alone(work: Callable[..., Any], *given: Any) -> Any:
    """Run something in a process of its own."""
    with multiprocessing.get_context('spawn').Pool(1) as pool:
        return pool.apply(work, given)


def main() -> None:
    """Write the bag, read it both ways, print the figures."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 0.05
    print(describe())
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        bag = Path(folder) / 'bag'
        count = alone(write, bag, share * HOUR)
        size = sum(path.stat().st_size for path in bag.iterdir()) / 1e6
        print(f'{count} messages, {size:.0f} MB')
        seconds, megabytes, read = alone(ours, bag)
        print(f'read_recording: {seconds:.2f} s, {megabytes:.0f} MB, {read} messages, '
              f'{seconds / read * 1e6:.2f} us each')  # fmt: skip
        other, megabytes, done = alone(plain, bag)
        print(f'rosbags: {other / done * count:.2f} s (from {done} messages, '
              f'{other / done * 1e6:.2f} us each), {megabytes:.0f} MB')  # fmt: skip
        print(f'ratio {other / done / (seconds / read):.1f}')


if __name__ == '__main__':
    main()
