"""Notices that a user's law does not return in the compiled engine, which nothing can interrupt.

Machine code hears neither ctrl-C nor an exception of another thread. So a thread looks whether
ticks go by; if not, it repeats the steps of all agents in plain Python, within a limit of time.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from soliton_encirclement_ros.core.estimation.estimator import ESTIMATORS
from soliton_encirclement_ros.core.laws.law_registry import is_of_user
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.flight_constants import setup_of

PATIENCE = 10.0
"""Wall time [s] without a tick after which the steps are repeated."""

POLL = 0.5
"""Wall time [s] between two looks."""


@contextmanager
def watched(engine: Engine, end: Callable[[str], None]) -> Iterator[None]:
    """Watch a flight with code of a user meanwhile.

    Args:
        engine: The engine that flies in this context.
        end: Called in another thread with the line for the author of what does not return. The
            thread of the flight is lost then.
    """
    if not has_own_code(engine.scenario):
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_watch, args=(engine, end, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def has_own_code(scenario: Scenario) -> bool:
    """Say whether a law, a layer or an estimator of a user flies."""
    own = scenario.is_estimated and ESTIMATORS.is_foreign(scenario.sight.estimator)
    return own or is_of_user(setup_of(scenario, uav(1)))


def _watch(engine: Engine, end: Callable[[str], None], over: threading.Event) -> None:
    ticks, since = engine.ticks, time.monotonic()
    while not over.wait(POLL):
        if engine.ticks != ticks:
            ticks, since = engine.ticks, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            line = engine.endless_step()
            if line and engine.ticks == ticks and not over.is_set():
                end(line)
                return
            since = time.monotonic()
