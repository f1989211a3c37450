"""The kernel's queue of events is the original's, move for move."""

import numpy as np
from gradysim.simulator.event import EventLoop
from hypothesis import given, strategies as st

from soliton_encirclement_ros.sim.kernel.event_tick import (
    EVENT_COLUMNS, WAITING, EventQueue, pop, push
)

PROGRAMS = st.lists(st.none() | st.sampled_from([0.0, 0.01, 0.05, 0.05 + 1e-17, 0.3]))
"""What is done to a queue: a time is pushed, None pops. Few times, so that many are equal."""


def empty(room: int) -> EventQueue:
    """Return a queue in which nothing waits."""
    events = np.zeros((room, EVENT_COLUMNS), dtype=np.int64)
    return EventQueue(np.zeros(room), events, np.zeros(1, dtype=np.int64))


@given(PROGRAMS)
def test_it_is_the_queue_of_the_original_s_simulator(program: list[float | None]) -> None:
    """Any pushes and pops, then all that is left, against gradysim's own event loop."""
    queue, loop = empty(len(program) + 1), EventLoop()
    for number, time in enumerate([*program, *[None] * len(program)]):
        if time is not None:
            time += loop.current_time
            push(queue, time, 1, 2, 3, number)
            loop.schedule_event(time, print, str(number))
        elif len(loop):
            event = loop.pop_event()
            assert pop(queue) == (event.timestamp, 1, 2, 3, int(event.context))
        assert queue.counters[WAITING] == len(loop)
