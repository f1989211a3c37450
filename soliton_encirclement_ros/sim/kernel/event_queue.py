"""A queue of events ordered by time alone, move for move the heap of CPython's ``heapq``.

The order of events of the same time is an accident of that heap. The flights of the original
experiment depend on it, so they are reproduced with the same order.
"""

from typing import NamedTuple

from soliton_encirclement_ros.sim.kernel.flight_memory import Counts, Floats

KIND, WHO, OTHER, NUMBER = range(4)
EVENT_COLUMNS = 4

WAITING = 0


class EventQueue(NamedTuple):
    """Waiting events: times [s], and a row of kind, member, another member and a number each.

    ``counters`` holds how many events wait.
    """

    times: Floats
    events: Counts
    counters: Counts


def push(
    queue: EventQueue, time: float, kind: int, who: int, other: int = 0, number: int = 0
) -> None:
    """Add an event at a time [s]."""
    place = queue.counters[WAITING]
    queue.counters[WAITING] = place + 1
    rise(queue, place, time, kind, who, other, number)


def pop(queue: EventQueue) -> tuple[float, int, int, int, int]:
    """Remove the first event; return its time [s], kind, member, the other one and the number."""
    first, last = queue.events[0], queue.counters[WAITING] - 1
    found = (queue.times[0], first[KIND], first[WHO], first[OTHER], first[NUMBER])
    queue.counters[WAITING] = last
    if last > 0:
        time, moved = queue.times[last], queue.events[last]
        kind, who, other, number = moved[KIND], moved[WHO], moved[OTHER], moved[NUMBER]
        rise(queue, sink_hole(queue), time, kind, who, other, number)
    return found


def sink_hole(queue: EventQueue) -> int:
    """Move the hole at the top down to a leaf, past the earlier child; return its final position.

    Of two children of the same time the right one moves up.
    """
    end, hole, child = queue.counters[WAITING], 0, 1
    while child < end:
        right = child + 1
        if right < end and not queue.times[child] < queue.times[right]:
            child = right
        put(queue, hole, child)
        hole, child = child, 2 * child + 1
    return hole


def rise(
    queue: EventQueue, hole: int, time: float, kind: int, who: int, other: int, number: int
) -> None:
    """Put an event into a hole, or as far above it as it is earlier than its parents."""
    while hole > 0:
        parent = (hole - 1) >> 1
        if not time < queue.times[parent]:
            break
        put(queue, hole, parent)
        hole = parent
    event = queue.events[hole]
    queue.times[hole] = time
    event[KIND], event[WHO], event[OTHER], event[NUMBER] = kind, who, other, number


def put(queue: EventQueue, place: int, source: int) -> None:
    """Copy an event to another position."""
    queue.times[place] = queue.times[source]
    there, here = queue.events[place], queue.events[source]
    there[KIND], there[WHO], there[OTHER], there[NUMBER] = (
        here[KIND], here[WHO], here[OTHER], here[NUMBER]
    )  # fmt: skip
