"""Words on their way to one listener."""

import random

from soliton_encirclement_ros.core.radio.message_queue import MessageQueue, QueuedMessage
from soliton_encirclement_ros.core.states.states import AgentState

ORIGIN = (0.0, 0.0, 0.0)


def message(order: int, sent_ns: int, sound: bool = True) -> QueuedMessage:
    """Return what a member said."""
    return QueuedMessage(
        sent_ns, order, sent_ns, AgentState(order, sent_ns, ORIGIN, ORIGIN), sound
    )


def places(taken: list[QueuedMessage]) -> list[tuple[int, int]]:
    """Return when and by whom words were said."""
    return [(each.sent_ns, each.order) for each in taken]


def test_taken_once_when_due() -> None:
    inbox = MessageQueue()
    inbox.put(10, message(1, 0))
    assert inbox.take(9) == []
    assert places(inbox.take(10)) == [(0, 1)]
    assert inbox.take(11) == []


def test_in_order_of_the_time_said_then_of_members() -> None:
    inbox, draw = MessageQueue(), random.Random(1)
    entries = [(order, said) for order, said in [(3, 5), (1, 5), (2, 9), (4, 0), (0, 5)]]
    draw.shuffle(entries)
    for order, said in entries:
        inbox.put(draw.randrange(10, 20), message(order, said))
    assert places(inbox.take(20)) == [(0, 4), (5, 0), (5, 1), (5, 3), (9, 2)]


def test_of_one_senders_words_the_newest_are_heard() -> None:
    inbox = MessageQueue()
    inbox.put(7, message(1, 5))
    inbox.put(9, message(1, 3))
    inbox.put(8, message(2, 4))
    assert places(inbox.take(10)) == [(4, 2), (5, 1)]


def test_overtaken_words_arrive_later() -> None:
    inbox = MessageQueue()
    inbox.put(20, message(1, 3))
    inbox.put(10, message(1, 5))
    assert places(inbox.take(10)) == [(5, 1)]
    assert places(inbox.take(20)) == [(3, 1)]


def test_words_that_are_refused_do_not_hide_older_sound_ones() -> None:
    inbox = MessageQueue()
    inbox.put(7, message(1, 3))
    inbox.put(7, message(1, 5, sound=False))
    assert places(inbox.take(10)) == [(3, 1)]
