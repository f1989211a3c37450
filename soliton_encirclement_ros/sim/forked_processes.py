"""Processes of this machine that are forked: all libraries and data are in their memory."""

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor

from velocity_mobility_ros.core.environment.unix_process import set_death_signal

FORK = multiprocessing.get_context('fork')


def end_with_client(client: int) -> None:
    """Prepare a process that ends with its client, however that ends, and not by ctrl-C before.

    Args:
        client: Id of the process that has forked it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    set_death_signal(signal.SIGKILL)
    if os.getppid() != client:
        os._exit(1)


def make_forked_pool(processes: int = 0) -> ProcessPoolExecutor:
    """Return a pool of processes that end with this one, however it ends; 0: as many as cores."""
    number = processes or len(os.sched_getaffinity(0))
    return ProcessPoolExecutor(number, FORK, end_with_client, (os.getpid(),))
