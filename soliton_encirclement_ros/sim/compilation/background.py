"""Nobody waits for the compiler: it works in a process of its own while flights are interpreted.

There is one such process at a time, with the least priority. It goes on when the flight is over:
the next one finds compiled code.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Sequence

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation.code_cache import (
    cache_folder,
    compiler_lock,
    is_cached,
)
from soliton_encirclement_ros.sim.compilation.code_digest import digest_of
from soliton_encirclement_ros.sim.compilation.loaded_code import FlightKind, get_ready, programs

AGENT_TICK = 0.5e-3
"""Time that an interpreted agent takes for a tick on a machine of middling speed [s]."""

PER_OTHER = 2.5e-6
"""What every other agent adds to that [s]."""

COMPILATION = 60.0
"""Time of a compilation, on such a machine [s]."""

LOOK_PERIOD = 1.0
"""Time between two looks at what the compiler has done [s]."""

LEAST_PRIORITY = 19

MOST_FILES = 4096
"""Descriptors that may be open."""


def interpreted_time(scenarios: Sequence[Scenario], at_once: float = 1.0) -> float:
    """Return about how long flights take interpreted, some at once [s]."""
    agents = [one.run.num_agents for one in scenarios]
    ticks = [one.ticks for one in scenarios]
    cost = sum(n * t * (AGENT_TICK + n * PER_OTHER) for n, t in zip(agents, ticks, strict=True))
    return cost / max(1.0, min(at_once, len(scenarios)))


def compile_beside(kinds: Collection[FlightKind]) -> Callable[[], bool]:
    """Begin to compile what flights need.

    Args:
        kinds: The flights.

    Returns:
        Whether compiled code is there by now; cheap enough to be asked at every tick.
    """
    folders = [cache_folder(digest_of(one)) for one in programs(kinds)]
    if None not in folders:
        with contextlib.suppress(OSError):  # no room for a process: the flight goes on interpreted
            _start(kinds)
    looked_at = time.monotonic()

    def is_compiled() -> bool:
        nonlocal looked_at
        if time.monotonic() - looked_at < LOOK_PERIOD:
            return False
        looked_at = time.monotonic()
        return all(map(is_cached, folders))

    return is_compiled


def _start(kinds: Collection[FlightKind]) -> None:
    """Start the process; this one is neither its parent nor bound to its end."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            _compile(kinds)
    finally:
        os._exit(0)


def _compile(kinds: Collection[FlightKind]) -> None:
    os.nice(LEAST_PRIORITY)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.closerange(3, MOST_FILES)  # whoever waits for the end of one does not wait for this process
    with compiler_lock(waits=False) as is_ours:
        if is_ours:
            get_ready(kinds)
