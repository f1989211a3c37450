"""Standard output and standard error that may break: a command continues in spite of it.

A reader that closes the pipe (``swarm run demo | head -1``) is not a failure. If
output cannot be written otherwise, for example on a full disk, one line reports it at the end.
"""

import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TextIO

FAILED, WRONG_INPUT = 1, 2

SHOW_CURSOR = '\x1b[?25h'
"""Of terminals."""

_results: TextIO | None = None


def say(line: str) -> None:
    """Print one line at once."""
    print(line, flush=True)


def print_error(line: str) -> None:
    """Print one line of an error."""
    print(f'error: {line}', file=sys.stderr, flush=True)


def end_for_fault(line: str) -> NoReturn:
    """End the process with one line, from any thread, with the terminal as it was."""
    if sys.stdout.isatty():
        sys.stdout.write(SHOW_CURSOR)
        sys.stdout.flush()
    print_error(line)
    os._exit(WRONG_INPUT)


def print_json(content: Any) -> None:
    """Print results as JSON on standard output, whoever else prints meanwhile."""
    print(json.dumps(content, indent=2, allow_nan=False), file=_results or sys.stdout, flush=True)


def free_standard_output() -> None:
    """Let libraries of C write to standard error from now on.

    Fast DDS prints its errors on standard output, in front of the JSON that a program reads.
    """
    encoding, own = sys.stdout.encoding, os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = open(own, 'w', encoding=encoding)  # noqa: SIM115 (it stays)


def keep_for_json() -> None:
    """Keep standard output for ``print_json``: what laws of users print goes to standard error."""
    global _results
    _results, sys.stdout = sys.stdout, sys.stderr


class FaultTolerantFile(io.FileIO):
    """A file descriptor; after its first error everything is dropped."""

    def __init__(self, descriptor: int) -> None:
        """Write to a descriptor, which stays open.

        Args:
            descriptor: The descriptor.
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

    def __init__(self, files: list[FaultTolerantFile]) -> None:
        """Store the descriptors; a stream that is not a file is not listed."""
        self._files = files

    @property
    def error(self) -> OSError | None:
        """Why requested output is lost; None if it is not."""
        errors = (file.error for file in self._files)
        return next((one for one in errors if one and one.errno != errno.EPIPE), None)

    def exit_code(self, code: int) -> int:
        """Return the exit code of a command that itself would end with ``code``."""
        if self.error is None:
            return code
        reason = self.error.strerror
        with _unless_broken():
            print(f'error: cannot write to standard output: {reason}', file=sys.stderr, flush=True)
        return code or FAILED


@contextmanager
def fault_tolerant_output() -> Iterator[Output]:
    """Replace standard output and standard error by streams that never raise.

    One that is closed from the beginning is replaced by a null stream.
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


def _file_of(stream: TextIO | None) -> FaultTolerantFile | None:
    """Return the descriptor of a stream, None if it has none."""
    try:
        return FaultTolerantFile(stream.fileno()) if stream is not None else None
    except (OSError, ValueError):
        return None


def _stream(like: TextIO, file: FaultTolerantFile) -> TextIO:
    """Return a text stream into a file; a character that it cannot encode is replaced."""
    return io.TextIOWrapper(
        io.BufferedWriter(file),
        encoding=like.encoding,
        errors='backslashreplace',
        line_buffering=file.isatty() or like is sys.stderr,
    )


@contextmanager
def _unless_broken() -> Iterator[None]:
    """Execute an operation on a stream that may be broken."""
    try:
        yield
    except (OSError, ValueError):
        return
