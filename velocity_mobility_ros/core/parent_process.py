"""The process that has started this one, and whose end asks this one to end."""

import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.shown import shown

PARENT = 'SWARM_PARENT_PID'
"""Environment variable with the process id of a parent that its child shall not outlive."""

PR_SET_PDEATHSIG = 1
"""Of Linux's prctl(2): the signal for this process when the thread that started it has ended."""


POLL, GRACE = 1.0, 15.0
"""Wall time [s] between two looks for the parent, and for which a process may outlive it."""


def to_child() -> dict[str, str]:
    """Return the environment variable that lets a child end with this process."""
    return {PARENT: str(os.getpid())}


def set_death_signal(number: int) -> None:
    """Let the kernel send this process a signal when its parent ends; 0: none, as without Linux.

    The thread that has started it counts as the parent.
    """
    prctl = getattr(ctypes.CDLL(None), 'prctl', None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(number))


class ParentProcess:
    """The parent that the environment names; without one, none is watched.

    The variable is taken out of the environment: it is not meant for children of this process.
    """

    def __init__(self) -> None:
        """Look who it is.

        Raises:
            StartupError: The variable is no process id.
        """
        text = os.environ.pop(PARENT, '0')
        if not text.isdecimal():
            raise StartupError(f'{PARENT}={shown(text)} must be a process id; unset it')
        self._pid = int(text)

    @property
    def is_gone(self) -> bool:
        """Whether there was one, and it has ended."""
        return self._pid != 0 and os.getppid() != self._pid

    @contextmanager
    def ends_what_is_stuck(self) -> Iterator[None]:
        """Let a thread end this process if what is done meanwhile goes on long after its parent.

        Code of a user that does not return leaves no time to look whether the parent is there.
        """
        over = threading.Event()
        if self._pid:
            threading.Thread(target=self._outlive, args=(over,), daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _outlive(self, over: threading.Event) -> None:
        while not self.is_gone:
            if over.wait(POLL):
                return
        if not over.wait(GRACE):
            os._exit(1)

    @contextmanager
    def takes_this_along(self) -> Iterator[None]:
        """Let the kernel kill this process if its parent ends meanwhile.

        For the time in which nodes are made: Fast DDS may then wait for ever and hold Python's
        interpreter lock, so that no Python code runs any more, a signal handler neither.
        """
        if self._pid:
            set_death_signal(signal.SIGKILL)
        try:
            yield
        finally:
            if self._pid:
                set_death_signal(0)
