"""Serialized messages of a bag, many at once, and the clock of the recorder that logged them.

A batch is a buffer and the start of each message in it. Messages lie in a file in the order in
which they came, so that the log times of a topic go up. Where those of most messages go back at
once, the clock was set: what came later is moved on by as much. If few topics go back, their
messages were written out of order, or bags were merged. A computer without a clock of its own
begins in 1970 until the network or GPS sets it: what came before is moved to the day on which it
was. Recorders compress whole files or single messages, both with zstd.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import zstandard
from numpy.typing import NDArray

from velocity_mobility_ros.core.cdr_readers import windows

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

CDR = 'cdr'


class Channel(NamedTuple):
    """A topic with its type, such as ``nav_msgs/msg/Odometry``, as one file of a bag declares it.

    The text of the definition is empty where the bag has none; its encoding is ``ros2msg`` or
    ``ros2idl``, the serialization ``cdr`` or something that cannot be read.
    """

    topic: str
    type: str
    definition: str = ''
    encoding: str = ''
    serialization: str = CDR


class MessageBatch(NamedTuple):
    """Messages of one channel, in the order of the file, (M,) each.

    They were ``logged`` by the recorder [ns]; ``starts`` and ``sizes`` [bytes] are those in the
    buffer, ``places`` those among all messages of the file, ascending.
    """

    channel: Channel
    logged: Integers
    buffer: Bytes
    starts: Integers
    sizes: Integers
    places: Integers


def batches_by_channel(
    channels: Mapping[int, Channel], numbers: Integers, logged: Integers, buffer: Bytes,
    starts: Integers, sizes: Integers, first: int,
) -> Iterator[MessageBatch]:  # fmt: skip
    """Iterate over messages side by side in a file, by the number of their channel, if known.

    ``first`` is the place of the first one among all messages of the file.
    """
    for number in np.unique(numbers).tolist():
        rows = np.flatnonzero(numbers == number)
        if number in channels:
            yield MessageBatch(
                channels[number], logged[rows], buffer, starts[rows], sizes[rows], first + rows
            )


def printable(name: str) -> str:
    """Return a name without the control characters that a damaged file has in it."""
    return name if name.isprintable() else ''.join(c if c.isprintable() else '?' for c in name)


def with_slash(topic: str) -> str:
    """Return a topic's name, printable, with the slash in front that some recorders leave out."""
    name = printable(topic)
    return name if name.startswith('/') else f'/{name}'


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
    topic: Any


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


class LogTimes(Protocol):
    """Times of the messages of a topic, see ``TopicTimes``."""

    places: Integers
    logged: Integers
    stamps: Integers


class RecorderClock:
    """The steps of the clock that the messages of a bag were logged by.

    Attributes:
        steps: In order.
    """

    def __init__(self, topics: Mapping[Any, LogTimes], files: Sequence[int]) -> None:
        """Find the steps; of each file the place of its first message is given."""
        self.steps: list[ClockStep] = []
        self._before = 0
        jumps = [jump for topic, times in topics.items() for jump in _jumps(topic, times, files)]
        if jumps:
            self._find_steps(sorted(jumps), topics)

    def _find_steps(self, waiting: list[_Jump], topics: Mapping[Any, LogTimes]) -> None:
        start = min((times.places[0], times.logged[0]) for times in topics.values())[1]
        total, moved = sum(len(times.logged) for times in topics.values()), 0
        while waiting:
            similar: dict[Any, _Jump] = {}
            for jump in waiting:
                if abs(jump.by - waiting[0].by) <= LEAST:
                    similar.setdefault(jump.topic, jump)
            is_step = sum(len(topics[topic].logged) for topic in similar) >= SHARE * total
            handled = [*similar.values()] if is_step else waiting[:1]
            if is_step:
                by = int(np.median([jump.by for jump in handled]))
                moved += by
                since = handled[0].logged + moved
                at = (since - int(start)) / SECOND
                self.steps.append(ClockStep(handled[0].place, since, moved, by / SECOND, at))
            waiting = [jump for jump in waiting if jump not in handled]
        if moved < 0:  # the dates after the last step are the right ones
            self._before = -moved
            self.steps = [
                step._replace(since=step.since - moved, moved=step.moved - moved)
                for step in self.steps
            ]

    def without_steps(self, times: LogTimes, none: int) -> tuple[Integers, Integers]:
        """Return log times and stamps [ns] of a topic without the steps.

        Stamps are moved like the log times if they are of the same clock. They are if messages
        come as late by them as before the step; for a topic that begins later, if they do not come
        late. ``none`` stands for no stamp.
        """
        stamps = times.stamps
        logged = times.logged + self._moved([step.place for step in self.steps], times.places)
        moved = self._moved([step.since for step in self.steps], logged)
        has = stamps != none
        late = logged - np.where(has, stamps, logged)
        before = has & (moved == 0)
        usual = int(np.median(late[before])) if before.any() else 0
        steps = has & (np.abs(late - moved - usual) < np.abs(late - usual))
        return logged, np.where(steps, stamps + moved, stamps)

    def problems(self) -> list[str]:
        """Return a line for every step."""
        return [
            f'the clock of the recorder jumps {"back" if step.by > 0 else "on"} by '
            f'{abs(step.by):.1f} s, {step.at:.1f} s after the first message: what came '
            f'{"later" if step.by > 0 else "before"} is moved on by that'
            for step in self.steps
        ]

    def _moved(self, edges: list[int], values: Integers) -> Integers:
        """Return the shift of log times [ns] after those steps whose edge has passed."""
        moved = np.array([self._before, *(step.moved for step in self.steps)], np.int64)
        return moved[np.searchsorted(edges, values, side='right')]


