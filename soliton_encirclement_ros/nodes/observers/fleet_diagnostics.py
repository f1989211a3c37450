"""Diagnostics of a fleet as its observers read them: the world, and each other.

The world tells the end of the run, missing members and its speed.

The other observer is the recorder, or the monitor.

Both say once a second how they are, and as their last words that they have ended. One that falls
silent without them has died.
"""

import math
import re
import time
from collections.abc import Iterator, Mapping

from diagnostic_msgs.msg import DiagnosticArray

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    BEYOND, CHANGE, JERK, NOT_FINITE
)
from soliton_encirclement_ros.core.states.swarm_topics import (
    BEGUN, DIAGNOSTICS, SIMULATION, WORLD, Fleet
)
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics, status_name

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
        start = values.get(BEGUN, '')
        self.is_waiting = start == UNKNOWN
        self.begun_ns = int(start) if STAMP.fullmatch(start) else None
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


ENDED = 'ended'
"""Key of whether a node has ended as it was asked to, in its diagnostics."""

OUTPUT = 'writes_to'
"""Key of the folder into which it writes: another one after a restart."""

MISSED = 4
"""Looks in a row, one per second, without a word. They are counted by looks, not by the clock, so
that one who was suspended does not take the others for dead."""

LEAST_LOOK = 0.5
"""Wall time [s] between two looks that count."""


class ObserverWatch:
    """Watches one observer from its first word on."""

    def __init__(self, fleet: Fleet, name: str, task: str, effect: str) -> None:
        """Begin without having heard it.

        Args:
            fleet: Its fleet.
            name: Name of its node.
            task: Task of its diagnostics.
            effect: What its death means, in words.
        """
        self.status = status_name(fleet.full_name(name), task)
        self._name, self._effect = name, effect
        self._output: str | None = None
        self._is_gone = self._has_ended = self._was_replaced = False
        self._missed, self._looked = 0, time.monotonic()

    @property
    def death(self) -> str:
        """Its death, in words: it is gone, or was until another one was started; or empty."""
        if self._is_gone:
            return f'the {self._name} has died, and was not started again'
        return f'the {self._name} had died, and was started again' if self._was_replaced else ''

    def take(self, message: DiagnosticArray) -> None:
        """Read a message; other statuses than that of the observer are ignored."""
        for status in message.status:
            if status.name == self.status:
                self._hear({pair.key: pair.value for pair in status.values})

    def _hear(self, values: Mapping[str, str]) -> None:
        output = values.get(OUTPUT, '')
        is_other = self._output is not None and output != self._output  # else it was only stuck
        self._was_replaced |= is_other and not self._has_ended
        self._output, self._missed, self._is_gone = output, 0, False
        self._has_ended = values.get(ENDED) == str(True)

    def conditions(self) -> Iterator[Condition]:
        """Iterate over the fault, if there is one; call it once a second."""
        now = time.monotonic()
        if now - self._looked >= LEAST_LOOK:
            self._looked = now
            self._missed += 1
        if self._output is None or self._has_ended or self._missed <= MISSED:
            return
        self._is_gone = True
        reason = (
            f'the {self._name} has died (no word of it for {MISSED} s): {self._effect}; start it '
            'again with the same command'
        )
        yield Condition(Level.ERROR, reason, self._name)
