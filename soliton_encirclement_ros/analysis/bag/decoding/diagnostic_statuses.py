"""Statuses of nodes while a bag was recorded, from ``/diagnostics``.

Every node repeats its status once a second; what it repeats word for word is kept once.
"""

import struct
from collections.abc import Callable, Iterator

import numpy as np
from velocity_mobility_ros.core.cdr import STAMP_SIZE, CdrCursor, is_plain

from soliton_encirclement_ros.analysis.bag.assembly.clocks import SECOND, Clock
from soliton_encirclement_ros.analysis.bag.decoding.serialized_status import (
    read_count,
    read_status,
    read_text,
)
from soliton_encirclement_ros.analysis.bag.decoding.stop_orders import DIAGNOSTIC_ARRAY
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.recording import StatusReport
from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS

MAX_STATUSES = 100_000
"""Maximum number of statuses that are kept."""

Status = tuple[str, int, str]
"""Name, level and message."""


def is_diagnostics(topic: str, type_name: str) -> bool:
    """Return whether a topic carries the statuses of nodes."""
    return type_name == DIAGNOSTIC_ARRAY and topic == DIAGNOSTICS


class DiagnosticStatuses:
    """Takes all messages of the topic."""

    def __init__(self) -> None:
        """Begin with none."""
        self._last: dict[str, tuple[int, str]] = {}
        self._found: list[tuple[int, Status]] = []
        self._messages = self._odd = 0
        self._is_full = False

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        for logged, start, size in zip(batch.logged, batch.starts, batch.sizes, strict=True):
            self._messages += 1
            try:
                for status in statuses_in(batch.buffer[start : start + size].tobytes()):
                    self._keep(int(logged), status)
            except (struct.error, UnicodeDecodeError):
                self._odd += 1

    def problems(self) -> list[str]:
        """Return a line for what was left out."""
        found = []
        if self._odd:
            found.append(
                f'{DIAGNOSTICS}: {self._odd} of {self._messages} messages are damaged: left out'
            )
        if self._is_full:
            found.append(f'{DIAGNOSTICS}: only the first {MAX_STATUSES} changes are read')
        return found

    def reports(
        self, clock: Clock, start_ns: int, wanted: Callable[[str], bool]
    ) -> tuple[StatusReport, ...]:
        """Return the statuses in order of time.

        Args:
            clock: The clock of the recording.
            start_ns: Its time 0 [ns].
            wanted: Returns whether a node, by its full name, is of the fleet in question.
        """
        found = sorted(
            ((at, one) for at, one in self._found if wanted(f'/{one[0].partition(": ")[0]}')),
            key=lambda pair: pair[0],
        )
        seen = clock.of_logged(np.array([at for at, _ in found], np.int64))
        times = ((seen - start_ns) / SECOND).tolist()
        return tuple(
            StatusReport(time, *status) for time, (_, status) in zip(times, found, strict=True)
        )

    def _keep(self, logged: int, status: Status) -> None:
        name, *said = status
        if self._last.get(name) == tuple(said):
            return
        if len(self._found) >= MAX_STATUSES:
            self._is_full = True
            return
        self._last[name] = tuple(said)
        self._found.append((logged, status))


def statuses_in(data: bytes) -> Iterator[Status]:
    """Iterate over the statuses of a serialized ``DiagnosticArray``.

    Raises:
        struct.error: The bytes are no such message.
        UnicodeDecodeError: Neither, or not in UTF-8.
    """
    if not is_plain(data):
        raise struct.error('not announced as CDR')
    cursor = CdrCursor(data)
    cursor.at += STAMP_SIZE
    read_text(cursor)
    for _ in range(read_count(cursor)):
        status = read_status(cursor)
        yield status.name, status.level, status.message
