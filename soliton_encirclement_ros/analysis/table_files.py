"""Writes tables of sweeps as CSV, or as Parquet if pyarrow is installed.

Infinite values are ``inf`` in both formats. Missing values are empty in CSV and null in Parquet.
"""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.analysis.sweep.sweep_tables import Row, SweepTable
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.atomic_file import replacing


def write_csv(path: Path, table: SweepTable) -> None:
    """Write a table whole or not at all.

    Raises:
        RunError: It cannot be written.
    """
    try:
        with replacing(path) as part, part.open('w', encoding='utf-8', newline='') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(table.columns)
            writer.writerows(_texts(row) for row in table.rows)
    except OSError as error:
        raise _refusal(path, error) from None


def write_parquet(path: Path, table: SweepTable) -> bool:
    """Write a table whole or not at all; return False if pyarrow is not installed.

    Raises:
        RunError: It cannot be written.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    columns = {name: _typed(row[name] for row in table.rows) for name in table.columns}
    arrays = {
        name: pyarrow.array(column, pyarrow.float64() if set(column) == {None} else None)
        for name, column in columns.items()
    }
    try:
        with replacing(path) as part:
            pyarrow.parquet.write_table(pyarrow.table(arrays), part)
    except OSError as error:
        raise _refusal(path, error) from None
    return True


def _texts(row: Row) -> list[str]:
    return ['' if value is None else _text(value) for value in row.values()]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _typed(values: Iterable[Any]) -> list[Any]:
    """Return a column of one type: numbers, else texts."""
    column = list(values)
    kinds = {type(value) for value in column if value is not None}
    if kinds <= {int} or kinds <= {bool} or kinds <= {str}:
        return column
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in column]
    return [None if value is None else _text(value) for value in column]


def _refusal(path: Path, error: OSError) -> RunError:
    return RunError(
        f'{path}: cannot write: {error.strerror or error}; finished runs are kept: '
        'free disk space and run the same again'
    )
