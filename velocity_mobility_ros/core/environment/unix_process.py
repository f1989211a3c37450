"""The process itself: stop signals, the end of its parent, closed streams, and a quick exit.

A stop request by signal is polled by the main loop. The process that has started this one asks it
to end by its own end. Standard streams that the parent has closed discard their output, and at the
end the process leaves without freeing its objects one by one.
"""

import atexit
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from velocity_mobility_ros.core.user_errors import StartupError, shown

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a process to end: ctrl-C, a service manager or container, a lost terminal."""

ECHO = 1.0
"""Time in which further signals are the same request [s]: the terminal, launch and systemd each
send one."""


def on_stop_signals(handler: Callable[[int, FrameType | None], Any]) -> dict[int, Any]:
    """Let a handler take the signals that ask a process to end; return those before, by number.

    A process started by ``nohup`` ignores the loss of its terminal, and goes on to do so.
    """
    taken = [
        number
        for number in SIGNALS
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
    ]
    return {number: signal.signal(number, handler) for number in taken}


class Interrupt:
    """Records the signals that ask a process to end, instead of ending it.

    Attributes:
        count: How many have arrived.
        is_repeated: Whether somebody has asked again, when the first request was old enough.
    """

    def __init__(self) -> None:
        """Install the signal handlers."""
        self.count, self.is_repeated, self._first = 0, False, 0.0
        on_stop_signals(self._on_signal)

    def __bool__(self) -> bool:
        """Whether the process was asked to stop."""
        return self.count > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        now = time.monotonic()
        self._first = self._first if self.count else now
        self.is_repeated = now - self._first > ECHO
        self.count += 1


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


MODES = {'stdin': 'r', 'stdout': 'w', 'stderr': 'w'}
"""By the name in ``sys``, in the order of the descriptors."""


def open_missing_streams() -> None:
    """Open ``/dev/null`` for each standard stream that is closed.

    Otherwise libraries fail, and the next file or socket would get the descriptor and with it all
    printed output.
    """
    for descriptor in range(len(MODES)):
        if not _is_open(descriptor):
            _open_nothing(descriptor)
    for name, mode in MODES.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding='utf-8'))  # noqa: SIM115 (it stays)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _open_nothing(descriptor: int) -> None:
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    os.set_inheritable(descriptor, True)


def exit_quickly(code: int) -> NoReturn:
    """End the process; with the compiler loaded, the regular end takes 0.3 s longer.

    Exit handlers run and buffered output is written as usual. If a thread is still running, the
    process ends in the regular way, which waits for it.

    Args:
        code: The exit code.

    Raises:
        SystemExit: A thread is still running.
    """
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed or broken: reported before
            stream.flush()
    os._exit(code)
