"""Serialized messages that are damaged: cut, changed, with huge lengths or other encodings."""

import random
import struct

ENCODINGS = (0x0000, 0x0001, 0x0002, 0x0003, 0x0006, 0x0007, 0x000A, 0x1234, 0xFFFF)
LENGTHS = (0, 1, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 1)


def damaged(draw: random.Random, data: bytes) -> bytes:
    """Return a damaged copy of a message; now and then it may still be sound."""
    kind = draw.randrange(5)
    if kind == 0:
        return data[: draw.randrange(len(data))]
    copy = bytearray(data)
    if kind == 1:
        for _ in range(draw.randrange(1, 20)):
            copy[draw.randrange(len(copy))] = draw.randrange(256)
    elif kind == 2:
        at = 4 * draw.randrange(1, len(copy) // 4)
        copy[at : at + 4] = struct.pack('<I', draw.choice(LENGTHS))
    elif kind == 3:
        copy[:2] = struct.pack('>H', draw.choice(ENCODINGS))
    else:
        copy = bytearray(draw.randbytes(draw.randrange(2 * len(copy))))
    return bytes(copy)
