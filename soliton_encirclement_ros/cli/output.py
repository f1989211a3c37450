"""What a command prints: output that may break, and one-line errors of libraries.

A command continues in spite of output that breaks. A reader that closes the pipe
(``swarm run demo | head -1``) is not a failure. If output cannot be written otherwise, for example
on a full disk, one line reports it at the end. What is said on a terminal while it shows something
else is held back.

Libraries that are missing or cannot be loaded are named with advice. Only the standard library is
used, so that this works when everything else is missing.
"""

import errno
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TextIO

from velocity_mobility_ros.core.environment.unix_process import end_process, raise_interrupt

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
    print_error(line)
    end_process(WRONG_INPUT)


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


def reserve_stdout_for_json() -> None:
    """Keep standard output for ``print_json``: what laws of users print goes to standard error."""
    global _results
    _results, sys.stdout = sys.stdout, sys.stderr


class FaultTolerantFile(io.FileIO):
    """A file descriptor, which stays open; after its first error everything is dropped."""

    error: OSError | None = None

    def write(self, data: bytes) -> int | None:
        """Write, or drop what cannot be written; return the number of bytes taken."""
        if self.error is None:
            try:
                return super().write(data)
            except OSError as error:
                self.error = error
        return memoryview(data).nbytes


@contextmanager
def fault_tolerant_output() -> Iterator[Callable[[int], int]]:
    """Replace standard output and standard error by streams that never raise.

    Yields:
        A function that returns the exit code of a command that itself would end with a code: 1 if
        its output is lost, unless its reader is gone. It prints why.
    """
    before = sys.stdout, sys.stderr
    files = []

    def tolerant(stream: TextIO | None) -> TextIO:
        """Return a stream in place of another; a character that it cannot encode is replaced."""
        if stream is None:  # it was closed from the beginning
            return open(os.devnull, 'w', encoding='utf-8')
        try:
            file = FaultTolerantFile(stream.fileno(), 'wb', closefd=False)
        except (OSError, ValueError):  # it is no file
            return stream
        files.append(file)
        return io.TextIOWrapper(
            io.BufferedWriter(file), stream.encoding, errors='backslashreplace',
            line_buffering=file.isatty() or stream is before[1],
        )  # fmt: skip

    def exit_code(code: int) -> int:
        lost = files[0].error if files else None
        if lost is None or lost.errno == errno.EPIPE:
            return code
        print_error(f'cannot write to standard output: {lost.strerror}')
        return code or FAILED

    sys.stdout, sys.stderr = map(tolerant, before)
    try:
        yield exit_code
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # closed or broken: ``exit_code`` says so
                stream.flush()
        sys.stdout, sys.stderr = before


PACKAGE = __name__.partition('.')[0]

INSTALL_COMMANDS = {
    'dask': f'pip install "{PACKAGE}[cluster]"',
    'distributed': f'pip install "{PACKAGE}[cluster]"',
    'foxglove': f'pip install "{PACKAGE}[foxglove]"',
    'pymavlink': f'pip install "{PACKAGE}[logs]"',
    'pyulog': f'pip install "{PACKAGE}[logs]"',
    'pyarrow': f'pip install "{PACKAGE}[parquet]"',
    'rclpy': 'source /opt/ros/DISTRO/setup.bash, or pip install "ros-rclpy[fastrtps]"',
    'rerun': f'pip install "{PACKAGE}[rerun]"',
    'yaml': 'pip install PyYAML',
}
"""How to get a library, by the name that is imported, where it is not ``pip install NAME``."""


def draw_into_files() -> None:
    """Make matplotlib draw into files, whatever the environment sets.

    matplotlib cannot be imported if ``MPLBACKEND`` names a backend that is not
    installed, as in a shell that Jupyter has started.
    """
    os.environ['MPLBACKEND'] = 'Agg'


def explain(error: ImportError) -> str | None:
    """Return one line about a library that is missing or broken, None for a module of ours.

    Raises:
        SystemExit, KeyboardInterrupt: Neither; a signal interrupted the import.
    """
    raise_interrupt(error)
    name = (error.name or '').partition('.')[0]
    if not name or name == PACKAGE or name.startswith('velocity_mobility_ros'):
        return None
    fault = 'is not installed'
    if not isinstance(error, ModuleNotFoundError):
        fault = f'cannot be loaded ({" ".join(str(error).split())[:200]})'
    return f'{name} {fault}: {INSTALL_COMMANDS.get(name, f"pip install {name}")}'


STDERR = 2


@contextmanager
def hold_stderr(is_wanted: bool) -> Iterator[Callable[[], list[str]]]:
    """Buffer stderr of this process and its children, if that is a terminal; print it at the end.

    Args:
        is_wanted: Whether to buffer.

    Yields:
        A function that returns the lines in the buffer so far.
    """
    if not (is_wanted and os.isatty(STDERR)):
        yield list
        return
    with tempfile.TemporaryFile() as held:
        sys.stderr.flush()
        terminal = os.dup(STDERR)
        os.dup2(held.fileno(), STDERR)

        def said() -> bytes:
            return os.pread(held.fileno(), os.fstat(held.fileno()).st_size, 0)

        try:
            yield lambda: said().decode(errors='replace').splitlines()
        finally:
            sys.stderr.flush()
            os.dup2(terminal, STDERR)
            os.close(terminal)
            with open(STDERR, 'wb', closefd=False) as stderr:
                stderr.write(said())
