"""Path files by their ending."""

from collections.abc import Callable
from pathlib import Path

from velocity_mobility_ros.core.path_files.csv_path import path_of_csv
from velocity_mobility_ros.core.path_files.path_data import PathData, PathError
from velocity_mobility_ros.core.path_files.spreadsheet import SAVE_AS, decoded
from velocity_mobility_ros.core.path_files.yaml_path import path_of_yaml

READERS: dict[str, Callable[[str, str], PathData]] = {
    '.csv': path_of_csv,
    '.yaml': path_of_yaml,
    '.yml': path_of_yaml,
}

MAX_SIZE = 50_000_000
"""Largest file [bytes]."""


def read_path(path: Path) -> PathData:
    """Return the path of a file.

    Raises:
        PathError: The file has another ending, cannot be read, is too large or holds no path.
    """
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise PathError(f'{path}: must end in {" or ".join(READERS)}; {SAVE_AS}')
    return read(_text(path), str(path))


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            kind = 'is no regular file' if path.exists() else 'no such file'
            raise PathError(f'{path}: {kind}; name a path file')
        if path.stat().st_size > MAX_SIZE:
            raise PathError(f'{path}: larger than {MAX_SIZE / 1e6:g} MB; take fewer points')
        return decoded(path.read_bytes())
    except (OSError, ValueError) as error:
        hint = f'; {SAVE_AS}' if path.suffix.lower() == '.csv' else ''
        reason = getattr(error, 'strerror', None) or f'is no text in UTF-8{hint}'
        raise PathError(f'{path}: {reason}') from None
