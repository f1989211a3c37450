"""The first compilation: its progress, and an immediate end at ctrl-C or SIGTERM."""

import multiprocessing
import os
import select
import signal
import threading
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from typing import Any

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from velocity_mobility_ros.core.environment.unix_process import (
    SIGNALS,
    end_process,
    on_stop_signals,
)

from soliton_encirclement_ros.cli.views.terminal_display import REFRESH_PERIOD, LiveDisplay
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.finished_run import INTERRUPTED
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation.call_graph import functions_of
from soliton_encirclement_ros.sim.compilation.code_cache import cache_folder, compiler_lock
from soliton_encirclement_ros.sim.compilation.compiled import compile_events, to_compile
from soliton_encirclement_ros.sim.compilation.loaded_code import (
    COMPILATION,
    compile_beside,
    flight_kind,
    get_ready,
    interpreted_time,
    programs,
)
from soliton_encirclement_ros.sim.compilation.numba_import import (
    say,
    say_first_time,
    without_scipy,
)
from soliton_encirclement_ros.sim.forked_processes import FORK, end_with_client


class CompilationProgress(LiveDisplay):
    """Progress of a compilation; nothing is shown until the compiler begins."""

    def __init__(
        self, console: Console, programs: Collection[Callable], missing: Collection[Callable]
    ) -> None:
        """Expect a compilation.

        Args:
            console: Console for the display.
            programs: Programs to load, or compile if needed.
            missing: Those of them that are known to need it.
        """
        super().__init__(console)
        self._programs = {one.__code__: one for one in programs}
        self._functions = functions_of(missing)
        self._done: set[types.CodeType] = set()
        self.compiled: set[types.CodeType] = set()

    def __enter__(self) -> 'CompilationProgress':
        """Show nothing yet."""
        return self

    def code(self, number: int) -> types.CodeType | None:
        """Return the code that has a number in this process and in those forked from it."""
        return next((code for code in self._functions if id(code) == number), None)

    def begin(self, code: types.CodeType) -> None:
        """Draw from the first program on that the compiler begins with.

        A program expected in the cache counts from then on: its code could not be read.
        """
        if code not in self._programs:
            return
        if not self.compiled:
            super().__enter__()
        self._functions |= functions_of([self._programs[code]])
        self.compiled.add(code)

    def done(self, code: types.CodeType) -> None:
        """Record a compiled function."""
        self._done.add(code)

    def update(self) -> None:
        """Draw if it is time to, and if there is something to show."""
        if self.compiled:
            super().update()

    def line(self) -> str:
        """Return how many functions there are, and how many are compiled."""
        done = len(self._done & self._functions)
        return f'compiling {len(self._functions)} functions: {done} done'

    def view(self) -> RenderableType:
        """Return a bar with the same text."""
        done, view = len(self._done & self._functions), Table.grid(padding=(0, 2))
        view.add_row(
            ProgressBar(total=len(self._functions), completed=done, width=40), self.line()
        )
        return view


def get_ready_visibly(scenarios: Iterable[Scenario]) -> None:
    """Load the compiled code of scenarios; show the progress of a compilation."""
    kinds = {flight_kind(one) for one in scenarios}
    compile_visibly(programs(kinds), lambda: get_ready(kinds))


