"""Checks of options before anything is read or run: endings of files, conflicting options."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.path_kind import is_folder, is_there

PICTURES = ('.png', '.svg', '.pdf', '.jpg', '.jpeg', '.tif', '.tiff', '.webp', '.eps', '.ps')
PAGES = ('.html', '.htm')
PROTOCOLS = ('tcp', 'tls', 'ws', 'wss', 'ucx')
ADDRESS = re.compile(rf'(?:(?:{"|".join(PROTOCOLS)})://)?[^\s/]+:([0-9]{{1,5}})', re.ASCII)

LARGEST_RADIUS = 1e9
"""No ring is larger [m]."""

SCENARIOS = VEHICLES = ('.yaml', '.yml')


def check_ending(option: str, path: Optional[Path], endings: Sequence[str]) -> None:
    """Refuse a file whose ending does not match its content.

    Args:
        option: Its option.
        path: The file; None: not requested.
        endings: Allowed endings of its name, in any case.

    Raises:
        RunError: The name has another ending, or the file is a folder, or cannot be accessed.
    """
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise RunError(f'{option} {path}: the name must end in one of {", ".join(endings)}')
    if is_folder(path):
        raise RunError(f'{option} {path}: is a folder; name a file')


def check_radius(radius: Optional[float]) -> None:
    """Refuse what can be no radius of a ring [m]; None: not asked for.

    Raises:
        RunError: It is out of range.
    """
    if radius is not None and not 0.0 < radius < LARGEST_RADIUS:
        raise RunError(f'--radius = {radius:g} m must be above 0 and below 1e9')


def refuse_together(*options: tuple[str, object], why: str) -> None:
    """Refuse options that exclude each other.

    Args:
        options: Each as users write it, and whether it is given.
        why: The reason, and the remedy.

    Raises:
        RunError: All of them are given.
    """
    if all(given for _, given in options):
        names = ' and '.join(name for name, _ in options)
        raise RunError(f'{names} exclude each other: {why}')


def check_folder(option: str, folder: Path) -> None:
    """Refuse a folder that cannot be created because it, or a parent, is a file.

    Args:
        option: Its option.
        folder: The folder, which need not exist yet.

    Raises:
        RunError: A file is there.
    """
    for path in (folder, *folder.parents):
        if is_there(path) and not is_folder(path):
            raise RunError(f'{option} {folder}: {path} is not a folder; name another one')


def check_scheduler(address: Optional[str]) -> None:
    """Refuse an invalid address of a Dask scheduler.

    Args:
        address: As it was given; None: not given.

    Raises:
        RunError: It is invalid.
    """
    if address is None:
        return
    found = ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found[1]) < 65536:
        raise RunError(
            f'--scheduler {address!r}: must be [PROTOCOL://]HOST:PORT with a protocol among '
            f'{", ".join(PROTOCOLS)} and a port up to 65535, such as tcp://10.0.0.2:8786'
        )
