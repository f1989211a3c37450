"""The two CSV tables of a run, byte for byte as the monitor of a lockstep run writes them.

A chunk becomes one block of text. Floats are printed by ``repr`` of whole lists, which is one call
into C and gives the shortest text that reads back as the same number.
"""

from collections.abc import Sequence
from contextlib import suppress
from operator import add
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.run.run_folder import (
    AGENT_CSV,
    TARGET_CSV,
    TARGET_HEADER,
    agent_header,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk, Floats
from soliton_encirclement_ros.sim.sinks.speeds import speeds


class CsvSink:
    """``agent_telemetry.csv`` and ``target_telemetry.csv``."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        """Create both files with their headers.

        Args:
            folder: The run's folder, which exists.
            scenario: What is flown.
        """
        names = kind_of(scenario.control.controller).telemetry_names
        self._ids = scenario.agent_ids
        self._agents = CsvTable(folder / AGENT_CSV, agent_header(names))
        self._target = CsvTable(folder / TARGET_CSV, TARGET_HEADER)

    def write(self, chunk: Chunk) -> None:
        """Append a row per agent and sample, and a row of metrics per sample."""
        times = chunk.times.tolist()
        cells = np.dstack([chunk.agents[:, :, len(AGENT_COLUMNS) :], speeds(chunk)])
        starts = [f'{agent_id},{time!r},' for time in times for agent_id in self._ids]
        self._agents.append(starts, cells.reshape(len(starts), -1))
        self._target.append([f'{time!r},' for time in times], chunk.metrics)

    def close(self) -> None:
        """Close both files."""
        self._agents.close()
        self._target.close()


class CsvTable:
    """One table; every row is written whole or not at all."""

    def __init__(self, path: Path, header: Sequence[str]) -> None:
        """Create the file with its header."""
        self._path = path
        self._file = path.open('wb', buffering=0)
        self._size = 0
        self._put(','.join(header) + '\n')

    def append(self, starts: Sequence[str], cells: Floats) -> None:
        """Append rows.

        Args:
            starts: What each row begins with, up to and with a comma.
            cells: The numbers that follow, (rows, columns).
        """
        if len(starts):
            ends = repr(cells.tolist())[2:-2].replace(', ', ',').split('],[')
            self._put('\n'.join(map(add, starts, ends)) + '\n')

    def close(self) -> None:
        """Close the file.

        Raises:
            FileNotFoundError: It is gone.
        """
        self._file.close()
        self._path.stat()

    def _put(self, text: str) -> None:
        data = memoryview(text.encode('ascii'))
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError:
            with suppress(OSError):  # the first error counts
                self._file.truncate(self._size)
            raise
        self._size += len(text)
