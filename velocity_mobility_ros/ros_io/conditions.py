"""What is wrong at a node, as one would tell a person, and when it began and ended."""

import enum
from collections.abc import Iterable
from typing import NamedTuple

from rclpy.impl.rcutils_logger import RcutilsLogger


class Level(enum.IntEnum):
    """How bad a condition is, as numbered by ``diagnostic_msgs/DiagnosticStatus``."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


SEVERITY = (Level.OK, Level.WARN, Level.STALE, Level.ERROR)
"""The levels, worst last. STALE means that something was never heard: as for the aggregator, an
error weighs more."""


class Condition(NamedTuple):
    """Something that is wrong at present, with the reason in words.

    With a ``key``, which says what it is about and holds no numbers, it is logged once when it
    begins and once when it is over.
    """

    level: Level
    reason: str
    key: str = ''


def worst_first(conditions: Iterable[Condition]) -> list[Condition]:
    """Return conditions sorted by severity, otherwise as they came, each reason once."""
    found: dict[str, Condition] = {}
    for condition in sorted(conditions, key=lambda each: -SEVERITY.index(each.level)):
        found.setdefault(condition.reason, condition)
    return list(found.values())


class ConditionLog:
    """Logs conditions that have a key: when they begin, become worse, and are over."""

    def __init__(self, logger: RcutilsLogger) -> None:
        """Begin without any."""
        self._logger = logger
        self._known: dict[str, Level] = {}

    def update(self, conditions: Iterable[Condition]) -> None:
        """Take in everything that is wrong at present."""
        present = {each.key: each for each in conditions if each.key}
        for key, (level, reason, _) in present.items():
            if SEVERITY.index(level) > SEVERITY.index(self._known.get(key, Level.OK)):
                self._known[key] = level
                self._log(level, reason)
        for key in [key for key in self._known if key not in present]:
            del self._known[key]
            self._logger.info(f'{key}: all right again')

    def _log(self, level: Level, reason: str) -> None:
        if level is Level.ERROR:
            self._logger.error(reason)
        else:
            self._logger.warning(reason)
