"""A file of a bag in sqlite3, row by row; where the database is damaged, on to the next row."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import numpy as np

from soliton_encirclement_ros.analysis.bag.raw import Batch, Channel

MAGIC = b'SQLite format 3\0'
ROWS = 5000
"""Messages that are taken at once."""

SMALLEST = -(2**63)
"""No row has a smaller number."""

FARTHEST = 1 << 40
"""Rows beyond a damage among which the next sound one is looked for."""

SIDES = ('-wal', '-journal')
"""Files beside a database whose writer was killed."""

Row = tuple[Any, Any, Any, Any]
"""Number, topic, time and bytes of a message; in a damaged database any of these may be odd."""


class SqliteFile:
    """One file."""

    def __init__(self, path: Path) -> None:
        """Name the file."""
        self._path = path
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

    def batches(self) -> Iterator[Batch]:
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
            finally:
                database.close()

    def _open(self, folder: Path) -> sqlite3.Connection:
        """Open the database; with what a killed writer has left, in a copy."""
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
        definitions = {
            name: (text, encoding)
            for name, encoding, text in self._try(
                database,
                'SELECT topic_type, encoding, encoded_message_definition FROM message_definitions',
                lambda error: 'no such table' not in error,
            )
        }
        rows = self._try(database, 'SELECT id, name, type, serialization_format FROM topics')
        return {
            number: Channel(name, kind, *map(str, definitions.get(kind, ('', ''))), form)
            for number, name, kind, form in rows
            if isinstance(name, str) and isinstance(kind, str) and name.startswith('/')
        }

    def _try(
        self,
        database: sqlite3.Connection,
        query: str,
        matters: Callable[[str], bool] = lambda error: True,
    ) -> list[Any]:
        """Return the rows of a query up to the first that cannot be read."""
        rows: list[Any] = []
        try:
            rows.extend(database.execute(query))
        except sqlite3.Error as error:
            if matters(str(error)):
                self._found.append(f'not all of it can be read: {error}')
        return rows

    def _read(self, database: sqlite3.Connection) -> Iterator[Batch]:
        query = 'SELECT id, topic_id, timestamp, data FROM messages WHERE id >= ? ORDER BY id'
        start: int | None = SMALLEST
        while start is not None:
            rows: list[Row] = []
            try:
                for row in database.execute(query, (start,)):
                    rows.append(row)
                    if len(rows) >= ROWS:
                        yield from self._batch(rows)
                        rows = []
                start = None
            except sqlite3.Error as error:
                line = f'not all of it can be read: {error}'
                if line not in self._found:
                    self._found.append(line)
                last = max([self._last, *(row[0] for row in rows)])
                start = _next_sound(database, last)
            yield from self._batch(rows)

    def _batch(self, rows: list[Row]) -> Iterator[Batch]:
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
        whose = np.array(topics, np.int64)
        for number in np.unique(whose).tolist():
            mine = np.flatnonzero(whose == number)
            if number in self._channels:
                channel = self._channels[number]
                yield Batch(channel, logged[mine], buffer, starts[mine], sizes[mine])
            else:
                self._homeless += len(mine)

    def _count_missing(self, numbers: list[int]) -> None:
        """Recorders number messages from 1 without a gap."""
        known = np.array([self._last, *numbers], np.int64)
        steps = np.diff(known)
        self._missing += int(np.maximum(steps - 1, 0).sum())
        self._last = int(known.max())


def _is_filled(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _is_sound(row: Row) -> bool:
    _, topic, time, data = row
    return isinstance(topic, int) and isinstance(time, int) and isinstance(data, bytes)


def _next_sound(database: sqlite3.Connection, last: int) -> int | None:
    """Return the number of the first row behind a damage that can be read, None for none."""
    step = 1
    while step < FARTHEST:
        found = _first(database, last + 1 + step)
        if found is not None:
            return found if found >= 0 else None
        step *= 2
    return None


def _first(database: sqlite3.Connection, number: int) -> int | None:
    """Return the number of the first row from one on; -1 if there is none, None if damaged."""
    query = 'SELECT id, data FROM messages WHERE id >= ? ORDER BY id LIMIT 1'
    try:
        row = database.execute(query, (number,)).fetchone()
    except sqlite3.Error:
        return None
    return -1 if row is None else int(row[0])
