"""What a reader is, and what is wrong with how one reads an input."""

import os
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
SCRATCH = Path('/dev/shm') if os.access('/dev/shm', os.W_OK) else Path(tempfile.gettempdir())

SLOW = 5.0
"""Time of the processor in which every input is read [s]."""


class Reader(NamedTuple):
    """One reader.

    Attributes:
        read: Takes the bytes of an input.
        expected: Errors that it may raise, with a line of text.
        seeds: Sound inputs.
    """

    read: Callable[[bytes], object]
    expected: tuple[type[BaseException], ...]
    seeds: Sequence[bytes]


class Finding(NamedTuple):
    """What nobody expected: its kind, which is that of many inputs, and what was raised."""

    kind: str
    text: str


def try_input(reader: Reader, data: bytes) -> Finding | None:
    """Return what is wrong with how an input is read, None if nothing is."""
    begin = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('error', RuntimeWarning)  # numpy's, which a user would see
            reader.read(data)
    except reader.expected as error:
        line = str(error)
        if not line.strip() or '\n' in line.strip():
            return Finding(f'not one line: {type(error).__name__}', repr(line[:200]))
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if '_ros/' in frame.filename] or frames
        place = f'{Path(own[-1].filename).name}:{own[-1].lineno}'
        return Finding(f'{type(error).__name__} at {place}', f'{str(error)[:200]!r}')
    if (took := time.process_time() - begin) > SLOW:
        return Finding('slow', f'{took:.1f} s')
    return None


def file_writer(name: str) -> Callable[[bytes], Path]:
    """Return what writes an input to a file of its own."""
    folder = Path(tempfile.mkdtemp(prefix='fuzz_', dir=SCRATCH))

    def write(data: bytes) -> Path:
        path = folder / name
        path.write_bytes(data)
        return path

    return write
