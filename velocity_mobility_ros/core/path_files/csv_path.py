"""Paths in CSV: a line of names, then one vertex a line."""

import csv
import math
from collections.abc import Sequence

import numpy as np

from velocity_mobility_ros.core.path_files.path_data import PathData, PathError, checked
from velocity_mobility_ros.core.shown import closest, shown

COLUMNS = ('x', 'y', 'z', 't')
"""Position [m] and arrival time [s]; ``t`` may be left out, or empty in a line."""


def path_of_csv(text: str, source: str) -> PathData:
    """Return the path of a CSV text.

    Args:
        text: The text; its first line names the columns, in any order. Lines that are empty or
            begin with ``#`` are skipped.
        source: Name of the file, for errors.

    Raises:
        PathError: A column is unknown, missing or given twice, a line has another number of
            values, a value is no number, or the vertices are no path.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith('#')
    ]
    if not lines:
        raise PathError(f'{source}: empty; write a line x,y,z,t and then one point a line')
    try:
        cells = list(csv.reader(line for _, line in lines))
    except csv.Error as error:
        raise PathError(f'{source}: {error}') from None
    names = _names(cells[0], source)
    rows = []
    for (number, _), values in zip(lines[1:], cells[1:], strict=True):
        where = f'{source}: line {number}'
        if len(values) != len(names):
            raise PathError(f'{where}: {len(values)} values, must be {len(names)}')
        found = dict(zip(names, values, strict=True))
        rows.append([_number(found.get(name, ''), name, where) for name in COLUMNS])
    return checked(PathData(np.array(rows, dtype=float).reshape(-1, 4)), source)


def _names(header: Sequence[str], source: str) -> list[str]:
    names = [name.strip().lower() for name in header]
    for name in names:
        if name not in COLUMNS:
            close = closest(name, COLUMNS)
            hint = f'did you mean {close!r}?' if close else 'columns are x, y, z and t'
            raise PathError(f'{source}: unknown column {shown(name)}; {hint}')
        if names.count(name) > 1:
            raise PathError(f'{source}: column {name!r} is given twice; remove one')
    missing = [name for name in COLUMNS[:3] if name not in names]
    if missing:
        raise PathError(f'{source}: no column {missing[0]!r}; the columns x, y and z are needed')
    return names


def _number(text: str, name: str, where: str) -> float:
    """Return a number; an empty time is NaN."""
    if name == 't' and not text.strip():
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PathError(f'{where}: {name} = {shown(text.strip())} must be a finite number')
    return value
