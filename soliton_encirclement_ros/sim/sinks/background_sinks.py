"""Sinks in a thread: telemetry is written while the engine computes the next chunk."""

import queue
import threading
from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.sinks.sink import Sink

MAX_WAITING = 2
"""Chunks that may wait for the thread, which limits memory; with more, the engine waits."""


class BackgroundSinks:
    """Some sinks as one; a thread calls them, from the first chunk on."""

    def __init__(self, sinks: Sequence[Sink]) -> None:
        """Wait for the first chunk.

        Args:
            sinks: The sinks.
        """
        self._sinks = sinks
        self._chunks: queue.Queue[Chunk | None] = queue.Queue(MAX_WAITING)
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def write(self, chunk: Chunk) -> None:
        """Hand a copy of some samples to the thread.

        Raises:
            Exception: A sink raised it for earlier samples.
        """
        if self._error is not None:
            raise self._error
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name='telemetry', daemon=True)
            self._thread.start()
        self._chunks.put(Chunk(*map(np.array, chunk)))

    def close(self) -> None:
        """Wait until all samples are written, and close the sinks.

        Raises:
            Exception: A sink raised it.
        """
        if self._thread is not None:
            self._chunks.put(None)
            self._thread.join()
            self._thread = None
        for sink in self._sinks:
            sink.close()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        """Write chunks until the end; after an error, only take them from the queue."""
        while (chunk := self._chunks.get()) is not None:
            try:
                if self._error is None:
                    self._write(chunk)
            except Exception as error:
                self._error = error

    def _write(self, chunk: Chunk) -> None:
        for sink in self._sinks:
            sink.write(chunk)
