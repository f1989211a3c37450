"""Tables produced in parts: frames of pandas, written as CSV, or by pyarrow as Parquet.

Parts let long recordings fit into memory. Units are in the schema and in ``columns.json``. Unknown
values are empty in CSV and null in Parquet. Infinite values are ``inf`` in both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, writing
from soliton_encirclement_ros.core.run.run_folder import write_json

if TYPE_CHECKING:
    import pandas as pd

NUMBER, WHOLE, FLAG, TEXT = 'number', 'whole', 'flag', 'text'
"""Kinds of columns, all of which may have unknown values."""

IN_PARQUET = {NUMBER: 'float64', WHOLE: 'int64', FLAG: 'bool', TEXT: 'string'}
IN_PANDAS = {NUMBER: 'float64', WHOLE: 'Int64', FLAG: 'boolean', TEXT: 'object'}
COLUMNS = 'columns.json'


class Column(NamedTuple):
    """A column: its name, its unit (empty for a bare number), its kind and what it means."""

    name: str
    unit: str = ''
    kind: str = NUMBER
    meaning: str = ''


Part = Mapping[str, Any]
"""Rows of a table, by column: an array or list, or one value for all rows.

Missing columns and NaN are unknown.
"""


class Table(NamedTuple):
    """A table: the name of its file without suffix, its columns, and how to get its rows."""

    name: str
    columns: Sequence[Column]
    parts: Callable[[], Iterator[Part]]


def write_csv(path: Path, frame: 'pd.DataFrame', is_first: bool = True) -> None:
    """Write a frame, flags as ``true`` and ``false``; one that is not the first is appended."""
    flags = {name: frame[name].map({True: 'true', False: 'false'})
             for name in frame.columns if frame[name].dtype == 'boolean'}  # fmt: skip
    frame.assign(**flags).to_csv(
        path, mode='w' if is_first else 'a', header=is_first, index=False, lineterminator='\n'
    )


def _write_csv(path: Path, table: Table) -> None:
    for number, frame in enumerate(_frames(table)):
        write_csv(path, frame, number == 0)


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
    with writing(path, advice='; name another folder with --out'):
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            FORMATS[form](temporary, table)
    return path


def write_units(folder: Path, tables: Sequence[Table]) -> Path:
    """Write the meaning of the columns of all tables; return the file.

    Raises:
        RunError: It cannot be written.
    """
    path = folder / COLUMNS
    with writing(path):
        write_json(
            path, {table.name: [column._asdict() for column in table.columns] for table in tables}
        )
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

    types = {column.name: IN_PANDAS[column.kind] for column in table.columns}
    for part in chain([{}], table.parts()):
        yield pd.DataFrame(part, columns=list(types)).astype(types)
