"""The telemetry of a run as two Parquet tables, for pandas, Arrow and everything like them.

``agents.parquet`` has a row per agent and sample, agents in order of their ids, ``target.parquet``
a row per sample. Every column's metadata name its unit, ``''`` for a bare number, and those of
a law's values their meaning.

Both tables are on disk while they grow.

A Parquet file can be read only once its end is written, so the table is a folder of files that are
whole, ``agents-00000.parquet`` and so on, which every reader takes for one table. A file has a
hidden name until it is whole: a killed writer, or a full disk, costs the last file and no more.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from soliton_encirclement_ros.controllers import kind_of, recorded_names
from soliton_encirclement_ros.core.laws.telemetry import (
    BODY_QUANTITIES, ESTIMATE_QUANTITIES, FILTER_NAMES, FILTER_QUANTITIES, Quantity
)
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, METRIC_UNITS
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from soliton_encirclement_ros.sim.chunk import (
    ADVERSARY_COLUMNS, AGENT_COLUMNS, TARGET_COLUMNS, Chunk, speeds
)

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


AGENTS_PARQUET = 'agents.parquet'
TARGET_PARQUET = 'target.parquet'

UNITS = {
    'timestamp': 's',
    **dict.fromkeys(('x', 'y', 'z', 'true_x', 'true_y', 'true_z', 'min_separation'), 'm'),
    **dict.fromkeys(('vx', 'vy', 'vz', 'cmd_vx', 'cmd_vy', 'cmd_vz', 'velocity_norm'), 'm/s'),
    **dict.fromkeys(('true_vx', 'true_vy', 'true_vz'), 'm/s'),
    'omega_ref': 'rad/s',
    **dict(zip(METRIC_NAMES, METRIC_UNITS, strict=True)),
}
"""Units of the columns that are no quantities of a law; others are bare numbers."""

KINDS = {
    'node_id': pa.int32(),
    'pred': pa.int32(),
    'succ': pa.int32(),
    **dict.fromkeys(FILTER_NAMES[:2], pa.int32()),
    'seq': pa.int64(),
    'alive': pa.int32(),
    'failed': pa.bool_(),
}
"""Types of the columns; others are float64."""

IN_MEMORY = {
    pa.float64(): np.float64,
    pa.int32(): np.int32,
    pa.int64(): np.int64,
    pa.bool_(): np.bool_,
}
"""The same types in numpy."""

PLACE = AGENT_COLUMNS[:6]
TRUE = tuple(f'true_{name}' for name in PLACE)
"""Where a member is and how it moves, while the other columns have what it measures."""

STATUS_COLUMNS = AGENT_COLUMNS[6:]


class ParquetSink:
    """``agents.parquet`` and ``target.parquet``."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        """Create the folders of both tables.

        Args:
            folder: The run's folder, which exists.
            scenario: What is flown.
        """
        law = recorded_names(
            scenario.control.controller, scenario.is_filtered, scenario.is_estimated
        )
        self._ids = np.array(scenario.agent_ids)
        # What a law publishes under the same name is the same number.
        self._first = [name for name in (*STATUS_COLUMNS, *PLACE) if name not in law]
        self._is_sensed = scenario.is_sensed
        true = TRUE if self._is_sensed else ()
        names = ('node_id', 'timestamp', *self._first, *law, 'velocity_norm', *true)
        known = {
            **BODY_QUANTITIES, **kind_of(scenario.control.controller).telemetry_quantities,
            **ESTIMATE_QUANTITIES, **FILTER_QUANTITIES,
        }  # fmt: skip
        schema = pa.schema([_field(name, known.get(name)) for name in names])
        self._agents = ParquetParts(folder / AGENTS_PARQUET, schema)
        schema = _target_schema(scenario.adversary.adversary_enable, true)
        self._target = ParquetParts(folder / TARGET_PARQUET, schema)

    def write(self, chunk: Chunk) -> None:
        """Append a row per agent and sample, and a row per sample."""
        self._agents.write(_batch(self._agents.schema, self._agent_columns(chunk)))
        self._target.write(_batch(self._target.schema, _target_columns(chunk, self._is_sensed)))

    def close(self) -> None:
        """Write the rows that wait."""
        self._agents.close()
        self._target.close()

    def _agent_columns(self, chunk: Chunk) -> Iterator[NDArray]:
        samples, agents, _ = chunk.agents.shape
        yield np.tile(self._ids, samples)
        yield np.repeat(chunk.times, agents)
        law = range(len(AGENT_COLUMNS), chunk.agents.shape[2])
        for i in (*map(AGENT_COLUMNS.index, self._first), *law):
            yield chunk.agents[:, :, i]
        yield speeds(chunk)
        if self._is_sensed:
            yield from np.moveaxis(chunk.truth[:, :agents, : len(TRUE)], 2, 0)


def _target_columns(chunk: Chunk, is_sensed: bool) -> Iterator[NDArray]:
    yield chunk.times
    yield from chunk.metrics.T
    yield chunk.alive
    yield chunk.separation
    yield from chunk.target.T
    if len(chunk.adversary):
        yield from chunk.adversary.T
    for member in range(chunk.agents.shape[1], chunk.truth.shape[1] if is_sensed else 0):
        yield from chunk.truth[:, member, : len(TRUE)].T


def _target_schema(adversary: bool, true: Sequence[str]) -> pa.Schema:
    fields = [_field(name) for name in ('timestamp', *SAMPLE_NAMES)]
    fields += [_field(name, prefix=f'{TARGET}_') for name in TARGET_COLUMNS]
    if adversary:
        fields += [_field(name, prefix=f'{ADVERSARY}_') for name in ADVERSARY_COLUMNS]
    for member in (TARGET, ADVERSARY) if adversary else (TARGET,):
        fields += [_field(name, prefix=f'{member}_') for name in true]
    return pa.schema(fields)


def _field(name: str, known: Quantity | None = None, prefix: str = '') -> pa.Field:
    quantity = known or Quantity(UNITS.get(name, ''), '')
    return pa.field(
        prefix + name, KINDS.get(name, pa.float64()), nullable=False, metadata=quantity._asdict()
    )


def _batch(schema: pa.Schema, columns: Iterable[NDArray]) -> pa.RecordBatch:
    """Return columns as a batch that shares no memory with them."""
    arrays = [_array(field.type, c) for field, c in zip(schema, columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(kind: pa.DataType, column: NDArray) -> pa.Array:
    """Return a copy of a column; ``pa.array`` would do that, too, but load pandas first."""
    values = np.array(column, IN_MEMORY[kind], order='C').ravel()
    bits = np.packbits(values, bitorder='little') if pa.types.is_boolean(kind) else values
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(bits)])
