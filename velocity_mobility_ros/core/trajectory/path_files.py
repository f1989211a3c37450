"""Paths from files by their ending: CSV, a line of names and then one vertex a line, or YAML.

A YAML file has ``vertices``, and says how their times are meant. What is refused in vertices is
the same for those of a recording.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

from velocity_mobility_ros.core.environment.parameter_files import parse_yaml
from velocity_mobility_ros.core.spreadsheet import SAVE_AS, TableError, decoded, number, table_rows
from velocity_mobility_ros.core.trajectory.polyline import Polyline, polyline
from velocity_mobility_ros.core.trajectory.polyline_records import PolylineError
from velocity_mobility_ros.core.user_errors import MobilityError, shown, suggestion

MAX_VERTICES = 100_000
"""Most vertices of a path."""


class PathError(MobilityError):
    """A path cannot be read; the message is one line that names file and place."""


class PathData(NamedTuple):
    """Vertices as written.

    Attributes:
        rows: One vertex a row: x, y, z [m] and time [s], NaN for none.
        closed: Whether the first vertex follows the last one.
        relative: Whether times count from the timed vertex before.
    """

    rows: NDArray[np.float64]
    closed: bool = False
    relative: bool = False

    def polyline(self, start: float = 0.0, entity: str = '') -> Polyline:
        """Return the polyline; times count from a start [s].

        Args:
            start: Time at which the flight begins.
            entity: What follows it, for the error.

        Raises:
            PolylineError: The vertices are no polyline.
        """
        rows = self.rows.copy()
        if self.relative:
            return polyline(rows, start, self.closed, entity)
        rows[:, 3] += start
        return polyline(rows, math.nan, self.closed, entity)


def checked(data: PathData, source: str) -> PathData:
    """Return vertices that a polyline can be made of.

    Args:
        data: The vertices.
        source: Where they are from, named first in errors.

    Raises:
        PathError: They are fewer than 2 or too many, not finite, go back in time, or two in a row
            are at one place without being a wait.
    """
    count = len(data.rows)
    if count < 2:
        raise PathError(f'{source}: {count} points, must be at least 2')
    if count > MAX_VERTICES:
        raise PathError(f'{source}: {count} points, must be at most {MAX_VERTICES}; take fewer')
    try:
        data.polyline()
    except PolylineError as error:
        place = '' if error.vertex is None else f'point {error.vertex + 1}: '
        raise PathError(f'{source}: {place}{error.detail}') from None
    _check_places(data.rows, source)
    return data


def _check_places(rows: NDArray[np.float64], source: str) -> None:
    """Refuse two points at one place, if the body does not wait there for a time."""
    untimed = np.isnan(rows[:, 3])
    for i in np.flatnonzero((rows[1:, :3] == rows[:-1, :3]).all(axis=1)) + 1:
        if untimed[i] or (untimed[i - 1] and i > 1):
            raise PathError(
                f'{source}: point {i + 1} is at the place of point {i}; remove one, or give both '
                'a time to wait there'
            )


UNITS = {'x': 'm', 'y': 'm', 'z': 'm', 't': 's'}
"""Units of position and arrival time; ``t`` may be left out, or empty in a line."""


def path_of_csv(text: str, source: str) -> PathData:
    """Return the path of a CSV text.

    Args:
        text: The text, as of ``table_rows``.
        source: Name of the file, for errors.

    Raises:
        PathError: It is no such table, a value is no number, or the vertices are no path.
    """
    try:
        rows = [
            [
                math.nan if name == 't' and not row.cells.get(name) else number(row, name)
                for name in UNITS
            ]
            for row in table_rows(text, source, UNITS, optional=('t',))
        ]
    except TableError as error:
        raise PathError(str(error)) from None
    return checked(PathData(np.array(rows, dtype=float).reshape(-1, 4)), source)


KEYS = ('vertices', 'closed', 'relative')
NAMES = ('x', 'y', 'z', 't')


def path_of_yaml(text: str, source: str) -> PathData:
    """Return the path of a YAML text.

    Args:
        text: A mapping with ``vertices``, each of them a mapping with x, y, z [m] and perhaps
            t [s], or a list of 3 or 4 numbers in this order; perhaps ``closed`` and ``relative``.
        source: Name of the file, for errors.

    Raises:
        PathError: It is no YAML, a key is unknown or missing, a value is no number, or the
            vertices are no path.
    """
    try:
        content = parse_yaml(text)
    except yaml.YAMLError as error:
        raise PathError(f'{source}: no YAML: {" ".join(str(error).split())}') from None
    if not isinstance(content, Mapping):
        raise PathError(f'{source}: {shown(content)} must be a mapping with vertices')
    for key in content:
        if key not in KEYS:
            raise PathError(f'{source}: unknown key {shown(key)}{suggestion(key, KEYS)}')
    vertices = content.get('vertices')
    if not isinstance(vertices, list):
        raise PathError(f'{source}: vertices = {shown(vertices)} must be a list of points')
    rows = [_row(vertex, f'{source}: point {i}') for i, vertex in enumerate(vertices, 1)]
    flags = [_flag(content.get(name, False), name, source) for name in KEYS[1:]]
    return checked(PathData(np.array(rows, dtype=float).reshape(-1, 4), *flags), source)


def _flag(value: Any, name: str, source: str) -> bool:
    if not isinstance(value, bool):
        raise PathError(f'{source}: {name} = {shown(value)} must be true or false')
    return value


def _row(vertex: Any, where: str) -> list[float]:
    if isinstance(vertex, list) and len(vertex) in (3, 4):
        vertex = dict(zip(NAMES, vertex, strict=False))
    if not isinstance(vertex, Mapping):
        raise PathError(f'{where}: {shown(vertex)} must be x, y, z and perhaps t')
    for key in vertex:
        if key not in NAMES:
            raise PathError(f'{where}: unknown key {shown(key)}{suggestion(key, NAMES)}')
    missing = [name for name in NAMES[:3] if name not in vertex]
    if missing:
        raise PathError(f'{where}: no {missing[0]}; x, y and z are needed')
    return [_number(vertex.get(name), name, where) for name in NAMES]


def _number(value: Any, name: str, where: str) -> float:
    """Return a number; a missing time is NaN."""
    if name == 't' and value is None:
        return math.nan
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not abs(value) <= 1e300:
        raise PathError(f'{where}: {name} = {shown(value)} must be a finite number')
    return float(value)


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
