"""The first compilation: how long it takes, the seconds so far, and an immediate end at ctrl-C."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation.code_cache import cache_folder, compiler_lock
from soliton_encirclement_ros.sim.compilation.compiled import to_compile
from soliton_encirclement_ros.sim.compilation.loaded_code import (
    COMPILATION, compile_beside, flight_kind, get_ready, interpreted_time, programs
)
from soliton_encirclement_ros.sim.compilation.numba_import import (
    say, say_first_time, without_scipy
)
from soliton_encirclement_ros.sim.forked_processes import FORK, end_with_client
from velocity_mobility_ros.core.environment.unix_process import on_stop_signals


def load_code_visibly(scenarios: Iterable[Scenario]) -> None:
    """Load the compiled code of scenarios; say so if it has to be compiled."""
    kinds = {flight_kind(scenario) for scenario in scenarios}
    compile_visibly(programs(kinds), lambda: get_ready(kinds))


def load_code_or_interpret(
    scenarios: Sequence[Scenario], at_once: int
) -> Callable[[], bool] | None:
    """Load compiled code, or where there is none let flights begin interpreted.

    A single flight does, and goes on compiled where code can be kept; several do if they are over
    sooner so.

    Args:
        scenarios: What will be flown.
        at_once: How many at the same time.

    Returns:
        ``is_compiled`` of ``Engine``.
    """
    kinds = {flight_kind(scenario) for scenario in scenarios}
    is_long = interpreted_time(scenarios, at_once) > COMPILATION
    goes_on = len(scenarios) == 1 and cache_folder('') is not None
    if (goes_on or not is_long) and to_compile(programs(kinds)):
        say(f'flying in plain Python{UNTIL if is_long else BESIDE}, once for this machine')
        return compile_beside(kinds)
    compile_visibly(programs(kinds), lambda: get_ready(kinds))
    return None


UNTIL = ' until the laws are compiled, in about a minute'
BESIDE = ' while the laws are compiled'


def load_code_to_publish(scenario: Scenario) -> Callable[[], bool] | None:
    """Do as ``load_code_or_interpret`` for a flight that keeps real time from its first tick on.

    Where it does so interpreted, it stays so: to load code takes a second.
    """
    kinds = {flight_kind(scenario)}
    if not to_compile(programs(kinds)) or interpreted_time([scenario]) > LIGHT * (
        scenario.run.sim_duration
    ):
        compile_visibly(programs(kinds), lambda: get_ready(kinds))
        return None
    compile_beside(kinds)
    return lambda: False


LIGHT = 0.3
"""Share of the time that an interpreted flight may take to be flown in real time."""


def compile_visibly(programs: Collection[Callable], load: Callable[[], None]) -> None:
    """Load programs; say so if they have to be compiled, which ctrl-C ends at once.

    Args:
        programs: What ``load`` compiles if it has to.
        load: Calls each of them once.
    """
    with _default_stop_signals():
        if to_compile(programs):
            say_first_time()
            with compiler_lock(), _seconds_counter():
                load()
        else:
            with without_scipy():
                load()


def compile_in_parallel(
    programs: Collection[Callable], tasks: Sequence[Callable[[], object]], at_once: int
) -> int:
    """Compile programs in several processes; tell of each part, and end at once at ctrl-C.

    Args:
        programs: What is compiled if it has to be.
        tasks: Each compiles a part of it when it is called, the longest ones first.
        at_once: How many processes, at most.

    Returns:
        How many of the programs had to be compiled.

    Raises:
        RunError: A task failed.
    """
    missing = to_compile(programs)
    if not missing:
        return 0
    with (
        _default_stop_signals(),
        compiler_lock(),
        ProcessPoolExecutor(min(at_once, len(tasks)), FORK, _begin, (os.getpid(), tasks)) as pool,
    ):
        say_first_time()
        futures = [pool.submit(_compile, number) for number in range(len(tasks))]
        for done, future in enumerate(as_completed(futures), 1):
            if failure := future.exception():
                raise RunError(f'compiling failed ({type(failure).__name__}: {failure})')
            say(f'compiled {done} of {len(tasks)} parts')
    return len(missing)


TASKS: list[Callable[[], object]] = []
"""In a process that compiles: all tasks."""


def _begin(client: int, tasks: Sequence[Callable[[], object]]) -> None:
    end_with_client(client)
    TASKS[:] = tasks


def _compile(number: int) -> None:
    TASKS[number]()


@contextmanager
def _seconds_counter() -> Iterator[None]:
    """Count the seconds on a terminal; the cursor stays, since the process may end at any time."""
    began, over = time.monotonic(), threading.Event()

    def count() -> None:
        while not over.wait(1.0):
            print(f'\r{time.monotonic() - began:.0f} s', end='', file=sys.stderr, flush=True)
        print('\r\x1b[K', end='', file=sys.stderr, flush=True)

    counting = threading.Thread(target=count, daemon=True)
    if sys.stderr.isatty():
        counting.start()
    try:
        yield
    finally:
        over.set()
        if counting.ident is not None:
            counting.join()


@contextmanager
def _default_stop_signals() -> Iterator[None]:
    """Let ctrl-C and the like end the process meanwhile.

    The compiler stays in machine code for many seconds, in which Python calls no handler of
    signals. No file is left half written: compiled code is stored atomically.
    """
    before = on_stop_signals(signal.SIG_DFL)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
