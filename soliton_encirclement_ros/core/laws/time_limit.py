"""A time limit for code of an author: what does not return is left by an exception."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

LIMIT = 10.0
"""Wall time [s] that a step of a law, layer or estimator may take in plain Python."""

POLL = 0.5
"""Wall time [s] between two looks at the clock."""


class TooLongError(BaseException):
    """Code of an author has not returned; it is no ``Exception``, which the code may catch."""


class CallClock:
    """Watches the calls of one thread; the thread that looks at the clock ends when none runs."""

    def __init__(self) -> None:
        """Watch calls of the present thread."""
        self._owner = threading.get_ident()
        self._lock = threading.Lock()
        self._began: float | None = None
        self._looks = threading.Event()
        self._thread: threading.Thread | None = None

    def call(self, function: Callable, *arguments: Any) -> Any:
        """Call a function and return its result.

        Raises:
            TooLongError: It has not returned in time.
        """
        with self._lock:
            before, self._began = self._began, time.perf_counter()
            if self._thread is None or not self._thread.is_alive():  # it does not survive a fork
                self._looks.clear()
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
        try:
            return function(*arguments)
        finally:
            with self._lock:
                self._began = before

    def rest(self) -> None:
        """End the thread that looks at the clock, until the next call."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            self._looks.set()
            thread.join()

    def _watch(self) -> None:
        while True:
            self._looks.wait(POLL)
            with self._lock:
                if self._began is None:
                    self._thread = None
                    return
                if time.perf_counter() - self._began > LIMIT:
                    self._interrupt()

    def _interrupt(self) -> None:
        owner, error = ctypes.c_ulong(self._owner), ctypes.py_object(TooLongError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(owner, error)


CLOCKS = threading.local()
"""The clock of each thread."""


def within_limit(function: Callable, *arguments: Any) -> Any:
    """Call a function of an author; under a debugger, which may stop in it, without a limit.

    Raises:
        TooLongError: It has not returned in time.
    """
    if sys.gettrace() is not None:
        return function(*arguments)
    return _clock().call(function, *arguments)


def stop_clock() -> None:
    """End the thread that looks at the clock, until the next call."""
    _clock().rest()


def _clock() -> CallClock:
    if not hasattr(CLOCKS, 'clock'):
        CLOCKS.clock = CallClock()
    return CLOCKS.clock
