"""Destroys nodes so that their process ends, whatever the middleware does meanwhile.

The last node of a process takes the DDS participant with it. Fast DDS then waits for discovery
callbacks in a loop that hardly lets go of the mutex that they need (eProsima/Fast-DDS issue 6513).
Where many processes leave at once, it may go round for ever, with Python's interpreter lock held:
no signal handler and no thread of Python can end it. On one core the callbacks get their turn.
"""

import faulthandler
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rclpy.node import Node
from rclpy.utilities import try_shutdown

LIMIT = 4.0
"""Wall time [s] after which a process ends that does not get its nodes destroyed; a launch file
waits 5 s before it sends SIGTERM."""

STDERR = 2

TASKS = '/proc/self/task'


def destroy(nodes: Iterable[Node]) -> None:
    """Destroy nodes of this process."""
    with on_one_core():
        for node in nodes:
            node.destroy_node()


def shut_down() -> None:
    """Shut ROS down, if it is up, and leave the signal handlers alone.

    ``rclpy.try_shutdown`` puts SIGINT to its default for an instant; another ctrl-C then kills.
    """
    try_shutdown()


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep every thread of this process on one core meanwhile, where the system can do that."""
    before = _affinities()
    one = {min(min(cores) for cores in before.values())} if before else set()
    for thread in before:
        _set_affinity(thread, one)
    try:
        yield
    finally:
        for thread, cores in before.items():
            _set_affinity(thread, cores)


@contextmanager
def end_if_stuck() -> Iterator[None]:
    """End the process with exit code 1 if what follows takes longer than ``LIMIT``.

    Where it was stuck is printed. To be used when all files are closed: nothing else is done.
    """
    faulthandler.dump_traceback_later(LIMIT, exit=True, file=STDERR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _affinities() -> dict[int, set[int]]:
    """Return the cores that each thread of this process may use, as far as that can be seen."""
    found = {}
    for thread in _threads() if hasattr(os, 'sched_setaffinity') else ():
        try:
            found[int(thread)] = os.sched_getaffinity(int(thread))
        except OSError:  # it has ended meanwhile
            continue
    return found


def _threads() -> list[str]:
    try:
        return os.listdir(TASKS)
    except OSError:  # no file can be opened any more
        return []


def _set_affinity(thread: int, cores: set[int]) -> None:
    try:
        os.sched_setaffinity(thread, cores)
    except OSError:  # it has ended meanwhile, or the cores were taken away: it runs where it may
        return