def _jumps(topic: Any, times: LogTimes, files: Sequence[int]) -> Iterator[_Jump]:
    """Iterate over the jumps at which log times go back for good, or on to real dates."""
    count = len(times.logged) - BEFORE - AFTER + 1
    if count < 1:
        return
    logged, file = times.logged, np.searchsorted(files, times.places, side='right')
    first, last = logged[:count], logged[BEFORE + AFTER - 1 :]
    suspects = (last < first - LEAST) | ((first < FIRST_REAL) & (last >= FIRST_REAL))
    suspects &= file[:count] == file[BEFORE + AFTER - 1 :]
    for i in (np.flatnonzero(suspects) + BEFORE).tolist():
        before, after = logged[i - BEFORE : i], logged[i : i + AFTER]
        is_back = after.max() < before.min() - LEAST
        is_on = before.max() < FIRST_REAL <= after.min()
        if is_back or is_on:
            usual = min(before[-1] - before[-2], after[1] - after[0])
            by = int(before[-1] - after[0] + max(0, usual))
            yield _Jump(int(times.places[i]), by, int(after[0]), topic)


ZSTD_MAGIC = b'\x28\xb5\x2f\xfd'
"""Magic number of zstd; an uncompressed message begins with a zero."""

BLOCK = 1 << 20
LARGEST_MESSAGE = 1 << 28
"""Maximum size in bytes; anything larger is not decompressed."""


def unpack_file(packed: Path, plain: Path) -> str:
    """Decompress a file as far as possible; return the problem with it, or nothing."""
    with packed.open('rb') as source, plain.open('wb') as target:
        unpacker = zstandard.ZstdDecompressor().decompressobj()
        while data := source.read(BLOCK):
            try:
                while data:
                    target.write(unpacker.decompress(data))
                    data = unpacker.unused_data if unpacker.eof else b''
                    if data:
                        unpacker = zstandard.ZstdDecompressor().decompressobj()
            except zstandard.ZstdError as error:
                return f'cannot be decompressed any further: {error}'
    return '' if unpacker.eof else 'its compressed data end too early'


def unpack_messages(batch: MessageBatch) -> tuple[MessageBatch, int]:
    """Return a batch with its messages decompressed, and how many could not be.

    A batch whose messages are not compressed is returned as it is.
    """
    long_enough = batch.starts[batch.sizes > len(ZSTD_MAGIC)]
    if not len(long_enough):
        return batch, 0
    heads = windows(batch.buffer, long_enough, len(ZSTD_MAGIC))
    if not (heads == np.frombuffer(ZSTD_MAGIC, np.uint8)).all(axis=1).any():
        return batch, 0
    rows, blobs = [], []
    for row, blob in enumerate(_unpack_batch(batch)):
        if blob is not None:
            rows.append(row)
            blobs.append(blob)
    sizes = np.array([len(blob) for blob in blobs], np.int64)
    buffer = np.frombuffer(b''.join(blobs) or b'\0', np.uint8)
    starts = np.cumsum(sizes) - sizes
    channel, logged, places = batch.channel, batch.logged[rows], batch.places[rows]
    unpacked = MessageBatch(channel, logged, buffer, starts, sizes, places)
    return unpacked, len(batch.starts) - len(rows)


def _unpack_batch(batch: MessageBatch) -> Iterator[bytes | None]:
    unpacker = zstandard.ZstdDecompressor()
    data = batch.buffer.tobytes()
    for start, size in zip(batch.starts.tolist(), batch.sizes.tolist(), strict=True):
        blob = data[start : start + size]
        yield _decompress(unpacker, blob) if blob.startswith(ZSTD_MAGIC) else blob


def _decompress(unpacker: Any, blob: bytes) -> bytes | None:
    try:
        size = zstandard.frame_content_size(blob)
        if size > LARGEST_MESSAGE:
            return None
        if size >= 0:
            return bytes(unpacker.decompress(blob))
        return bytes(unpacker.decompressobj().decompress(blob))
    except zstandard.ZstdError:
        return None
