"""Faults of a user's law or estimator in flight, in one line for its author.

A step that does not return is left by an exception after a time limit.
"""

import ctypes
import math
import os
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import soliton_encirclement_ros
import velocity_mobility_ros
from soliton_encirclement_ros.core.laws.law import Decision, Gains, Law, Memory
from soliton_encirclement_ros.core.laws.record_rows import Packing, Record, packing
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from velocity_mobility_ros.core.coordinate_frames import is_plausible_vector
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.plugins import reason_of
from velocity_mobility_ros.core.user_errors import shown

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


NOTHING_WANTED = Decision((0.0, 0.0, 0.0), NOBODY, NOBODY, 0.0)

STANDARD = sysconfig.get_path('stdlib') + os.sep
LIBRARIES = Path(np.__file__).parents[1]
OTHERS = tuple(f'{folder}{os.sep}' for folder in (
    Path(soliton_encirclement_ros.__file__).parent, Path(velocity_mobility_ros.__file__).parent,
    LIBRARIES / 'numba', LIBRARIES / 'numpy',
))  # fmt: skip
"""Folders of code that is no user's."""

UNTIL_RECOVERED = 'the agent is down, call recover to try again'
"""Suffix of a fault's line in the log of a node."""

BOUND = f'it must be finite and at most {LARGEST_COORDINATE:g}'
"""Of a velocity that is wanted or a place that is estimated."""

Step = Callable[[Gains, Memory, Any], tuple]


class WrongResultError(Exception):
    """A law returned a wrong result, which the text describes."""


class EndlessError(WrongResultError):
    """A law did not return."""


def are_finite(row: Sequence[float]) -> bool:
    """Return whether all numbers of a row are finite."""
    for k in range(len(row)):  # noqa: SIM110  (no generators in compiled code)
        if not math.isfinite(row[k]):
            return False
    return True


def has_no_new_nan(row: Sequence[float], rest: Sequence[float]) -> bool:
    """Return whether all numbers of a memory's row are finite, save those that are not at rest."""
    for k in range(len(row)):  # noqa: SIM110  (no generators in compiled code)
        if not math.isfinite(row[k]) and math.isfinite(rest[k]):
            return False
    return True


def finite_at_rest(law: Law) -> tuple[float, ...]:
    """Return the row of a law's memory at rest, for ``has_no_new_nan``, and one number more.

    Nothing of it is finite for laws of this package: theirs may be whatever it is.
    """
    size, pack, _ = packing(law.rest)
    row = [0.0] * size
    pack(law.rest, row)
    fixed = map(float, row) if law.parameters is not None else [math.nan] * size
    return (*fixed, 0.0)


def checked_law(law: Law) -> Law:
    """Return a user's law that raises ``WrongResultError`` on results that are none."""
    sent = packing(law.no_message)
    memory_size, pack_memory, _ = packing(law.rest)
    fixed = finite_at_rest(law)

    def fault_in(memory: Memory, message: Record, decision: Decision) -> str:
        """Return which result is not finite."""
        if not is_plausible_vector(decision.velocity):
            return f'wants the velocity {tuple(map(float, decision.velocity))} m/s; {BOUND}'
        row = [0.0] * memory_size
        pack_memory(memory, row)
        fault = '' if has_no_new_nan(row, fixed) else f'keeps {shown(memory)}; it must be finite'
        return wrong_message(message, sent) or fault

    results = {'memory': law.rest, 'message': law.no_message, 'decision': NOTHING_WANTED}

    def reset(memory: Memory) -> Memory:
        """Return the memory with which an agent goes on after a failure."""
        try:
            after = within_limit(law.reset, memory)
        except TooLongError as error:
            raise EndlessError(f'reset: {raised_text(error)}') from error
        except BaseException as error:
            raise WrongResultError(f'reset: {raised_text(error)}') from error
        if wrong := wrong_record(after, law.rest, 'memory'):
            raise WrongResultError(f'reset returned {wrong}')
        return after

    return law._replace(step=checked_step(law.step, results, fault_in), reset=reset)


def wrong_message(message: Record, sent: Packing) -> str:
    """Return the fault of a message that an agent is to send, by its packing; empty: none."""
    row = [0.0] * sent.size
    sent.pack(message, row)
    return '' if are_finite(row) else f'sends {shown(message)}; it must be finite'


