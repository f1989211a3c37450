"""Resynchronisation of an mcap file after invalid bytes."""

import re

from soliton_encirclement_ros.analysis.bag.storage import mcap_records as records
from soliton_encirclement_ros.analysis.bag.storage.mcap_records import RECORD, RecordError

CANDIDATE = re.compile(rb'(?=[\x01-\x0f].{4}\x00{4})', re.DOTALL)
"""Possible start of a record of less than 4 GB."""

IN_A_ROW = 3
"""Number of consecutive records that cannot be valid by chance."""

PARSERS = {
    records.SCHEMA: records.schema,
    records.CHANNEL: records.channel,
    records.CHUNK: records.chunk,
    records.INDEX: records.index,
    records.STATISTICS: records.statistics,
}
SMALLEST_MESSAGE = 22 + 4
"""A message's numbers, and what announces its encoding."""


def next_record(data: bytes, at: int) -> int:
    """Return the start of the next valid records, or the end."""
    for match in CANDIDATE.finditer(data, at):
        if _is_row(data, match.start()):
            return match.start()
    return len(data)


def _is_row(data: bytes, at: int) -> bool:
    for i in range(IN_A_ROW):
        if i and at == len(data):
            return True
        if at + RECORD.size > len(data):
            return False
        opcode, size = RECORD.unpack_from(data, at)
        following = at + RECORD.size + size
        if following > len(data) or not is_sound(opcode, data[at + RECORD.size : following]):
            return False
        at = following
    return True


def is_sound(opcode: int, data: bytes) -> bool:
    """Return whether the content of a record fits its opcode."""
    if opcode == records.MESSAGE:
        return len(data) >= SMALLEST_MESSAGE
    try:
        if opcode in PARSERS:
            PARSERS[opcode](data)
        else:
            records.pass_over(opcode, data)
    except RecordError:
        return False
    return True
