"""Tables produced in parts, written to files atomically, and as frames of pandas.

Parts let long recordings fit into memory. Units are in the schema and in ``columns.json``. Unknown
values are empty in CSV and null in Parquet. Infinite values are ``inf`` in both.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv, parquet

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.run_folder import write_json

if TYPE_CHECKING:
    import pandas as pd


NUMBER, WHOLE, FLAG, TEXT = 'number', 'whole', 'flag', 'text'
"""Kinds of columns: float64, int64, bool and string; all nullable."""


class Column(NamedTuple):
    """A column: its name, its unit (empty for a bare number), its kind and what it means."""

    name: str
    unit: str = ''
    kind: str = NUMBER
    meaning: str = ''


class Table(NamedTuple):
    """A table.

    Attributes:
        name: Name of the file, without suffix.
        columns: In order.
        parts: Returns an iterator over the rows in parts.
    """

    name: str
    columns: Sequence[Column]
    parts: Callable[[], Iterator['Part']]


class Part(NamedTuple):
    """Rows of a table, by column: an array or list, or one value for all rows.

    Missing columns and NaN are unknown.
    """

    rows: int
    values: Mapping[str, Any]


KINDS = {NUMBER: pa.float64(), WHOLE: pa.int64(), FLAG: pa.bool_(), TEXT: pa.string()}
IN_MEMORY = {NUMBER: np.float64, WHOLE: np.int64, FLAG: np.bool_}

BLOCK = 1 << 16
"""Rows that are written at once."""

COLUMNS = 'columns.json'


@contextmanager
def _csv_writer(path: Path, schema: pa.Schema) -> Iterator[csv.CSVWriter]:
    """Open a CSV file; pyarrow would put quotes around the names of the columns."""
    options = csv.WriteOptions(include_header=False)
    with path.open('wb') as file:
        file.write((','.join(schema.names) + '\n').encode())
        with csv.CSVWriter(file, schema, write_options=options) as writer:
            yield writer


def _parquet_writer(path: Path, schema: pa.Schema) -> parquet.ParquetWriter:
    return parquet.ParquetWriter(path, schema, use_dictionary=['name', 'event', 'other'])


FORMATS: dict[str, Callable[[Path, pa.Schema], AbstractContextManager[Any]]] = {
    'csv': _csv_writer,
    'parquet': _parquet_writer,
}


def write_table(folder: Path, form: str, table: Table) -> Path:
    """Write one table into a folder, which is created if missing; return the file.

    Raises:
        RunError: There is no such format, or the file cannot be written.
    """
    if form not in FORMATS:
        raise RunError(f'table format {form[:40]!r}: must be one of {", ".join(FORMATS)}')
    path = folder / f'{table.name}.{form}'
    part = path.with_name(f'.{path.name}.part')
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FORMATS[form](part, schema_of(table)) as writer:
            for batch in batches(table):
                writer.write_batch(batch)
        os.replace(part, path)
    except OSError as error:
        raise RunError(
            f'{path}: cannot write: {error.strerror or error}; name another folder with --out'
        ) from None
    finally:
        with suppress(OSError):  # it was renamed, or never made
            part.unlink()
    return path


def write_units(folder: Path, tables: Sequence[Table]) -> Path:
    """Write the meaning of the columns of all tables; return the file.

    Raises:
        RunError: It cannot be written.
    """
    path = folder / COLUMNS
    try:
        write_json(
            path, {table.name: [column._asdict() for column in table.columns] for table in tables}
        )
    except OSError as error:
        raise RunError(f'{path}: cannot write: {error.strerror or error}') from None
    return path


def schema_of(table: Table) -> pa.Schema:
    """Return the columns of a table; the metadata of each hold ``unit`` and ``meaning``."""
    return pa.schema(
        [
            pa.field(name, KINDS[kind], metadata={'unit': unit, 'meaning': meaning})
            for name, unit, kind, meaning in table.columns
        ]
    )


def batches(table: Table) -> Iterator[pa.RecordBatch]:
    """Iterate over the rows of a table in blocks."""
    schema = schema_of(table)
    for part in table.parts():
        for start in range(0, part.rows, BLOCK):
            rows = slice(start, min(start + BLOCK, part.rows))
            arrays = [_array(part, column.name, column.kind, rows) for column in table.columns]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(part: Part, name: str, kind: str, rows: slice) -> pa.Array:
    count, values = rows.stop - rows.start, part.values.get(name)
    if values is None:
        return pa.nulls(count, KINDS[kind])
    if isinstance(values, (str, int, float)):
        return pa.repeat(pa.scalar(values, KINDS[kind]), count)
    if isinstance(values, list):
        return pa.array(values[rows], KINDS[kind])
    return _from_numpy(values[rows], kind)


def _from_numpy(values: NDArray[Any], kind: str) -> pa.Array:
    """Return a column with NaN as null; ``pa.array`` does the same but loads pandas first."""
    floats = np.array(values, np.float64, order='C')
    unknown = np.isnan(floats)
    known = np.packbits(~unknown, bitorder='little') if unknown.any() else None
    floats[unknown & (kind != NUMBER)] = 0.0
    typed = floats.astype(IN_MEMORY[kind])
    bits = np.packbits(typed, bitorder='little') if kind == FLAG else typed
    valid = None if known is None else pa.py_buffer(known)
    return pa.Array.from_buffers(KINDS[kind], len(typed), [valid, pa.py_buffer(bits)])


def frames_of(tables: Sequence[Table]) -> 'dict[str, pd.DataFrame]':
    """Return a frame for each table, by name.

    ``frame.attrs['units']`` and ``frame.attrs['meanings']`` tell of each column. Whole numbers and
    flags that are unknown are ``<NA>``, other numbers NaN.

    Raises:
        RunError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise RunError('frames need pandas: pip install pandas') from None
    kinds = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    found = {}
    for table in tables:
        rows = pa.Table.from_batches(batches(table), schema_of(table))
        frame = rows.to_pandas(types_mapper=kinds.get)
        frame.attrs['units'] = {column.name: column.unit for column in table.columns}
        frame.attrs['meanings'] = {column.name: column.meaning for column in table.columns}
        found[table.name] = frame
    return found
