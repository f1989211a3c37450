"""Paths in CSV: a line of names, then one vertex a line."""

import math

import numpy as np

from velocity_mobility_ros.core.path_files.path_data import PathData, PathError, checked
from velocity_mobility_ros.core.path_files.spreadsheet import TableError, number, table_rows

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
