"""Positions in serialized messages: CDR, the encoding of ROS 2.

Values stand at multiples of their size, counted from behind the four bytes that name the encoding.
What is skipped for that may hold anything.
"""

import struct

ORIGIN = 4
"""Where the message begins, and alignment counts from; the bytes before it name the encoding."""

LITTLE_ENDIAN = 1

STAMP_SIZE = 8
"""Bytes of a stamp: seconds and nanoseconds."""

BILLION = 1_000_000_000


def is_plain(data: bytes) -> bool:
    """Return whether a message is announced as CDR, in either byte order."""
    return len(data) >= ORIGIN and data[0] == 0 and data[1] <= LITTLE_ENDIAN


def byte_order(data: bytes) -> str:
    """Return the byte order of a message, as ``struct`` and numpy name it."""
    return '<' if data[1] & LITTLE_ENDIAN else '>'


def first_stamp_ns(data: bytes) -> int:
    """Return the stamp [ns] that a message begins with.

    Raises:
        struct.error: The message ends before.
    """
    seconds, nanoseconds = struct.unpack_from(f'{byte_order(data)}iI', data, ORIGIN)
    return int(seconds) * BILLION + int(nanoseconds)


def first_nanosec(data: bytes) -> int:
    """Return the nanoseconds [ns] of the stamp that a message begins with; sound below a second.

    Raises:
        struct.error: The message ends before.
    """
    (nanoseconds,) = _NANOSEC[data[1] & LITTLE_ENDIAN].unpack_from(data, ORIGIN + 4)
    return int(nanoseconds)


_NANOSEC = struct.Struct('>I'), struct.Struct('<I')
"""By byte order, as the message names it."""


class CdrCursor:
    """A position in a message that is plain."""

    def __init__(self, data: bytes, at: int = ORIGIN) -> None:
        """Begin at a position."""
        self.data = data
        self.at = at
        self.order = byte_order(data)

    def align(self, size: int) -> int:
        """Go to where a value of a size [bytes] stands; return how many bytes were skipped."""
        skipped = (ORIGIN - self.at) % size
        self.at += skipped
        return skipped

    def length(self) -> int:
        """Read the length of a text or a list and go past it.

        Raises:
            struct.error: The message ends before.
        """
        self.align(4)
        (length,) = struct.unpack_from(f'{self.order}I', self.data, self.at)
        self.at += 4
        return int(length)
