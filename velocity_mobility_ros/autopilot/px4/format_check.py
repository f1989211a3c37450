"""Whether the installed messages have the formats that PX4 tells, message by message.

PX4 keeps one question and one answer at a time, and either may be lost: each question is asked
alone, and again until it is answered.
"""

import math
from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

AGAIN = 0.2
"""Time after which a question without an answer is followed by the next one [s]."""

PATIENCE = 2.0
"""Time without any answer after which the vehicle may fly unchecked [s]."""

SELDOM = 1.0
"""Time between two questions from then on [s]."""


class Expected(NamedTuple):
    """An installed message, and the hash of its fields."""

    message: str
    hash: int


class FormatCheck:
    """Asks for the formats of all messages.

    Attributes:
        trouble: The first message that differs; empty: none. It stays.
        compared: How many messages are known to be the same.
        is_given_up: Whether nothing was answered for too long; late answers count all the same.
    """

    def __init__(self, expected: Mapping[str, Expected]) -> None:
        """Have asked nothing yet.

        Args:
            expected: What is installed by topic, as PX4 names it: ``/fmu/out/vehicle_status``,
                with neither namespace nor version.
        """
        self.trouble, self.compared, self.is_given_up = '', 0, False
        self._expected, self._open = expected, deque(expected)
        self._asked, self._heard = -math.inf, math.inf

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        return not self._open or bool(self.trouble)

    @property
    def waits(self) -> str:
        """That a vehicle which was asked has to be waited for, in words; empty if it has not."""
        if self.is_done or self.is_given_up or math.isinf(self._heard):
            return ''
        return 'PX4 is asked for the formats of its messages'

    @property
    def in_words(self) -> str:
        """How many of the messages were compared."""
        return f'{self.compared} of {len(self._expected)}'

    def question(self, now: float) -> str:
        """Return the topic to ask for now; empty: none.

        Args:
            now: Monotonic time since the vehicle is heard [s].
        """
        if self.is_done:
            return ''
        self._heard = min(self._heard, now)
        self.is_given_up = self.is_given_up or now - self._heard >= PATIENCE
        if now - self._asked < (SELDOM if self.is_given_up else AGAIN):
            return ''
        self._asked = now
        self._open.rotate(-1)
        return self._open[-1]

    def answer(self, topic: str, found: int | None, now: float) -> None:
        """Take an answer, also to a question of somebody else.

        Args:
            topic: The topic in the question.
            found: The hash; None: PX4 knows no such topic, or another protocol.
            now: Monotonic time [s].
        """
        if topic not in self._open:
            return
        self._open.remove(topic)
        self._asked, self._heard = -math.inf, now
        expected = self._expected[topic]
        if found == expected.hash:
            self.compared += 1
        elif found is not None:
            self.trouble = self.trouble or difference(expected.message)


def difference(message: str) -> str:
    """Return that a message differs, and what to do."""
    return (
        f'px4_msgs/{message} differs from that of the firmware: build the branch of px4_msgs that '
        'belongs to the firmware, or for a firmware of your own px4_msgs from its msg folder'
    )
