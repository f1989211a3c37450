"""Destroys nodes so that their process ends in spite of a deadlock in the middleware.

With the last node of a process its DDS participant is destroyed. Fast DDS then waits for discovery
callbacks in a loop that rarely releases the mutex they need (eProsima/Fast-DDS issue 6513). If
many processes leave at once, the loop may never end. It holds Python's interpreter lock, so no
signal handler and no Python thread can stop it. On one core the callbacks get the mutex.
"""

import faulthandler
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from rclpy.node import Node
from rclpy.utilities import try_shutdown as shut_down

__all__ = ['destroy', 'end_if_stuck', 'shut_down']

LIMIT = 4.0
"""Wall time [s] for destroying the nodes, after which the process is ended; a launch file waits
5 s before it sends SIGTERM."""

LIMIT_PER_NODE = 0.05
"""Further wall time [s] for each node: a process with hundreds needs longer, and is not stuck."""

STDERR = 2

TASKS = '/proc/self/task'


def destroy(nodes: Iterable[Node]) -> None:
    """Destroy nodes of this process."""
    with on_one_core():
        for node in nodes:
            node.destroy_node()


@contextmanager
def on_one_core() -> Iterator[None]:
    """Pin all threads of this process to one core within the context, where supported."""
    before: dict[int, set[int]] = {}
    with suppress(OSError, AttributeError):  # not Linux, or no more files can be opened
        for thread in map(int, os.listdir(TASKS)):
            with suppress(ProcessLookupError):  # it has ended
                before[thread] = os.sched_getaffinity(thread)
    core = {min(map(min, before.values()), default=0)}
    for thread in before:
        _set_affinity(thread, core)
    try:
        yield
    finally:
        for thread, cores in before.items():
            _set_affinity(thread, cores)


def _set_affinity(thread: int, cores: set[int]) -> None:
    with suppress(OSError):  # it has ended, or the cores were withdrawn: it runs on any
        os.sched_setaffinity(thread, cores)


@contextmanager
def end_if_stuck(nodes: int) -> Iterator[None]:
    """End the process with exit code 1 if the block takes too long for so many nodes.

    A traceback is printed. Use it when all files are closed: there is no other cleanup.
    """
    faulthandler.dump_traceback_later(LIMIT + LIMIT_PER_NODE * nodes, exit=True, file=STDERR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
