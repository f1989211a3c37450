"""Serialized messages of a bag, many at once, and the clock of the recorder that logged them.

A batch is a buffer and the start of each message in it. Messages lie in a file in the order in
which they came, so that the log times of a topic go up. Where those of most messages go back at
once, the clock was set: what came later is moved on by as much. If few topics go back, their
messages were written out of order, or bags were merged. A computer without a clock of its own
begins in 1970 until the network or GPS sets it: what came before is moved to the day on which it
was.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

CDR = 'cdr'
"""The only supported serialization."""


class Channel(NamedTuple):
    """A topic as one file of a bag declares it.

    Attributes:
        topic: With its slashes.
        type: As ``nav_msgs/msg/Odometry``.
        definition: Text of the type's definition, empty where the bag has none.
        encoding: ``ros2msg`` or ``ros2idl``: the language of that text.
        serialization: ``cdr``, or something that cannot be read.
    """

    topic: str
    type: str
    definition: str = ''
    encoding: str = ''
    serialization: str = CDR


class MessageBatch(NamedTuple):
    """Messages of one channel, in the order of the file.

    Attributes:
        channel: Whose messages.
        logged: Reception times of the recorder [ns], (M,).
        buffer: Buffer that contains them.
        starts: Where each begins in the buffer, (M,).
        sizes: Bytes of each, (M,).
    """

    channel: Channel
    logged: Integers
    buffer: Bytes
    starts: Integers
    sizes: Integers


class Storage(Protocol):
    """A file of a bag.

    Attributes:
        problems: What could not be read so far, one line each.
        declared: Names and types of its topics, also of those without messages, once it is read.
    """

    @property
    def problems(self) -> list[str]:
        """Return the lines."""

    @property
    def declared(self) -> set[tuple[str, str]]:
        """Return the topics."""

    def batches(self) -> Iterator[MessageBatch]:
        """Iterate over all complete messages; incomplete ones become problems."""


def rooted(topic: str) -> str:
    """Return a topic's name with the slash in front that some recorders leave out."""
    return topic if topic.startswith('/') else f'/{topic}'


SECOND = 1_000_000_000
LEAST = SECOND // 4
"""Messages may come out of order by this [ns]; a step is more, by a few messages of a topic."""

FIRST_REAL = 300_000_000 * SECOND
"""Times [ns] before this (1979) are no dates: they count from a boot or are simulated."""

SHARE = 0.5
"""Least share of all messages whose topics go back."""

BEFORE, AFTER = 3, 2
"""Messages of a topic around a step that must all be on its sides: single ones may be wrong."""


class _Jump(NamedTuple):
    """Where the log times of a topic go back, and by how much [ns]; below 0: they go on."""

    place: int
    by: int
    logged: int
    topic: str


class ClockStep(NamedTuple):
    """A step of the clock.

    Attributes:
        place: The first message after it, counted from 0 in the bag.
        since: New log time of that message [ns].
        moved: What is added to log times from there on [ns], for the steps before as well.
        by: How far back the clock was set [s], below 0 if it was set on.
        at: When it was, after the first message of the bag [s].
    """

    place: int
    since: int
    moved: int
    by: float
    at: float


