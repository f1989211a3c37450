"""Faults of a node as text, and log lines when they begin and end."""

import enum
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from rclpy.impl.rcutils_logger import RcutilsLogger

from velocity_mobility_ros.core.environment.ros_environment import discovery_text

UNHEARD = 10
"""Number of updates, one per second, after which an input that never came is mostly logged."""


class Level(enum.IntEnum):
    """Severity of a condition, as in ``diagnostic_msgs/DiagnosticStatus``."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


SEVERITY = (Level.OK, Level.WARN, Level.STALE, Level.ERROR)
"""The levels, worst last. STALE: an input has never been received. As in the diagnostic
aggregator, an error is worse."""


class Condition(NamedTuple):
    """A present fault, with its reason.

    With a ``key``, which names the subject and contains no changing numbers, it is logged once
    when it begins and once when it ends. A STALE one without a key is logged once, after
    ``patience`` updates. ``unheard`` is the full name of a topic on which nothing has come yet;
    the diagnostics add ``why``, which may change.
    """

    level: Level
    reason: str
    key: str = ''
    patience: int = UNHEARD
    unheard: str = ''
    why: str = ''

    @property
    def text(self) -> str:
        """The reason, and why it is so."""
        return f'{self.reason}: {self.why}' if self.why else self.reason


def worst_first(conditions: Iterable[Condition]) -> list[Condition]:
    """Return conditions sorted by severity, otherwise in the given order, each reason once."""
    by_reason: dict[str, Condition] = {}
    for condition in sorted(conditions, key=lambda each: -SEVERITY.index(each.level)):
        by_reason.setdefault(condition.reason, condition)
    return list(by_reason.values())


class ConditionLog:
    """Logs conditions that have a key when they begin, become worse, and end."""

    def __init__(self, logger: RcutilsLogger) -> None:
        """Start without conditions."""
        self._logger = logger
        self._known: dict[str, Level] = {}
        self._unheard: Counter[str] = Counter()

    def update(self, conditions: Iterable[Condition]) -> None:
        """Log the changes; ``conditions`` are all present faults, once a second."""
        conditions = list(conditions)
        self._log_unheard(conditions)
        present = {each.key: each for each in conditions if each.key}
        for key, (level, reason, *_) in present.items():
            if SEVERITY.index(level) > SEVERITY.index(self._known.get(key, Level.OK)):
                self._known[key] = level
                self._log(level, reason)
        for key in [key for key in self._known if key not in present]:
            del self._known[key]
            self._logger.info(f'{key}: ok again')

    def _log_unheard(self, conditions: list[Condition]) -> None:
        """Log inputs that never came, with the settings that may be wrong.

        Each computer of a swarm has its own settings, and its diagnostics may reach nobody.
        """
        for each in conditions:
            if each.level is Level.STALE and not each.key:
                self._unheard[each.reason] += 1
                if self._unheard[each.reason] == each.patience:
                    self._logger.warning(f'{each.text} ({discovery_text()})')

    def _log(self, level: Level, reason: str) -> None:
        if level is Level.ERROR:
            self._logger.error(reason)
        else:
            self._logger.warning(reason)
