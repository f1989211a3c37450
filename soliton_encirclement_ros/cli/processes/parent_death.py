"""Lets the kernel end a process whose parent has gone, where the process cannot see it itself.

While nodes are made, Fast DDS may wait for ever and hold Python's interpreter lock, so that no
Python code of this process runs any more, a signal handler neither.
"""

import ctypes
import signal
from collections.abc import Iterator
from contextlib import contextmanager

PR_SET_PDEATHSIG = 1
"""Of Linux's prctl(2): the signal for this process when the thread that started it has ended."""


@contextmanager
def killed_with_parent() -> Iterator[None]:
    """Kill this process if its parent ends meanwhile, if the system supports it."""
    _set_death_signal(signal.SIGKILL)
    try:
        yield
    finally:
        _set_death_signal(0)


def _set_death_signal(number: int) -> None:
    prctl = getattr(ctypes.CDLL(None), 'prctl', None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(number))
