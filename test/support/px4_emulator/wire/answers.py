"""Acknowledgements on their way."""

import random
from types import SimpleNamespace
from typing import Any, NamedTuple

from support.px4_emulator.wire.status_messages import vehicle_command_ack

USUAL_DELAY = 0.010, 0.025
RARE_DELAY, RARE = 0.150, 0.01
"""Delays [s], and how often the long one happens."""


FOREIGN, FOREIGN_RECEIVER = (211, 0), (3, 184)
FOREIGN_DELAY_US = 1_000_000
"""Command, result and receiver of an answer that is for somebody else, and when it comes."""


class Answer(NamedTuple):
    """An acknowledgement, and when it is due [us]."""

    due: int
    ack: SimpleNamespace


class Answers:
    """Acknowledgements that are not out yet."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f'{seed}/answers')
        self._waiting: list[Answer] = []

    def add(self, now: int, message: Any, result: int) -> None:
        """Answer a command to its sender."""
        target = int(message.source_system), int(message.source_component)
        ack = vehicle_command_ack(int(message.command), int(result), target)
        delay = self._random.uniform(*USUAL_DELAY)
        if self._random.random() < RARE:
            delay = RARE_DELAY
        self._waiting.append(Answer(now + round(1e6 * delay), ack))

    def announce_foreign(self, now: int) -> None:
        """Add one that somebody else asked for at the start: answers are sent to everybody."""
        ack = vehicle_command_ack(*FOREIGN, FOREIGN_RECEIVER)
        self._waiting.append(Answer(now + FOREIGN_DELAY_US, ack))

    def due(self, now: int) -> list[Answer]:
        """Return those that go out now."""
        found = [answer for answer in self._waiting if answer.due <= now]
        if found:
            self._waiting = [answer for answer in self._waiting if answer.due > now]
        return found
