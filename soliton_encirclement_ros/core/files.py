"""Files, and names of things: whole or appended for good, there or not, fit for a folder's name.

A file is replaced as a whole or not at all; an append-only file loses an incomplete write. Paths
that cannot be accessed raise an error of one line. Names of scenarios, vehicles and sweeps become
part of folder names.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.errors import RunError, ScenarioError, SwarmError
from velocity_mobility_ros.core.user_errors import shown


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces the file at the end of the block, if no error occurs.

    After an error, such as a full disk, nothing is left of it.

    Args:
        path: The file; unchanged until then.
    """
    part = path.with_name(f'{path.name}.part')
    try:
        yield part
        part.replace(path)
    except BaseException:
        with suppress(OSError):  # the first error counts
            part.unlink()
        raise


@contextmanager
def writing(path: Path, action: str = 'write', advice: str = '') -> Iterator[None]:
    """Write a file in the block; an error becomes one line.

    Args:
        path: The file.
        action: Verb for the error message.
        advice: What to do instead, with its separator from the reason.

    Raises:
        RunError: The file cannot be written.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:  # of drawing libraries, too
        reason = why_not_written(error) if isinstance(error, OSError) else error
        raise RunError(f'{path}: cannot {action}: {reason}{advice}') from None


class AppendFile:
    """A binary file for appending; ``flush`` writes all buffered data or none."""

    def __init__(self, path: Path, durable: bool = False) -> None:
        """Open an existing file.

        Args:
            path: The file; its content is kept.
            durable: Whether ``flush`` syncs to disk, so that a power cut loses no more data than
                the death of the process.
        """
        self._file = os.open(path, os.O_WRONLY)
        self._durable = durable
        self._waiting = bytearray()
        self.size = os.fstat(self._file).st_size

    def write(self, data: bytes | memoryview) -> int:
        """Append bytes to the buffer; return their number."""
        self._waiting += data
        return len(data)

    def tell(self) -> int:
        """Return the position of the next byte."""
        return self.size + len(self._waiting)

    def patch(self, position: int, data: bytes) -> None:
        """Replace buffered bytes; ``position`` counts from the start of the file."""
        start = position - self.size
        self._waiting[start : start + len(data)] = data

    def flush(self) -> None:
        """Write the buffer.

        Raises:
            OSError: The write was incomplete; the file is as before, and the buffer is empty.
        """
        waiting, self._waiting = self._waiting, bytearray()
        try:
            self._put(memoryview(waiting))
        except OSError:
            with suppress(OSError):  # the first error counts
                os.ftruncate(self._file, self.size)
            raise
        self.size += len(waiting)

    def _put(self, data: memoryview) -> None:
        done = 0
        while done < len(data):
            done += os.pwrite(self._file, data[done:], self.size + done)
        if done and self._durable:
            self._sync()

    def _sync(self) -> None:
        """Sync to disk; some file systems, such as network shares, do not support it."""
        try:
            os.fdatasync(self._file)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise
            self._durable = False

    def close(self) -> None:
        """Write the buffer and close the file, once; it is closed even if the write fails."""
        if self._file < 0:
            return
        try:
            self.flush()
        finally:
            file, self._file = self._file, -1
            os.close(file)


def is_there(path: Path, error: type[SwarmError] = RunError) -> bool:
    """Return whether a path exists; arguments and errors as of ``is_file``."""
    return _mode(path, error) is not None


def is_folder(path: Path, error: type[SwarmError] = RunError) -> bool:
    """Return whether a path is a folder; arguments and errors as of ``is_file``."""
    mode = _mode(path, error)
    return mode is not None and stat.S_ISDIR(mode)


def is_file(path: Path, error: type[SwarmError] = RunError) -> bool:
    """Return whether a path is a regular file.

    Args:
        path: Any path from a user.
        error: Type of the raised error.

    Raises:
        SwarmError: The path cannot be accessed: no permission, name too long, or circular links.
    """
    mode = _mode(path, error)
    return mode is not None and stat.S_ISREG(mode)


def refuse_endless(path: Path, error: type[SwarmError] = RunError) -> None:
    """Refuse a pipe or a device: reading it may never end.

    Arguments and errors as of ``is_file``; missing paths and folders pass.
    """
    mode = _mode(path, error)
    if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise error(f'{path}: is a pipe or a device, which may never end; name a regular file')


def why_not_written(error: OSError) -> str:
    """Return why a folder cannot be made or written into, as text."""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return f'{error.filename or "it"} is a file, not a folder'
    return error.strerror or str(error)


def _mode(path: Path, error: type[SwarmError]) -> int | None:
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a NUL in the name
        return None
    except OSError as refusal:
        raise error(f'{path}: cannot read: {refusal.strerror}') from None


MAX_LENGTH = 100
ALLOWED = re.compile(rf'[^\W_][\w.-]{{0,{MAX_LENGTH - 1}}}')


def name_from(path: Path, default: str) -> str:
    """Return a valid name made from a file name, ``default`` if nothing remains."""
    return re.sub(r'[^\w.-]', '_', path.stem).lstrip('_.-')[:MAX_LENGTH] or default


def checked_name(name: Any, source: str) -> str:
    """Return a valid name unchanged.

    Raises:
        ScenarioError: The name is invalid; the error names ``source``.
    """
    if not isinstance(name, str) or not ALLOWED.fullmatch(name):
        raise ScenarioError(
            f'{source}: name = {shown(name)} must be a text of at most {MAX_LENGTH} letters, '
            'digits and . _ -, beginning with a letter or digit'
        )
    return name


MAX_NAMES = 8
"""Upper limit of names in a list."""


def named(names: Sequence[str], most: int = MAX_NAMES) -> str:
    """Return names as text, only the first ``most`` of many."""
    more = f' and {len(names) - most} more' if len(names) > most else ''
    return ', '.join(names[:most]) + more