def checked_step(
    step: Step, examples: dict[str, Record], fault_in: Callable[..., str] | None = None
) -> Step:
    """Return a step whose results are compared with examples, once for each set of types.

    Args:
        step: A step as its author wrote it.
        examples: An example of every part of its result, by its name.
        fault_in: Returns the fault of the parts of a result of these types, empty: none.

    Returns:
        The same step, but it raises ``WrongResultError``.
    """
    known, place = set(), place_of(step)

    def checked(gains: Gains, memory: Memory, view: Any) -> tuple:
        """Advance by one control period."""
        try:
            after = within_limit(step, gains, memory, view)
        except Exception:
            raise
        except TooLongError as error:
            raise EndlessError(raised_text(error)) from error
        except BaseException as error:
            raise WrongResultError(raised_text(error)) from error
        types = _types(after)
        if types not in known:
            if wrong := wrong_result(after, examples):
                raise WrongResultError(f'{wrong}{place}')
            known.add(types)
        if fault_in is not None and (fault := fault_in(*after)):
            raise WrongResultError(f'{fault}{place}')
        return after

    return checked


def _types(value: object) -> Any:
    return (type(value), *map(_types, value)) if isinstance(value, tuple) else type(value)


def wrong_result(result: object, examples: dict[str, Record]) -> str:
    """Return the fault of the result of a step or of a part of it, empty: none.

    Args:
        result: The returned value.
        examples: An example of every part by its name.
    """
    if not isinstance(result, tuple) or len(result) != len(examples):
        return f'returned {shown(result)}; it must return a tuple of {", ".join(examples)}'
    for (name, example), value in zip(examples.items(), result, strict=True):
        if wrong := wrong_record(value, example, name):
            return f'returned {wrong}'
    return ''


def wrong_record(value: Any, example: Record, name: str) -> str:
    """Return the fault of a record, as ``velocity = 'north'; it must be ...``.

    Args:
        value: The record.
        example: A record of the kind that it must be.
        name: Its name.
    """
    if not isinstance(example, tuple):
        is_number = isinstance(value, (bool, int, float, np.number, np.bool_))
        return '' if is_number else f'{name} = {shown(value)}; it must be a number'
    fields = getattr(example, '_fields', ())
    is_alike = isinstance(value, tuple) and len(value) == len(example)
    if not is_alike or getattr(value, '_fields', ()) != fields:
        kind = f'{type(example).__name__}({", ".join(fields)})' if fields else ''
        kind = kind or f'{len(example)} numbers in a tuple'
        return f'{name} = {shown(value)}; it must be {kind}'
    for i, (item, expected) in enumerate(zip(value, example, strict=True)):
        place = f'{name}.{fields[i]}' if fields else f'{name}[{i}]'
        if wrong := wrong_record(item, expected, place):
            return wrong
    return ''


def is_of_author(file: str) -> bool:
    """Return whether code is of a user; errors elsewhere are reported by the user's line."""
    path = os.path.abspath(file)
    is_of_python = path.startswith(STANDARD) and f'{os.sep}site-packages{os.sep}' not in path
    return not (file.startswith('<') or path.startswith(OTHERS) or is_of_python)


def place_of(function: Callable) -> str:
    """Return where code of an author begins: a function, or one that it was made of.

    Returns:
        As `` (mine.py:12, in step)``, empty if nothing of it is an author's.
    """
    cells = getattr(function, '__closure__', None) or ()
    for candidate in (function, *(cell.cell_contents for cell in cells)):
        code = getattr(candidate, '__code__', None)
        if code and is_of_author(code.co_filename):
            return f' ({Path(code.co_filename).name}:{code.co_firstlineno}, in {code.co_name})'
    return ''


def raised_text(error: BaseException, function: Callable | None = None) -> str:
    """Return one line for an exception of a law: the error, and the line of its author's file.

    Args:
        error: The exception.
        function: The called function, for an error outside of any line of the author.

    Raises:
        KeyboardInterrupt: It was no exception of the law: somebody has pressed ctrl-C.
    """
    if isinstance(error, WrongResultError):
        return str(error)
    is_endless = isinstance(error, TooLongError)
    reason = f'does not return within {LIMIT:g} s' if is_endless else reason_of(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_of_author(frame.filename)]
    frame = (own or frames)[-1]
    place = f' ({Path(frame.filename).name}:{frame.lineno}, in {frame.name})'
    if not own and function is not None:
        place = place_of(function) or place
    return f'{reason}{place}'


def fault_of(checked: Callable, *arguments: object) -> str:
    """Return the fault of a failed step or reset whose results are checked, by repeating it."""
    try:
        checked(*arguments)
    except Exception as error:
        return raised_text(error)
    return 'raised an exception that did not come again'


def endless(checked: Callable, *arguments: object) -> str:
    """Return the fault of a step or reset that does not return, empty if it does."""
    try:
        checked(*arguments)
    except EndlessError as error:
        return str(error)
    except Exception:  # the flight itself will come to it
        return ''
    finally:
        stop_clock()
    return ''


def fault_line(law: str, agent_id: int, now: float, fault: str) -> str:
    """Return the line that reports a fault to the author of a law.

    Args:
        law: The law's short name.
        agent_id: Number k of the agent that ran it.
        now: Time [s].
        fault: The fault.
    """
    return f'{law}: uav_{agent_id} at {now:g} s: {fault}'
