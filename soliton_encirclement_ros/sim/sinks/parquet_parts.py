"""A Parquet table that is on disk while it grows.

A Parquet file can be read only once its end is written, so the table is a folder of files that are
whole, ``agents-00000.parquet`` and so on, which every reader takes for one table. A file has a
hidden name until it is whole: a killed writer, or a full disk, costs the last file and no more.
"""

import time
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

PART_PERIOD = 1.0
"""Wall time [s] after which waiting rows become a file."""

PART_ROWS = 1 << 18
"""How many waiting rows become a file."""


class ParquetParts:
    """A growing table in a folder of its own."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        """Create the folder.

        Args:
            folder: ``NAME.parquet``, which must not exist.
            schema: Columns of the table.
        """
        folder.mkdir()
        self._folder = folder
        self.schema = schema
        self._parts = 0
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0
        self._wrote = time.monotonic()

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        if self._rows >= PART_ROWS or time.monotonic() - self._wrote > PART_PERIOD:
            self._end_part()

    def close(self) -> None:
        """Write the last file; a table without rows is a file without rows."""
        if self._rows or not self._parts:
            self._end_part()

    def _end_part(self) -> None:
        table = pa.Table.from_batches(self._waiting, self.schema)
        self._waiting, self._rows = [], 0
        path = self._folder / f'{self._folder.stem}-{self._parts:05d}.parquet'
        hidden = path.with_name(f'.{path.name}.part')
        try:
            _write(table, hidden)
            hidden.rename(path)
        except OSError:
            with suppress(OSError):  # the first error counts
                hidden.unlink()
            raise
        self._parts += 1
        self._wrote = time.monotonic()


def _write(table: pa.Table, path: Path) -> None:
    """Write a file; a dictionary does not pay for numbers that were measured."""
    with path.open('wb') as file:
        parquet.write_table(table, file, use_dictionary=False, compression='snappy')
