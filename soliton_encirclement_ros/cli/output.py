"""What a command prints: output that may break, and one-line errors of libraries.

A command continues in spite of output that breaks. A reader that closes the pipe
(``swarm run demo | head -1``) is not a failure. If output cannot be written otherwise, for example
on a full disk, one line reports it at the end. What is said on a terminal while it shows something
else is held back.

Libraries that are missing, cannot be loaded, or warn are named with advice. Only the standard
library is used, so that this works when everything else is missing.
"""

import errno
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn, TextIO

from velocity_mobility_ros.core.user_errors import end_for_shortage, shortage

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


NO_LIBRARY = 2

PACKAGE = __name__.partition('.')[0]


class Library(NamedTuple):
    """The user of a library, and its packages on Ubuntu 24.04 and pip."""

    purpose: str
    apt: str | None
    pip: str


ROS = Library(
    'nodes and recording', None, '"ros-rclpy[fastrtps]", or source /opt/ros/DISTRO/setup.bash'
)

LIBRARIES = {
    'foxglove': Library('streams to Foxglove', None, f'"{PACKAGE}[foxglove]"'),
    'lz4': Library('bags', 'python3-lz4', 'lz4'),
    'matplotlib': Library('pictures', 'python3-matplotlib', 'matplotlib'),
    'numba': Library('compiled laws', None, 'numba'),
    'numpy': Library('everything', 'python3-numpy', 'numpy'),
    'orjson': Library('CSV tables of simulations', None, 'orjson'),
    'pandas': Library('tables of sweeps', 'python3-pandas', 'pandas'),
    'plotly': Library('the report page', 'python3-plotly', 'plotly'),
    'pyarrow': Library('Parquet tables', None, 'pyarrow'),
    'rclpy': ROS,
    'rosbags': Library('bags', None, 'rosbags'),
    'rerun': Library('streams to Rerun', None, f'"{PACKAGE}[rerun]"'),
    'rich': Library('the command line', 'python3-rich', 'rich'),
    'scipy': Library('fitting and tests of differences', 'python3-scipy', 'scipy'),
    'transforms3d': Library('attitudes', 'python3-transforms3d', 'transforms3d'),
    'typer': Library('the command line', 'python3-typer', 'typer'),
    'yaml': Library('scenario files', 'python3-yaml', 'PyYAML'),
    'zstandard': Library('compressed bags', 'python3-zstandard', 'zstandard'),
}  # fmt: skip
"""By the name that is imported."""


def draw_into_files() -> None:
    """Make matplotlib draw into files, whatever the environment sets.

    matplotlib cannot be imported if ``MPLBACKEND`` names a backend that is not
    installed, as in a shell that Jupyter has started.
    """
    os.environ['MPLBACKEND'] = 'Agg'


def explain(error: ImportError | Warning) -> str | None:
    """Return one line about a library that is missing or broken, None for any other error."""
    if isinstance(error, Warning):
        text = ' '.join(str(error).split())[:200]
        return (
            f'a library warns ({type(error).__name__}: {text}), and PYTHONWARNINGS or -W makes an '
            'error of it; unset that'
        )
    name = (error.name or '').partition('.')[0]
    library = LIBRARIES.get(name)
    if library is None:
        return None
    ways = [f'pip install {library.pip}']
    if library.apt is not None:
        ways.insert(0, f'sudo apt install {library.apt}')
    if isinstance(error, ModuleNotFoundError):
        trouble = 'is not installed'
    else:
        trouble = f'cannot be loaded ({" ".join(str(error).split())[:200]})'
    return f'{name} {trouble}; {library.purpose} need it: {", or ".join(ways)}'


def refuse_library(error: Exception) -> int:
    """Print one line about a library that is missing or warns, and return the exit code.

    If memory or threads are missing, the process ends here.

    Raises:
        Exception: It is another error.
    """
    if (line := shortage(error)) is not None:
        end_for_shortage(line)
    line = explain(error) if isinstance(error, (ImportError, Warning)) else None
    if line is None:
        raise error
    print(f'error: {line}', file=sys.stderr)
    return NO_LIBRARY


STDERR = 2


@contextmanager
def held_stderr(is_wanted: bool) -> Iterator[Callable[[], list[str]]]:
    """Hold what this process and its children say on stderr, if that is a terminal; then say it.

    Args:
        is_wanted: Whether anything is to be held.

    Yields:
        A function that returns the lines that were held so far.
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
