"""The process itself: stop signals, the end of its parent, and the one way to end it at once.

A stop request by signal is polled by the main loop. The process that has started this one asks it
to end by its own end.
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


class StopRequest(SystemExit):
    """Ends a command that a signal asks to end; not an author's code that wants to end it."""


def on_stop_signals(handler: Callable[[int, FrameType | None], Any]) -> dict[int, Any]:
    """Let a handler take the signals that ask a process to end; return those before, by number.

    A process started by ``nohup`` ignores the loss of its terminal, and goes on to do so. Signals
    reach the main thread alone: in another one nothing is taken.
    """
    if threading.current_thread() is not threading.main_thread():
        return {}
    signals = [
        number
        for number in SIGNALS
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
    ]
    return {number: signal.signal(number, handler) for number in signals}


def raise_interrupt(error: Exception) -> None:
    """Raise what a signal handler raised, if this is the cause of an error.

    A library that is built with pybind11 makes an ImportError of it while it initializes.

    Raises:
        SystemExit, KeyboardInterrupt: It is the cause.
    """
    if isinstance(error.__cause__, (SystemExit, KeyboardInterrupt)):
        raise error.__cause__


class Interrupt:
    """Records the signals that ask a process to end, instead of ending it.

    Attributes:
        count: How many have arrived.
        is_repeated: Whether somebody has asked again, when the first request was old enough.
    """

    def __init__(self) -> None:
        """Install the signal handlers."""
        self.count, self.is_repeated, self._first = 0, False, 0.0
        self._before = on_stop_signals(self._on_signal)

    def __bool__(self) -> bool:
        """Whether the process was asked to stop."""
        return self.count > 0

    def give_back(self) -> None:
        """Install the signal handlers that were there before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        now = time.monotonic()
        self._first = self._first if self.count else now
        self.is_repeated = now - self._first > ECHO
        self.count += 1


@contextmanager
def interruptible() -> Iterator[Interrupt]:
    """Lend an ``Interrupt`` to work within a program that goes on, such as a notebook.

    Raises:
        KeyboardInterrupt: At the end, if the work was interrupted.
    """
    interrupt = Interrupt()
    try:
        yield interrupt
    finally:
        interrupt.give_back()
    if interrupt:
        raise KeyboardInterrupt


PARENT = 'SWARM_PARENT_PID'
"""Environment variable with the process id of who started a node, which shall not outlive it."""

POLL, GRACE = 1.0, 15.0
"""Wall time [s] between two looks for the parent, and for which a process may outlive it."""

PR_SET_PDEATHSIG = 1
"""Of Linux's prctl(2): the signal for this process when the thread that started it has ended."""


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
    """The process that the environment names as the parent; without one, none is watched.

    There may be another process in between, such as the debugger of a ``launch-prefix``. The
    variable is taken out of the environment: it is not meant for children of this process.
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
        self._is_next = os.getppid() == self._pid

    @property
    def is_gone(self) -> bool:
        """Whether there was one, and it has ended."""
        if self._pid == 0:
            return False
        if self._is_next:
            return os.getppid() != self._pid
        try:
            os.kill(self._pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # it is there, and another user's
        return False

    def start_again(self) -> NoReturn:
        """Replace this process by one with its command line, environment, parent and number."""
        if self._pid:
            os.environ[PARENT] = str(self._pid)
        _leave_files()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])

    @contextmanager
    def kill_if_stuck(self) -> Iterator[None]:
        """Kill this process if the body of the context runs on long after its parent has ended.

        Code of a user that does not return leaves no time to look whether the parent is there.
        """
        over = threading.Event()

        def outlive() -> None:
            while not self.is_gone:
                if over.wait(POLL):
                    return
            if not over.wait(GRACE):
                os.kill(os.getpid(), signal.SIGKILL)

        if self._pid:
            threading.Thread(target=outlive, daemon=True).start()
        try:
            yield
        finally:
            over.set()

    @contextmanager
    def end_with_parent(self) -> Iterator[None]:
        """Let the kernel kill this process if its parent ends within the context.

        For the time in which nodes are made: Fast DDS may then wait for ever and hold Python's
        interpreter lock, so that no Python code runs any more, a signal handler neither.
        """
        if self._is_next:
            set_death_signal(signal.SIGKILL)
        try:
            yield
        finally:
            if self._is_next:
                set_death_signal(0)


def end_process(code: int) -> NoReturn:
    """End the process at once, with all its files closed: the one place that does so.

    During the regular shutdown of Python a second ctrl-C, or a remaining thread of the
    middleware, would kill it, and with the compiler loaded it takes 0.3 s longer. Exit handlers
    run, and buffered output is written.
    """
    _leave_files()
    os._exit(code)


def _leave_files() -> None:
    """Run the exit handlers and write what is buffered."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed or broken: reported before
            stream.flush()


def end_command(code: int) -> NoReturn:
    """End a command; if a thread is still running, in the regular way, which waits for it."""
    if threading.active_count() > 1:
        sys.exit(code)
    end_process(code)
