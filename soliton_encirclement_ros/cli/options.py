"""Options of the verbs: their types, conflicts between them, and what is given twice.

Paths are not empty. Endings of files and conflicting options are checked before anything is read
or run. Paths may stand for the same run or recording.
"""

import math
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Optional

import click
import typer

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_folder, is_there
from velocity_mobility_ros.core.user_errors import is_undecoded, shown

Parameter, Context = Optional[click.Parameter], Optional[click.Context]


class NonEmptyPath(click.Path):
    """A path; an empty one, for example an unset shell variable, is refused, not used as ``.``."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the path."""
        if value == '':
            self.fail('is empty: name a file or folder, . for the current one', param, ctx)
        if isinstance(value, str) and is_undecoded(value):
            self.fail(f'{shown(value)} is not UTF-8 text: give another name', param, ctx)
        return super().convert(value, param, ctx)


class NonEmptyText(click.types.StringParamType):
    """A text; an empty one, for example an unset shell variable, is refused, not used as unset."""

    def convert(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the text."""
        if value == '':
            self.fail('is empty: give a value, or leave it out', param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number within bounds; infinity and NaN are refused."""

    def convert(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the number."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f'{value} must be finite', param, ctx)
        return number


Count = click.IntRange
ABOVE_0 = Number(min=0.0, min_open=True)
RADIUS = Number(min=0.0, min_open=True, max=1e9)
"""Of a ring [m]."""
WAIT = Number(min=0.0, min_open=True, max=600.0)
"""For answers [s]."""
NUMBER, PATH, TEXT, INTEGER = click.FLOAT, NonEmptyPath(), NonEmptyText(), click.INT

JSON = typer.Option(False, '--json', help='Print JSON, no progress.')


PICTURES = ('.png', '.svg', '.pdf', '.jpg', '.jpeg', '.tif', '.tiff', '.webp', '.eps', '.ps')
PAGES = ('.html', '.htm')
PROTOCOLS = ('tcp', 'tls', 'ws', 'wss', 'ucx')
ADDRESS = re.compile(rf'(?:(?:{"|".join(PROTOCOLS)})://)?[^\s/]+:([0-9]{{1,5}})', re.ASCII)

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
    match = ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[1]) < 65536:
        raise RunError(
            f'--scheduler {address!r}: must be [PROTOCOL://]HOST:PORT with a protocol among '
            f'{", ".join(PROTOCOLS)} and a port up to 65535, such as tcp://10.0.0.2:8786'
        )


def unique_names(names: Iterable[str]) -> list[str]:
    """Return different names, and warn of those that are named more than once."""
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1:
            print(f'warning: {name} is named {count} times, flown once', file=sys.stderr)
    return list(counts)


def without_links(paths: Sequence[Path]) -> list[Path]:
    """Return paths without links to others among them: RUNS/* has ``latest`` as well."""
    real = {path.resolve() for path in paths if not os.path.islink(path)}
    return [path for path in paths if not (os.path.islink(path) and path.resolve() in real)]


def warn_of_repeats(paths: Sequence[Path], cost: str, folders: bool = False) -> None:
    """Print one warning with the paths that were given before, nothing without any.

    Args:
        paths: Existing files and folders, as the user named them.
        cost: Consequence for them, as text.
        folders: Whether the content of a folder that is given, too, counts as given twice.
    """
    resolved = [path.resolve() for path in paths]
    repeats = [
        str(path) for i, path in enumerate(paths)
        if resolved[i] in resolved[:i] or (folders and resolved[i].parent in resolved)
    ]  # fmt: skip
    if repeats:
        names = ', '.join(dict.fromkeys(repeats))
        print(f'warning: named more than once, {cost}: {names}', file=sys.stderr)
