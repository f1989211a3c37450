"""Words on their way to one listener."""

from heapq import heappop, heappush
from typing import NamedTuple

from soliton_encirclement_ros.core.states.states import State


class QueuedMessage(NamedTuple):
    """What a member said [ns]; ``order`` is its place among the members."""

    said_ns: int
    order: int
    count: int
    state: State
    sound: bool


class MessageQueue:
    """Words that wait until they are due.

    Of several words of one sender that are due together only the newest sound ones are heard:
    listeners would forget the older at once.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: list[tuple[int, QueuedMessage]] = []

    def put(self, due_ns: int, words: QueuedMessage) -> None:
        """Add words that are due at a time [ns]."""
        heappush(self._waiting, (due_ns, words))

    def take(self, now_ns: int) -> list[QueuedMessage]:
        """Remove and return what is due at a time [ns], by time said and order of members."""
        newest: dict[int, QueuedMessage] = {}
        while self._waiting and self._waiting[0][0] <= now_ns:
            words = heappop(self._waiting)[1]
            known = newest.get(words.order)
            if known is None or _rank(known) < _rank(words):
                newest[words.order] = words
        return sorted(newest.values(), key=_place)


def _rank(words: QueuedMessage) -> tuple[bool, int, int]:
    return words.sound, words.said_ns, words.count


def _place(words: QueuedMessage) -> tuple[int, int]:
    return words.said_ns, words.order
