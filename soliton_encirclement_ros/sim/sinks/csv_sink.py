"""The two CSV tables of a run, byte for byte as the monitor of a lockstep run writes them.

A chunk becomes blocks of text, small enough for the processor's cache, each written at once.

A number is the shortest text that reads back as the same number, as Python's ``repr`` has it.

orjson prints the same digits, many times faster. It differs in when and how it writes an exponent,
and in what is not finite; those numbers, which are few, are printed by ``repr`` itself.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import orjson

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.run.run_folder import (
    AGENT_CSV, PLACE, TARGET_CSV, TARGET_HEADER, agent_header
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk, Floats, places, speeds

SMALLEST, LARGEST = 1e-4, 1e16
"""From the one up to the other ``repr`` writes no exponent, nor does orjson."""

BETWEEN_ROWS = b']],[['
"""Every row is a list of its own, since a longer separator is found faster."""

GAP = b'null'
"""What orjson writes for NaN."""

MANY = 0.05
"""From this share of rows with gaps on it is faster to fill the gaps of all rows at once."""


def rows_of(numbers: Floats) -> list[bytes]:
    """Return the text of every row, commas between the numbers.

    Args:
        numbers: At least one row of at least one number.
    """
    sizes = np.abs(numbers)
    gaps = ((sizes < SMALLEST) & (sizes > 0.0)) | ~(sizes < LARGEST)
    with_gaps = np.where(gaps, np.nan, numbers)
    text = orjson.dumps(with_gaps[:, np.newaxis], option=orjson.OPT_SERIALIZE_NUMPY)[3:-3]
    with_some = np.flatnonzero(gaps.any(axis=1))
    if len(with_some) > MANY * len(numbers):
        return _filled(text, numbers[gaps]).split(BETWEEN_ROWS)
    rows = text.split(BETWEEN_ROWS)
    for row in with_some.tolist():
        rows[row] = _filled(rows[row], numbers[row, gaps[row]])
    return rows


def _filled(text: bytes, numbers: Floats) -> bytes:
    """Return a text with numbers in its gaps, one for each."""
    return text.replace(GAP, b'%r') % tuple(numbers.tolist())


BLOCK = 2048
"""Rows of a block of text, about."""


class CsvSink:
    """``agent_telemetry.csv`` and ``target_telemetry.csv``."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        """Create both files with their headers.

        Args:
            folder: The run's folder, which exists.
            scenario: What is flown.
        """
        names = recorded_names(
            scenario.control.controller, scenario.is_filtered, scenario.is_estimated
        )
        self._starts = [b'\n%d,' % agent_id for agent_id in scenario.agent_ids]
        self._agents = CsvTable(folder / AGENT_CSV, agent_header(names))
        self._target = CsvTable(folder / TARGET_CSV, TARGET_HEADER)

    def write(self, chunk: Chunk) -> None:
        """Append a row per agent and sample, and a row of metrics per sample."""
        step = max(1, BLOCK // len(self._starts))
        for first in range(0, len(chunk.times), step):
            self._write_block(Chunk(*(column[first : first + step] for column in chunk)))

    def close(self) -> None:
        """Close both files."""
        self._agents.close()
        self._target.close()

    def _write_block(self, chunk: Chunk) -> None:
        law = chunk.agents[:, :, len(AGENT_COLUMNS) :]
        samples, agents, _ = law.shape
        times = np.repeat(chunk.times, agents).reshape(samples, agents, 1)
        place = chunk.agents[:, :, : len(PLACE)] + 0.0  # no zero has a sign, as in messages
        cells = np.concatenate([times, law, speeds(chunk)[:, :, np.newaxis], place], axis=2)
        self._agents.append(self._starts * samples, cells.reshape(samples * agents, -1))
        target = places(chunk)[1][:, : len(PLACE)] + 0.0
        cells = np.column_stack([chunk.times, chunk.metrics, target])
        self._target.append([b'\n'] * samples, cells)


class CsvTable:
    """One table; every row is written whole or not at all."""

    def __init__(self, path: Path, header: Sequence[str]) -> None:
        """Create the file with its header."""
        self._path = path
        self._file = path.open('wb', buffering=0)
        self._size = 0
        self._put((','.join(header) + '\n').encode('ascii'))

    def append(self, starts: Sequence[bytes], cells: Floats) -> None:
        """Append rows.

        Args:
            starts: The beginning of each row: a line feed, and any cells that are no floats.
            cells: The numbers that follow, (rows, columns).
        """
        if len(cells):
            parts = [b''] * (2 * len(cells))
            parts[::2], parts[1::2] = starts, rows_of(cells)
            self._put(b''.join(parts)[1:] + b'\n')

    def close(self) -> None:
        """Close the file.

        Raises:
            FileNotFoundError: It is gone.
        """
        self._file.close()
        self._path.stat()

    def _put(self, text: bytes) -> None:
        data = memoryview(text)
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError:
            rows = text.rfind(b'\n', 0, len(text) - len(data)) + 1
            with suppress(OSError):  # the first error counts
                self._file.truncate(self._size + rows)
            raise
        self._size += len(text)
