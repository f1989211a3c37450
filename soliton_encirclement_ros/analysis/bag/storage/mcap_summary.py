"""The records at the end of an mcap file, which repeat earlier declarations."""

import struct
from collections.abc import Iterator
from typing import BinaryIO

from soliton_encirclement_ros.analysis.bag.storage import mcap_records as records
from soliton_encirclement_ros.analysis.bag.storage.mcap_records import RECORD

END = struct.Struct('<BQQQI8s')
"""The footer, and the magic behind it."""

LARGEST = 1 << 28
"""Maximum bytes of a valid summary."""


def summary(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """Iterate over opcodes and contents of the summary, as far as it is valid."""
    if size < END.size:
        return
    file.seek(size - END.size)
    opcode, length, start, _, _, magic = END.unpack(file.read(END.size))
    sane = opcode == records.FOOTER and length == 20 and magic == records.MAGIC
    if not sane or not max(0, size - LARGEST) < start < size:
        return
    file.seek(start)
    data, at = file.read(size - start - END.size), 0
    while at + RECORD.size <= len(data):
        opcode, length = RECORD.unpack_from(data, at)
        following = at + RECORD.size + length
        if following > len(data):
            return
        yield opcode, data[at + RECORD.size : following]
        at = following
