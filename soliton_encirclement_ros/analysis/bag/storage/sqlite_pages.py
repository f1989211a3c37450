"""Rows of a damaged sqlite3 database, read from its pages without the tree above them.

A page of rows can be read by itself, so only missing or overwritten pages are lost.
A bag only ever grows, so a row that is found twice is the same.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

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