class RecorderClock:
    """Log times of a bag; it is read once to find steps, and once more to mend them.

    Attributes:
        steps: Those that were found, in order.
    """

    def __init__(self) -> None:
        """Know of no step."""
        self.steps: list[ClockStep] = []
        self._before = 0
        self.rewind()

    def rewind(self) -> None:
        """Begin to read the bag, anew."""
        self._read = 0
        self._first: tuple[int, int] | None = None
        self._carried: dict[str, Integers] = {}
        self._counts: Counter[str] = Counter()
        self._usual: dict[str, int] = {}
        self._jumps: list[_Jump] = []

    def begin_file(self) -> None:
        """Expect no order between the messages so far and those of another file."""
        self._carried.clear()

    def begin_block(self, count: int) -> int:
        """Return the place of the first of so many messages in the bag."""
        place, self._read = self._read, self._read + count
        return place

    def mended(self, topic: str, places: Integers, logged: Integers) -> Integers:
        """Return the log times [ns] of messages of a topic without the known steps.

        Args:
            topic: Its name.
            places: Where they lie among all messages of the bag, ascending, (M,).
            logged: Their log times [ns], (M,).
        """
        if self.steps:
            return logged + self._moved([step.place for step in self.steps], places)
        self._look(topic, places, logged)
        return logged

    def with_steps(self, topic: str, logged: Integers, stamps: Integers, none: int) -> Integers:
        """Return stamps [ns], moved like the log times if they are of the same clock.

        They are if messages come as late by them as before the step; for a topic that begins
        later, if they do not come late.

        Args:
            topic: The topic of the messages.
            logged: Their mended log times [ns], (M,).
            stamps: What they say, (M,).
            none: Stands for no stamp.
        """
        if not self.steps:
            return stamps
        moved = self._moved([step.since for step in self.steps], logged)
        has = stamps != none
        late = logged - np.where(has, stamps, logged)
        if topic not in self._usual and (has & (moved == 0)).any():
            self._usual[topic] = int(np.median(late[has & (moved == 0)]))
        usual = self._usual.get(topic, 0)
        steps = has & (np.abs(late - moved - usual) < np.abs(late - usual))
        return np.where(steps, stamps + moved, stamps)

    def find_steps(self) -> bool:
        """Return whether the clock was set, once all messages were read."""
        waiting, moved, everything = sorted(self._jumps), 0, sum(self._counts.values())
        while waiting:
            alike: dict[str, _Jump] = {}
            for jump in waiting:
                if abs(jump.by - waiting[0].by) <= LEAST:
                    alike.setdefault(jump.topic, jump)
            is_step = sum(self._counts[topic] for topic in alike) >= SHARE * everything
            gone = [*alike.values()] if is_step else waiting[:1]
            if is_step:
                by = int(np.median([jump.by for jump in gone]))
                moved += by
                since = gone[0].logged + moved
                at = (since - self._first[1]) / SECOND
                self.steps.append(ClockStep(gone[0].place, since, moved, by / SECOND, at))
            waiting = [jump for jump in waiting if jump not in gone]
        if moved < 0:  # the dates after the last step are the right ones
            self._before = -moved
            self.steps = [
                step._replace(since=step.since - moved, moved=step.moved - moved)
                for step in self.steps
            ]
        return bool(self.steps)

    def problems(self) -> list[str]:
        """Return a line for every step."""
        return [
            f'the clock of the recorder jumps {"back" if step.by > 0 else "on"} by '
            f'{abs(step.by):.1f} s, {step.at:.1f} s after the first message: what came '
            f'{"later" if step.by > 0 else "before"} is moved on by that'
            for step in self.steps
        ]

    def _moved(self, edges: list[int], values: Integers) -> Integers:
        """Return what is added to log times [ns] after those steps whose edge has come."""
        moved = np.array([self._before, *(step.moved for step in self.steps)], np.int64)
        return moved[np.searchsorted(edges, values, side='right')]

    def _look(self, topic: str, places: Integers, logged: Integers) -> None:
        """Note where the log times of a topic go back for good, or on from what is no date."""
        self._counts[topic] += len(logged)
        if self._first is None or places[0] < self._first[0]:
            self._first = int(places[0]), int(logged[0])
        rows = np.stack([places, logged])
        if topic in self._carried:
            rows = np.concatenate([self._carried[topic], rows], axis=1)
        self._carried[topic] = rows[:, 1 - BEFORE - AFTER :]
        count = rows.shape[1] - BEFORE - AFTER + 1
        if count < 1:
            return
        times = rows[1]
        before = np.stack([times[k : k + count] for k in range(BEFORE)])
        after = np.stack([times[BEFORE + k : BEFORE + k + count] for k in range(AFTER)])
        is_back = after.max(0) < before.min(0) - LEAST
        is_on = (before.max(0) < FIRST_REAL) & (after.min(0) >= FIRST_REAL)
        for i in (np.flatnonzero(is_back | is_on) + BEFORE).tolist():
            usual = min(times[i - 1] - times[i - 2], times[i + 1] - times[i])
            by = int(times[i - 1] - times[i] + max(0, usual))
            self._jumps.append(_Jump(int(rows[0, i]), by, int(times[i]), topic))