def get_ready_or_begin(
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
    kinds = {flight_kind(one) for one in scenarios}
    is_long = interpreted_time(scenarios, at_once) > COMPILATION
    goes_on = len(scenarios) == 1 and cache_folder('') is not None
    if (goes_on or not is_long) and to_compile(programs(kinds)):
        say(f'flying in plain Python{UNTIL if is_long else BESIDE}, once for this machine')
        return compile_beside(kinds)
    compile_visibly(programs(kinds), lambda: get_ready(kinds))
    return None


UNTIL = ' until the laws are compiled, in about a minute'
BESIDE = ' while the laws are compiled'


def get_ready_to_publish(scenario: Scenario) -> Callable[[], bool] | None:
    """Do as ``get_ready_or_begin`` for a flight that keeps real time from its first tick on.

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


def compile_visibly(programs: Collection[Callable], load: Callable[[], None]) -> int:
    """Load programs; show the progress of a compilation, and end at once at ctrl-C.

    Args:
        programs: What ``load`` compiles if it has to.
        load: Calls each of them once.

    Returns:
        How many of the programs had to be compiled.
    """
    console = Console(stderr=True)
    missing = to_compile(programs)
    progress = CompilationProgress(console, programs, missing)
    with (
        _stop_signals_to(lambda *_: _end(console)),  # before the view hides the cursor
        compile_events(progress.begin, progress.done),
        nullcontext() if missing else without_scipy(),
        progress,
        _companion(progress.update, console),
        compiler_lock() if missing else nullcontext(),
    ):
        load()
    return len(progress.compiled)


def compile_in_parallel(
    programs: Collection[Callable], tasks: Sequence[Callable[[], object]], at_once: int
) -> int:
    """Compile programs in several processes; show the progress, and end soon after ctrl-C.

    Args:
        programs: What is compiled if it has to be.
        tasks: Each compiles a part of it when it is called, the longest ones first.
        at_once: How many processes, at most.

    Returns:
        How many of the programs had to be compiled.

    Raises:
        RunError: A task failed.
    """
    console, missing = Console(stderr=True), to_compile(programs)
    if not missing:
        return 0
    say_first_time()
    progress, news = CompilationProgress(console, programs, missing), FORK.SimpleQueue()
    asked: list[int] = []
    with (
        compiler_lock(),
        _stop_signals_to(lambda number, _: asked.append(number)),
        progress,
        ProcessPoolExecutor(
            min(at_once, len(tasks)), FORK, _begin, (os.getpid(), tasks, news)
        ) as pool,
    ):
        waiting = {pool.submit(_compile, number) for number in range(len(tasks))}
        while waiting:
            done, waiting = wait(waiting, REFRESH_PERIOD, FIRST_COMPLETED)
            for failure in filter(None, (future.exception() for future in done)):
                raise RunError(f'compiling failed ({type(failure).__name__}: {failure})')
            while not news.empty():
                _note(progress, *news.get())
            progress.update()
            if asked:  # a signal in the middle of drawing is no place to end
                _end(console)
    return len(missing)


TASKS: list[Callable[[], object]] = []
NEWS: list[Any] = []
"""In a process that compiles: all tasks, and the queue for what becomes of functions."""


def _begin(client: int, tasks: Sequence[Callable[[], object]], news: Any) -> None:
    end_with_client(client)
    TASKS[:], NEWS[:] = tasks, [news]


def _compile(number: int) -> None:
    """Do a task; tell of every function, by a number that all processes share."""
    (news,) = NEWS

    def told(is_done: bool) -> Callable[[types.CodeType], None]:
        return lambda code: news.put((id(code), is_done))

    with compile_events(told(False), told(True)):
        TASKS[number]()


def _note(progress: CompilationProgress, number: int, is_done: bool) -> None:
    """Take note of a function that another process compiles."""
    code = progress.code(number)
    if code is not None:
        (progress.done if is_done else progress.begin)(code)


@contextmanager
def _stop_signals_to(handler: Callable[[int, types.FrameType | None], Any]) -> Iterator[None]:
    """Let a handler take ctrl-C and the like meanwhile."""
    before = on_stop_signals(handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def _companion(draw: Callable[[], None], console: Console) -> Iterator[None]:
    """Draw periodically meanwhile, and react to ctrl-C and the like.

    The compiler stays in machine code for many seconds, in which Python calls no handler of
    signals. So a thread waits for them; it is gone afterwards.
    """
    reader, pipe = os.pipe()
    os.set_blocking(pipe, False)
    over = threading.Event()

    def accompany() -> None:
        while not over.is_set():
            called = select.select([reader], [], [], REFRESH_PERIOD)[0]
            if called and os.read(reader, 1)[0] in SIGNALS:
                _end(console)
            draw()

    wakeup = signal.set_wakeup_fd(pipe)
    thread = threading.Thread(target=accompany, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        signal.set_wakeup_fd(wakeup)
        os.close(reader)
        os.close(pipe)


def _end(console: Console) -> None:
    """End the process at once, with the terminal as it was.

    No file is left half written: compiled code is stored atomically.
    """
    console.show_cursor(True)
    for process in multiprocessing.active_children():  # Python waits for them at its end
        process.kill()
    end_process(INTERRUPTED)
