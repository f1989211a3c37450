"""Measures how fast this machine is, in about 50 ms, compared with the reference machine.

The workload is fixed and resembles the tick of an agent: states are written to bytes and read,
angles around a target are sorted. It calls nothing of ours, so that it does not become faster with
the nodes.
"""

import math
import struct
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

from soliton_encirclement_ros.core.capacity.reference_machine import ROUND_TIME

ROUNDS = 11
MESSAGES = 1200
"""Messages in a round."""

STATE = struct.Struct('<4xiI40x10d')
"""Like the state of an agent: stamp, constant texts, numbers."""


def machine_speed(rounds: int = ROUNDS) -> float:
    """Return the speed of one core of this machine; the reference machine has 1."""
    return ROUND_TIME / round_time(exchange, rounds)


def round_time(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median processor time [s] of some work.

    Processor time: what else runs on the machine hardly changes it.
    """
    times = []
    for _ in range(rounds):
        begun = time.thread_time()
        work()
        times.append(time.thread_time() - begun)
    return median(times)


def exchange(messages: int = MESSAGES) -> float:
    """Write states, read them and sort their angles; return a sum that depends on all of it."""
    known: dict[str, tuple[float, float]] = {}
    total = 0.0
    for k in range(messages):
        name = f'uav_{k % 10 + 1}'
        data = bytearray(STATE.size)
        angle = 0.1 * k
        numbers = (20.0 * math.cos(angle), 20.0 * math.sin(angle), *map(float, range(8)))
        STATE.pack_into(data, 0, k, k, *numbers)
        seconds, _, *values = STATE.unpack_from(bytes(data))
        known[name] = (math.atan2(values[1], values[0]), math.hypot(values[0], values[1]))
        ring = sorted(known.items(), key=lambda item: item[1])
        total += seconds + sum(after[1][0] - before[1][0] for before, after in pairwise(ring))
    return total
