"""A file of a bag in sqlite3; where the database is damaged, page by page.

A page of rows can be read by itself, without the tree above it, so only missing or overwritten
pages are lost. A bag only ever grows, so a row that is found twice is the same.
"""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Channel,
    MessageBatch,
    RecorderClock,
)

LEAF = 0x0D
"""First byte of a page that holds rows of a table."""

PAGE_HEAD = 8
FILE_HEAD = 100
USUAL_PAGE = 4096
LARGEST_ROW = 1 << 28
"""Maximum bytes of a valid row."""

WHOLE_SIZES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes of a value by its code; larger codes are those of texts and bytes."""

Value = int | str | bytes | None


class SqliteRow(NamedTuple):
    """A row of some table."""

    number: int
    values: tuple[Value, ...]


class OddPageError(ValueError):
    """Bytes that are not a row."""


def rows(path: Path) -> Iterator[SqliteRow]:
    """Iterate over everything in a file that can be read as a row of some table."""
    with path.open('rb') as file:
        head = file.read(FILE_HEAD)
        stored = int.from_bytes(head[16:18], 'big')
        size = 65536 if stored == 1 else stored
        size = size if size in {1 << power for power in range(9, 17)} else USUAL_PAGE
        reserved = head[20] if len(head) > 20 and head[20] < 64 else 0
        at = size
        while True:
            file.seek(at)
            page = file.read(size)
            if len(page) < PAGE_HEAD:
                return
            if page[0] == LEAF:
                yield from _page_rows(file, page, size, size - reserved)
            at += size


def _page_rows(file: BinaryIO, page: bytes, size: int, usable: int) -> Iterator[SqliteRow]:
    count = int.from_bytes(page[3:5], 'big')
    for i in range(min(count, (size - PAGE_HEAD) // 2)):
        start = int.from_bytes(page[PAGE_HEAD + 2 * i : PAGE_HEAD + 2 * i + 2], 'big')
        try:
            if start >= PAGE_HEAD + 2 * count:
                yield _row(file, page, start, size, usable)
        except (OddPageError, IndexError, UnicodeDecodeError):
            continue  # a leaf of another table or a damaged row; the caller tells of the damage


def _row(file: BinaryIO, page: bytes, at: int, size: int, usable: int) -> SqliteRow:
    length, at = _varint(page, at)
    number, at = _varint(page, at)
    if length > LARGEST_ROW:
        raise OddPageError
    here = _local(length, usable)
    payload = page[at : at + here]
    if here < length:
        following = int.from_bytes(page[at + here : at + here + 4], 'big')
        payload += _overflow(file, following, length - here, size, usable)
    if len(payload) != length:
        raise OddPageError
    return SqliteRow(number, tuple(_values(payload)))


def _local(length: int, usable: int) -> int:
    """Return the number of bytes of a row on its own page."""
    if length <= usable - 35:
        return length
    least = (usable - 12) * 32 // 255 - 23
    here = least + (length - least) % (usable - 4)
    return here if here <= usable - 35 else least


def _overflow(file: BinaryIO, page_number: int, wanted: int, size: int, usable: int) -> bytes:
    """Return the rest of a row from the chain of pages behind."""
    parts = []
    while wanted > 0:
        if page_number < 2:
            raise OddPageError
        file.seek((page_number - 1) * size)
        page = file.read(size)
        part = page[4 : min(usable, 4 + wanted)]
        if not part:
            raise OddPageError
        parts.append(part)
        wanted -= len(part)
        page_number = int.from_bytes(page[:4], 'big')
    return b''.join(parts)


def _values(payload: bytes) -> Iterator[Value]:
    head, at = _varint(payload, 0)
    codes = []
    while at < head:
        code, at = _varint(payload, at)
        codes.append(code)
    if at != head:
        raise OddPageError
    for code in codes:
        size = WHOLE_SIZES.get(code, (code - 12) // 2)
        if size < 0 or at + size > len(payload):
            raise OddPageError
        yield _value(code, payload[at : at + size])
        at += size
    if at != len(payload):
        raise OddPageError


def _value(code: int, data: bytes) -> Value:
    if code in (0, 7):
        return None
    if code in (8, 9):
        return code - 8
    if code < 12:
        return int.from_bytes(data, 'big', signed=True)
    return data if code % 2 == 0 else data.decode()


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    value = 0
    for i in range(9):
        byte = data[at + i]
        if i == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + i + 1
    raise OddPageError


MAGIC = b'SQLite format 3\0'
ROWS = 5000
"""Messages that are read at once."""

DEFINITIONS = 'SELECT topic_type, encoding, encoded_message_definition FROM message_definitions'
LANGUAGES = ('ros2msg', 'ros2idl')
"""What definitions of types are written in."""

LARGEST_GAP = 1_000_000
"""Maximum number of missing messages in one place; a larger gap is a damaged number."""

SIDES = ('-wal', '-journal')
"""Files beside a database whose writer was killed."""

Row = tuple[Any, Any, Any, Any]
"""Number, topic, time and bytes of a message; in a damaged database any of these may be odd."""


class SqliteFile:
    """One file."""

    def __init__(self, path: Path, clock: RecorderClock) -> None:
        """Name the file, and the clock of the recorder."""
        self._path, self._clock = path, clock
        self._name = path.name
        self._found: list[str] = []
        self._channels: dict[int, Channel] = {}
        self._last = 0
        self._missing = self._odd = self._homeless = 0

    @property
    def problems(self) -> list[str]:
        """What could not be read so far, one line each."""
        counts = {
            'messages are missing, by their numbers': self._missing,
            'rows are damaged: left out': self._odd,
            'messages of topics that are not declared: left out': self._homeless,
        }
        lines = self._found + [f'{count} {what}' for what, count in counts.items() if count]
        return [f'{self._name}: {line}' for line in lines]

    @property
    def declared(self) -> set[tuple[str, str]]:
        """Names and types of its topics, once it is read."""
        return {(channel.topic, channel.type) for channel in self._channels.values()}

    def batches(self) -> Iterator[MessageBatch]:
        """Iterate over everything that can be read."""
        with TemporaryDirectory() as folder:
            try:
                database = self._open(Path(folder))
            except (sqlite3.Error, OSError) as error:
                self._found.append(f'cannot be opened: {error}')
                return
            try:
                self._channels = self._topics(database)
                yield from self._read(database)
            except sqlite3.Error as error:
                self._found.append(f'not all of it can be read: {error}')
                yield from self._rescue()
            finally:
                database.close()

    def _open(self, folder: Path) -> sqlite3.Connection:
        """Open the database; if a killed writer left other files, open a copy with them."""
        path, mode = self._path, 'mode=ro&immutable=1'
        left = [side for side in SIDES if _is_filled(Path(f'{path}{side}'))]
        if left:
            copied = folder / 'copy'
            shutil.copyfile(path, copied)
            for side in left:
                shutil.copyfile(f'{path}{side}', f'{copied}{side}')
            path, mode = copied, 'mode=rw'
        database = sqlite3.connect(f'file:{quote(str(path))}?{mode}', uri=True)
        database.text_factory = lambda data: data.decode(errors='replace')
        return database

    def _topics(self, database: sqlite3.Connection) -> dict[int, Channel]:
        return channels(
            database.execute('SELECT id, name, type, serialization_format FROM topics'),
            database.execute(DEFINITIONS) if _has(database, 'message_definitions') else (),
        )

    def _read(self, database: sqlite3.Connection) -> Iterator[MessageBatch]:
        rows: list[Row] = []
        query = 'SELECT id, topic_id, timestamp, data FROM messages ORDER BY id'
        try:
            for row in database.execute(query):
                rows.append(row)
                if len(rows) >= ROWS:
                    yield from self._batch(rows)
                    rows = []
        except sqlite3.Error:
            yield from self._batch(rows)
            raise
        yield from self._batch(rows)

    def _rescue(self) -> Iterator[MessageBatch]:
        """Read from single pages the messages after the last one that the database returned."""
        found = _Found(self._path, self._last)
        self._channels = self._channels or channels(found.topics, found.definitions)
        numbers = sorted(found.messages)
        for start in range(0, len(numbers), ROWS):
            yield from self._batch([found.messages[n] for n in numbers[start : start + ROWS]])

    def _batch(self, rows: list[Row]) -> Iterator[MessageBatch]:
        sound = [row for row in rows if _is_sound(row)]
        self._odd += len(rows) - len(sound)
        if rows:
            self._count_missing([row[0] for row in rows])
        if not sound:
            return
        _, topics, times, blobs = zip(*sound, strict=True)
        buffer = np.frombuffer(b''.join(blobs) or b'\0', np.uint8)
        sizes = np.array([len(blob) for blob in blobs], np.int64)
        starts, logged = np.cumsum(sizes) - sizes, np.array(times, np.int64)
        whose, begun = np.array(topics, np.int64), self._clock.begin_block(len(sound))
        for number in np.unique(whose).tolist():
            mine = np.flatnonzero(whose == number)
            if number in self._channels:
                channel = self._channels[number]
                times = self._clock.mended(channel.topic, begun + mine, logged[mine])
                yield MessageBatch(channel, times, buffer, starts[mine], sizes[mine])
            else:
                self._homeless += len(mine)

    def _count_missing(self, numbers: list[int]) -> None:
        """Recorders number messages from 1 without a gap; a number far off is invalid."""
        known = np.array([self._last, *numbers], np.int64)
        known = known[known <= self._last + LARGEST_GAP]
        steps = np.diff(np.maximum.accumulate(known))
        self._missing += int(np.maximum(steps - 1, 0).sum())
        self._last = int(known.max())


def _is_filled(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _is_sound(row: Row) -> bool:
    _, topic, time, data = row
    return isinstance(topic, int) and isinstance(time, int) and isinstance(data, bytes)


def _has(database: sqlite3.Connection, table: str) -> bool:
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return bool(database.execute(query, (table,)).fetchone()[0])


def channels(topics: Iterable[Row], definitions: Iterable[Any]) -> dict[int, Channel]:
    """Return the channels of a file.

    Args:
        topics: Number, name, type and serialization of each.
        definitions: Type, language and text of each.
    """
    texts = {kind: (str(text), str(language)) for kind, language, text in definitions}
    return {
        number: Channel(name, kind, *texts.get(kind, ('', '')), str(form))
        for number, name, kind, form in topics
        if isinstance(name, str) and isinstance(kind, str) and name
    }


class _Found:
    """Rows of a damaged file, identified by their content."""

    def __init__(self, path: Path, after: int) -> None:
        self.messages: dict[int, Row] = {}
        self.topics: list[Row] = []
        self.definitions: list[tuple[str, str, str]] = []
        for number, values in rows(path):
            if len(values) < 4 or values[0] is not None:
                continue
            first, second, third = values[1:4]
            if len(values) == 4 and number > after and _is_sound((number, *values[1:])):
                self.messages.setdefault(number, (number, first, second, third))
            elif isinstance(first, str) and isinstance(second, str):
                if second in LANGUAGES:
                    self.definitions.append((first, second, str(third)))
                elif '/' in second:
                    self.topics.append((number, first, second, third))
