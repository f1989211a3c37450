"""A file of a bag in sqlite3.

sqlite3 refuses a database whose end is missing, and no library for Python reads what is left of
it. A page of rows can be read by itself, without the tree above it, so that is done here: only
missing or overwritten pages are lost. A bag only ever grows, so a row found twice is the same.
"""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from urllib.parse import quote

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Channel, MessageBatch, batches_by_channel
)

MAGIC = b'SQLite format 3\0'

LEAF = 0x0D
"""First byte of a page that holds rows of a table."""

PAGE_HEAD, FILE_HEAD = 8, 100

LARGEST_ROW = 1 << 28

LARGEST_NUMBER = 1 << 63
"""Rows are numbered below it."""

NUMBER_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""Bytes of a number by its code; larger codes are those of texts and bytes."""

Row = tuple[Any, ...]
"""Number of a row, and its values."""


def rows(path: Path) -> Iterator[Row]:
    """Iterate over everything in a file that can be read as a row of some table."""
    with path.open('rb') as file:
        head = file.read(FILE_HEAD)
        size = int.from_bytes(head[16:18], 'big')
        size = 65536 if size == 1 else size if size in {1 << k for k in range(9, 16)} else 4096
        file.seek(size)
        while len(page := file.read(size)) >= PAGE_HEAD:
            following = file.tell()
            if page[0] == LEAF:
                yield from _page_rows(file, page, size)
            file.seek(following)


def _page_rows(file: BinaryIO, page: bytes, size: int) -> Iterator[Row]:
    count = min(int.from_bytes(page[3:5], 'big'), (size - PAGE_HEAD) // 2)
    for at in range(PAGE_HEAD, PAGE_HEAD + 2 * count, 2):
        start = int.from_bytes(page[at : at + 2], 'big')
        try:
            if start >= PAGE_HEAD + 2 * count:
                yield _row(file, page, start, size)
        except (ValueError, IndexError):
            continue  # a leaf of another table or a damaged row; the caller tells of the damage


def _row(file: BinaryIO, page: bytes, at: int, size: int) -> Row:
    """Return a row; what does not fit on its page is in a chain of pages behind.

    Raises:
        ValueError: The bytes are no row.
        IndexError: Neither.
    """
    length, at = _varint(page, at)
    number, at = _varint(page, at)
    if number >= LARGEST_NUMBER:
        raise ValueError('no number of a row')
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = length if length <= size - 35 else local if local <= size - 35 else least
    payload = page[at : at + local]
    following = int.from_bytes(page[at + local : at + local + 4], 'big')
    while len(payload) < length <= LARGEST_ROW and following > 1:
        file.seek((following - 1) * size)
        page = file.read(size)
        payload += page[4 : 4 + length - len(payload)]
        following = int.from_bytes(page[:4], 'big') if len(page) > 4 else 0
    if len(payload) != length:
        raise ValueError('part of a row')
    return number, *_values(payload)


def _values(payload: bytes) -> Iterator[Any]:
    head, at = _varint(payload, 0)
    codes = []
    while at < head:
        code, at = _varint(payload, at)
        codes.append(code)
    sizes = [NUMBER_SIZES[code] if code < 10 else (code - 12) // 2 for code in codes]
    if at != head or min(sizes, default=0) < 0 or at + sum(sizes) != len(payload):
        raise ValueError('no row')
    for code, size in zip(codes, sizes, strict=True):
        data, at = payload[at : at + size], at + size
        if code >= 12:
            yield data if code % 2 == 0 else data.decode()
        elif code in (0, 7):
            yield None
        else:
            yield code - 8 if code in (8, 9) else int.from_bytes(data, 'big', signed=True)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    value = 0
    for i in range(at, at + 8):
        value = value << 7 | data[i] & 0x7F
        if data[i] < 0x80:
            return value, i + 1
    return value << 8 | data[at + 8], at + 9


ROWS = 5000
MESSAGES = 'SELECT id, topic_id, timestamp, data FROM messages ORDER BY id'
DEFINITIONS = 'SELECT topic_type, encoding, encoded_message_definition FROM message_definitions'
LANGUAGES = ('ros2msg', 'ros2idl')
LARGEST_GAP = 1_000_000
"""Maximum number of missing messages in one place; a larger gap is a damaged number."""

SIDES = ('-wal', '-journal')
"""Files beside a database whose writer was killed."""


class SqliteFile:
    """One file."""

    def __init__(self, path: Path) -> None:
        """Name the file."""
        self._path, self._count = path, 0
        self._lines: list[str] = []
        self._channels: dict[int, Channel] = {}
        self._last = 0
        self._missing = self._damaged = self._undeclared = 0

    @property
    def problems(self) -> list[str]:
        """What could not be read so far, one line each."""
        counts = {
            'messages are missing, by their numbers': self._missing,
            'rows are damaged: left out': self._damaged,
            'messages of topics that are not declared: left out': self._undeclared,
        }
        lines = self._lines + [f'{count} {what}' for what, count in counts.items() if count]
        return [f'{self._path.name}: {line}' for line in lines]

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
                self._lines.append(f'cannot be opened: {" ".join(str(error).split())}')
                return
            try:
                query = "SELECT count(*) FROM sqlite_master WHERE name = 'message_definitions'"
                has_definitions = database.execute(query).fetchone()[0]
                self._channels = channels(
                    database.execute('SELECT id, name, type, serialization_format FROM topics'),
                    database.execute(DEFINITIONS) if has_definitions else (),
                )
                cursor = database.execute(MESSAGES)
                while rows := cursor.fetchmany(ROWS):
                    yield from self._batch(rows)
            except (sqlite3.Error, UnicodeDecodeError) as error:  # it quotes what is damaged
                self._lines.append(f'not all of it can be read: {" ".join(str(error).split())}')
                yield from self._rescue()
            finally:
                database.close()

    def _open(self, folder: Path) -> sqlite3.Connection:
        """Open the database; if a killed writer left other files, open a copy with them."""
        path, mode = self._path, 'mode=ro&immutable=1'
        side_files = [side for side in SIDES if Path(f'{path}{side}').is_file()]
        if side_files:
            path, mode = folder / 'copy', 'mode=rw'
            for side in ('', *side_files):
                shutil.copyfile(f'{self._path}{side}', f'{path}{side}')
        database = sqlite3.connect(f'file:{quote(str(path))}?{mode}', uri=True)
        database.text_factory = lambda data: data.decode(errors='replace')
        return database

    def _rescue(self) -> Iterator[MessageBatch]:
        """Read from single pages the messages after the last one that the database returned."""
        messages: dict[int, Row] = {}
        topics, definitions = [], []
        for row in rows(self._path):
            if len(row) < 5 or row[1] is not None:  # all tables begin with their number, as NULL
                continue
            number, _, *values = row
            if len(row) == 5 and number > self._last and _is_sound((number, *values)):
                messages.setdefault(number, (number, *values))
            elif isinstance(values[0], str) and values[1] in LANGUAGES:
                definitions.append(values[:3])
            elif isinstance(values[0], str) and isinstance(values[1], str) and '/' in values[1]:
                topics.append((number, *values[:3]))
        self._channels = self._channels or channels(topics, definitions)
        numbers = sorted(messages)
        for start in range(0, len(numbers), ROWS):
            yield from self._batch([messages[n] for n in numbers[start : start + ROWS]])

    def _batch(self, rows: list[Row]) -> Iterator[MessageBatch]:
        sound = [row for row in rows if _is_sound(row)]
        self._damaged += len(rows) - len(sound)
        if rows:
            self._count_missing([row[0] for row in rows])
        if not sound:
            return
        _, topics, times, blobs = zip(*sound, strict=True)
        buffer = np.frombuffer(b''.join(blobs) or b'\0', np.uint8)
        sizes = np.array([len(blob) for blob in blobs], np.int64)
        starts, logged = np.cumsum(sizes) - sizes, np.array(times, np.int64)
        topic_ids = np.array(topics, np.int64)
        first, self._count = self._count, self._count + len(sound)
        self._undeclared += np.count_nonzero(~np.isin(topic_ids, list(self._channels)))
        yield from batches_by_channel(
            self._channels, topic_ids, logged, buffer, starts, sizes, first
        )

    def _count_missing(self, numbers: list[int]) -> None:
        """Recorders number messages from 1 without a gap; a number far off is invalid."""
        known = np.array([self._last, *numbers], np.int64)
        known = known[known <= self._last + LARGEST_GAP]
        steps = np.diff(np.maximum.accumulate(known))
        self._missing += int(np.maximum(steps - 1, 0).sum())
        self._last = int(known.max())


def _is_sound(row: Row) -> bool:
    _, topic, time, data = row
    return isinstance(topic, int) and isinstance(time, int) and isinstance(data, bytes)


def channels(topics: Iterable[Row], definitions: Iterable[Any]) -> dict[int, Channel]:
    """Return the channels of a file.

    A topic is number, name, type and serialization, a definition type, language and text.
    """
    texts = {kind: (str(text), str(language)) for kind, language, text in definitions}
    return {
        number: Channel(name, kind, *texts.get(kind, ('', '')), str(form))
        for number, name, kind, form in topics
        if isinstance(name, str) and isinstance(kind, str) and name
    }
