"""Tables produced in parts: frames of pandas, written as CSV, or by pyarrow as Parquet.

Parts let long recordings fit into memory. Units are in the schema and in ``columns.json``. Unknown
values are empty in CSV and null in Parquet. Infinite values are ``inf`` in both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.run.run_folder import write_json

if TYPE_CHECKING:
    import pandas as pd

NUMBER, WHOLE, FLAG, TEXT = 'number', 'whole', 'flag', 'text'
"""Kinds of columns: float64, int64, bool and string; all nullable."""

IN_PARQUET = {NUMBER: 'float64', WHOLE: 'int64', FLAG: 'bool', TEXT: 'string'}
COLUMNS = 'columns.json'


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


def _write_csv(path: Path, table: Table) -> None:
    for number, frame in enumerate(_frames(table)):
        flags = {column.name: frame[column.name].map({True: 'true', False: 'false'})
                 for column in table.columns if column.kind == FLAG}  # fmt: skip
        frame.assign(**flags).to_csv(
            path, mode='a' if number else 'w', header=not number, index=False, lineterminator='\n'
        )


def _write_parquet(path: Path, table: Table) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([
        pa.field(name, IN_PARQUET[kind], metadata={'unit': unit, 'meaning': meaning})
        for name, unit, kind, meaning in table.columns
    ])  # fmt: skip
    with parquet.ParquetWriter(path, schema, use_dictionary=['name', 'event', 'other']) as writer:
        for frame in _frames(table):
            rows = pa.Table.from_pandas(frame, schema, preserve_index=False)
            writer.write_table(rows.replace_schema_metadata())


FORMATS = {'csv': _write_csv, 'parquet': _write_parquet}


def check_format(form: str, what: str = 'table format') -> None:
    """Refuse a format of tables that is unknown, or whose library is not installed.

    Raises:
        RunError: It is none of ``FORMATS``, or there is no pyarrow for Parquet.
    """
    if form not in FORMATS:
        raise RunError(f'{what} {form[:40]!r}: must be one of {", ".join(FORMATS)}')
    try:
        if form == 'parquet':
            import pyarrow  # noqa: F401
    except ImportError:
        line = f'{what} {form!r} needs pyarrow: pip install pyarrow; or choose csv'
        raise RunError(line) from None


def write_table(folder: Path, form: str, table: Table) -> Path:
    """Write one table into a folder, which is created if missing; return the file.

    Raises:
        RunError: The format cannot be written, or the file cannot.
    """
    check_format(form)
    path = folder / f'{table.name}.{form}'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            FORMATS[form](temporary, table)
    except OSError as error:
        raise RunError(
            f'{path}: cannot write: {error.strerror or error}; name another folder with --out'
        ) from None
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


def frame_of(table: Table) -> 'pd.DataFrame':
    """Return a table as one frame.

    ``frame.attrs['units']`` and ``frame.attrs['meanings']`` tell of each column. Whole numbers and
    flags that are unknown are ``<NA>``, other numbers NaN.
    """
    import pandas as pd

    frame = pd.concat(_frames(table), ignore_index=True)
    frame.attrs['units'] = {column.name: column.unit for column in table.columns}
    frame.attrs['meanings'] = {column.name: column.meaning for column in table.columns}
    return frame


def _frames(table: Table) -> 'Iterator[pd.DataFrame]':
    """Iterate over the rows in parts, first over the columns without rows."""
    import pandas as pd

    for part in chain([Part(0, {})], table.parts()):
        yield pd.DataFrame({column.name: _column(part, column) for column in table.columns})


def _column(part: Part, column: Column) -> Any:
    """Return the values of a column, (rows,)."""
    import pandas as pd

    values = part.values.get(column.name)
    if column.kind == TEXT:
        texts = np.empty(part.rows, object)
        texts[:] = values
        return texts
    numbers = np.broadcast_to(np.array(np.nan if values is None else values, float), part.rows)
    if column.kind == NUMBER:
        return numbers
    unknown = np.isnan(numbers)
    integers = np.where(unknown, 0.0, numbers)
    if column.kind == FLAG:
        return pd.arrays.BooleanArray(integers != 0.0, unknown)
    return pd.arrays.IntegerArray(integers.astype(np.int64), unknown)
