"""Run status from the diagnostics of the world: end, missing members, speed."""

import math
import re

from diagnostic_msgs.msg import DiagnosticArray
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics, status_name

from soliton_encirclement_ros.core.figures.flight_figures import BEYOND, CHANGE, JERK, NOT_FINITE
from soliton_encirclement_ros.core.states.swarm_topics import (
    BEGUN,
    DIAGNOSTICS,
    SIMULATION,
    WORLD,
    Fleet,
)

MAX_LINE_LENGTH = 200
"""Maximum number of characters of a text."""

STAMP = re.compile(r'[0-9]{1,19}', re.ASCII)
"""A time [ns]."""

UNKNOWN = str(None)
"""Value of a figure that there is not yet."""


class WorldReport:
    """The last diagnostics of the world of a fleet, with checked values.

    Attributes:
        finished: Whether the run is over.
        is_heard: Whether there has been a word of the world.
        begun_ns: When the run began, in real time [ns]; None: not yet, or not known.
        is_waiting: Whether the world says that it has not begun.
        waiting_for: Members the world waits for at the start, as text; empty if unknown.
        counts: ``real_time_factor``, ``missed_answers``, faults and effort of commands, if
            received.
    """

    def __init__(self, fleet: Fleet, health: NodeDiagnostics) -> None:
        """Start without values; ``health`` gets the refused ones."""
        self._status = status_name(fleet.full_name(WORLD), SIMULATION)
        self._health = health
        self.finished = self.is_heard = self.is_waiting = False
        self.begun_ns: int | None = None
        self.waiting_for = ''
        self.counts: dict[str, float] = {}

    def take(self, message: DiagnosticArray) -> None:
        """Read a message; other statuses than that of the world are ignored."""
        for status in message.status:
            if status.name == self._status:
                self._take({pair.key: pair.value for pair in status.values})

    def _take(self, values: dict[str, str]) -> None:
        self.is_heard = True
        self.finished = values.get('finished') == str(True)
        begun = values.get(BEGUN, '')
        self.is_waiting = begun == UNKNOWN
        self.begun_ns = int(begun) if STAMP.fullmatch(begun) else None
        self.waiting_for = values.get('waiting_for', '')[:MAX_LINE_LENGTH]
        known = [key for key in (CHANGE, JERK) if values.get(key, UNKNOWN) != UNKNOWN]
        for key in ('real_time_factor', 'missed_answers', BEYOND, NOT_FINITE, *known):
            try:
                self.counts[key] = counting(values[key])
            except (KeyError, ValueError) as error:
                self._health.refuse(DIAGNOSTICS, f'{key} of the world: {error}')


def counting(text: str) -> float:
    """Return the number that a text stands for.

    Raises:
        ValueError: It is none, not finite, or negative.
    """
    value = float(text)
    if not (math.isfinite(value) and value >= 0.0):
        raise ValueError(f'{text[:40]!r} must be finite and at least 0')
    return value
