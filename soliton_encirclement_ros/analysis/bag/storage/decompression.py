"""Compression of a bag by its recorder: of whole files, or of single messages (both zstd)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.decoder import windows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch

MAGIC = b'\x28\xb5\x2f\xfd'
"""Magic number of zstd; an uncompressed message begins with a zero."""

BLOCK = 1 << 20
LARGEST_MESSAGE = 1 << 28
"""Maximum size in bytes; anything larger is not decompressed."""


def unpack_file(packed: Path, plain: Path) -> str:
    """Decompress a file as far as possible; return the problem with it, or nothing."""
    import zstandard

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
    long_enough = batch.starts[batch.sizes > len(MAGIC)]
    if not len(long_enough):
        return batch, 0
    heads = windows(batch.buffer, long_enough, len(MAGIC))
    if not (heads == np.frombuffer(MAGIC, np.uint8)).all(axis=1).any():
        return batch, 0
    rows, blobs = [], []
    for row, blob in enumerate(_unpacked(batch)):
        if blob is not None:
            rows.append(row)
            blobs.append(blob)
    sizes = np.array([len(blob) for blob in blobs], np.int64)
    buffer = np.frombuffer(b''.join(blobs) or b'\0', np.uint8)
    starts = np.cumsum(sizes) - sizes
    whole = MessageBatch(batch.channel, batch.logged[rows], buffer, starts, sizes)
    return whole, len(batch.starts) - len(rows)


def _unpacked(batch: MessageBatch) -> Iterator[bytes | None]:
    import zstandard

    unpacker = zstandard.ZstdDecompressor()
    data = batch.buffer.tobytes()
    for start, size in zip(batch.starts.tolist(), batch.sizes.tolist(), strict=True):
        blob = data[start : start + size]
        yield _one(unpacker, blob) if blob.startswith(MAGIC) else blob


def _one(unpacker: Any, blob: bytes) -> bytes | None:
    import zstandard

    try:
        size = zstandard.frame_content_size(blob)
        if size > LARGEST_MESSAGE:
            return None
        if size >= 0:
            return bytes(unpacker.decompress(blob))
        return bytes(unpacker.decompressobj().decompress(blob))
    except zstandard.ZstdError:
        return None
