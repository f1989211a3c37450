"""Messages in transit to one receiver."""

from heapq import heappop, heappush
from typing import NamedTuple

from soliton_encirclement_ros.core.states.states import State


class QueuedMessage(NamedTuple):
    """A state sent at a time [ns]; ``order`` is the sender's index among the members."""

    sent_ns: int
    order: int
    count: int
    state: State
    sound: bool


class MessageQueue:
    """Messages that wait until they are due.

    Of several messages of one sender that are due together only the newest valid one is delivered:
    receivers would drop the older ones at once.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: list[tuple[int, QueuedMessage]] = []

    def put(self, due_ns: int, message: QueuedMessage) -> None:
        """Add a message that is due at a time [ns]."""
        heappush(self._waiting, (due_ns, message))

    def take(self, now_ns: int) -> list[QueuedMessage]:
        """Remove and return messages due at a time [ns], by time sent and order of members."""
        newest: dict[int, QueuedMessage] = {}
        while self._waiting and self._waiting[0][0] <= now_ns:
            message = heappop(self._waiting)[1]
            known = newest.get(message.order)
            if known is None or _rank(known) < _rank(message):
                newest[message.order] = message
        return sorted(newest.values(), key=_place)


def _rank(message: QueuedMessage) -> tuple[bool, int, int]:
    return message.sound, message.sent_ns, message.count


def _place(message: QueuedMessage) -> tuple[int, int]:
    return message.sent_ns, message.order
