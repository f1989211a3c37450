"""What lies at a path, where a path that cannot be looked at is an error of one line."""

import stat
from pathlib import Path

from soliton_encirclement_ros.core.errors import RunError, SwarmError


def is_there(path: Path, error: type[SwarmError] = RunError) -> bool:
    """Return whether anything is there; arguments and errors as of ``is_file``."""
    return _mode(path, error) is not None


def is_folder(path: Path, error: type[SwarmError] = RunError) -> bool:
    """Return whether a folder is there; arguments and errors as of ``is_file``."""
    mode = _mode(path, error)
    return mode is not None and stat.S_ISDIR(mode)


def is_file(path: Path, error: type[SwarmError] = RunError) -> bool:
    """Return whether a file is there.

    Args:
        path: Anything a user may write.
        error: What to raise.

    Raises:
        SwarmError: Nobody can tell: a folder on the way may not be entered, a name is too long,
            links go round in circles.
    """
    mode = _mode(path, error)
    return mode is not None and stat.S_ISREG(mode)


def refuse_endless(path: Path, error: type[SwarmError] = RunError) -> None:
    """Refuse a pipe or a device: reading it may wait forever, or never come to an end.

    Arguments and errors as of ``is_file``; what is not there passes, as does a folder.
    """
    mode = _mode(path, error)
    if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise error(
            f'{path}: is no regular file but a pipe or a device, which may never end: name a file'
        )


def _mode(path: Path, error: type[SwarmError]) -> int | None:
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a NUL in the name
        return None
    except OSError as refusal:
        raise error(f'{path}: cannot read: {refusal.strerror}') from None
