"""Standard output and standard error that may break: a command does its work all the same.

A reader that goes away (``swarm run demo | head -1``) wants no more; that is no failure. Where
output cannot be written otherwise, on a full disk say, one line says so at the end.
"""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

FAILED = 1


class LastingFile(io.FileIO):
    """A file descriptor; after its first error everything is dropped."""

    def __init__(self, descriptor: int) -> None:
        """Write to a descriptor, which stays open.

        Args:
            descriptor: Where to.
        """
        super().__init__(descriptor, 'wb', closefd=False)
        self.error: OSError | None = None

    def write(self, data: bytes) -> int | None:
        """Write, or drop what cannot be written; return the number of bytes taken."""
        if self.error is None:
            try:
                return super().write(data)
            except OSError as error:
                self.error = error
        return memoryview(data).nbytes


class Output:
    """The two standard streams while a command runs."""

    def __init__(self, files: list[LastingFile]) -> None:
        """Know where they go; a stream that is no file is not listed."""
        self._files = files

    @property
    def error(self) -> OSError | None:
        """Why something is lost that somebody wanted; None if nothing is."""
        errors = (file.error for file in self._files)
        return next((one for one in errors if one and one.errno != errno.EPIPE), None)

    def judge(self, code: int) -> int:
        """Return the exit code of a command that itself would end with ``code``."""
        if self.error is None:
            return code
        reason = self.error.strerror
        with _unless_broken():
            print(f'error: cannot write to standard output: {reason}', file=sys.stderr, flush=True)
        return code or FAILED


@contextmanager
def lasting_output() -> Iterator[Output]:
    """Put streams that never raise in the place of standard output and standard error.

    One that is closed from the beginning is replaced by nothing at all.
    """
    before = sys.stdout, sys.stderr
    files = [_file_of(stream) for stream in before]
    sys.stdout, sys.stderr = (
        stream if file is None else _stream(stream, file)
        for stream, file in zip((_or_nothing(one) for one in before), files, strict=True)
    )
    try:
        yield Output([file for file in files[:1] if file is not None])
    finally:
        for stream in (sys.stdout, sys.stderr):
            with _unless_broken():
                stream.flush()
        sys.stdout, sys.stderr = before


def _or_nothing(stream: TextIO | None) -> TextIO:
    """Return a stream, for one that was closed from the beginning one that takes everything."""
    return open(os.devnull, 'w', encoding='utf-8') if stream is None else stream


def _file_of(stream: TextIO | None) -> LastingFile | None:
    """Return the descriptor of a stream, None if it has none."""
    try:
        return LastingFile(stream.fileno()) if stream is not None else None
    except (OSError, ValueError):
        return None


def _stream(like: TextIO, file: LastingFile) -> TextIO:
    """Return a text stream into a file; a character that it cannot spell does no harm."""
    return io.TextIOWrapper(
        io.BufferedWriter(file),
        encoding=like.encoding,
        errors='backslashreplace',
        line_buffering=file.isatty() or like is sys.stderr,
    )


@contextmanager
def _unless_broken() -> Iterator[None]:
    """Do something with a stream that may be broken."""
    try:
        yield
    except (OSError, ValueError):
        return
