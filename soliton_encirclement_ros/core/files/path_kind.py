"""Tests for files and folders; inaccessible paths raise a one-line error."""

import stat
from pathlib import Path

from soliton_encirclement_ros.core.errors import RunError, SwarmError


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
