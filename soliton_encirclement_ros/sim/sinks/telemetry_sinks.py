"""Sinks, which take the chunks of a flight: their contract, and their formats by name.

A format's library is loaded only where the format is wanted. Telemetry is written in a thread,
while the engine computes the next chunk. A full disk ends a sink, not the flight.
"""

import importlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.run_folder import BAG
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.chunk import Chunk


class Sink(Protocol):
    """Takes chunks in order of time; it keeps no array of a chunk after ``write``.

    A full disk or a vanished folder raises OSError; what was written before stays readable, and
    ``close`` is then still due.
    """

    def write(self, chunk: Chunk) -> None:
        """Take some samples."""

    def close(self) -> None:
        """Put everything on disk; nothing is written afterwards."""


class FaultTolerantSink:
    """A sink that gives up at the first error; ``error`` is then one line, else empty."""

    def __init__(self, create: Callable[[], Sink], place: Path) -> None:
        """Create a sink.

        Args:
            create: Creates it; may raise OSError.
            place: Where it writes, named in the error.
        """
        self.error = ''
        self._place = place
        self._sink: Sink | None = None
        self._try(lambda: setattr(self, '_sink', create()))

    def write(self, chunk: Chunk) -> None:
        """Take some samples; drop them if the sink has ended."""
        if self._sink is not None:
            self._try(lambda: self._sink.write(chunk))

    def close(self) -> None:
        """Put everything on disk; nothing is written afterwards."""
        if self._sink is not None:
            self._try(lambda: self._sink.close())
        self._sink = None

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except OSError as error:
            reason = ' '.join((error.strerror or str(error)).split())
            self.error = (
                f'{self._place}: cannot write: {reason}; it ends here, everything before is kept: '
                'free disk space and run again'
            )
            sink, self._sink = self._sink, None
            if sink is not None:
                with suppress(OSError):  # the first error is told
                    sink.close()


class SinkFormat(NamedTuple):
    """Module and class of a sink, the library it needs besides numpy, its place in the folder."""

    module: str
    sink: str
    library: str
    place: str = ''


FORMATS = {
    'csv': SinkFormat('csv_sink', 'CsvSink', 'orjson'),
    'parquet': SinkFormat('parquet_sink', 'ParquetSink', 'pyarrow'),
    'bag': SinkFormat('bag_sink', 'BagSink', 'rosbags', BAG),
}

NO_FORMAT = 'none'


def load_format(name: str) -> Callable[[Path, Scenario], Sink]:
    """Return the class of a format's sink.

    Raises:
        RunError: There is no such format, or its library is not installed.
    """
    if name not in FORMATS:
        choices = ', '.join((*FORMATS, NO_FORMAT))
        raise RunError(f'format {name[:40]!r} must be one of {choices}')
    module, sink, library, _ = FORMATS[name]
    try:
        return getattr(importlib.import_module(f'{__package__}.{module}'), sink)
    except ModuleNotFoundError:
        raise RunError(f'format {name!r} needs {library}: pip install {library}') from None
    except ImportError as error:
        reason = ' '.join(str(error).split())[:200]
        raise RunError(f'format {name!r}: {library} cannot be loaded: {reason}') from None


def make_sinks(
    formats: Iterable[str], folder: Path, scenario: Scenario
) -> list[FaultTolerantSink]:
    """Return the sinks of a flight, one for each format.

    Args:
        formats: Names of ``FORMATS``; a name that is repeated counts once.
        folder: The run's folder, which exists.
        scenario: What will be flown.

    Raises:
        RunError: There is no such format.
    """
    makers = {name: load_format(name) for name in dict.fromkeys(formats)}
    places = {name: folder / FORMATS[name].place for name in makers}
    return [
        FaultTolerantSink(partial(make, places[name], scenario), places[name])
        for name, make in makers.items()
    ]


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
        self._thread = ThreadPoolExecutor(1, 'telemetry')
        self._waiting: deque[Future] = deque()

    def write(self, chunk: Chunk) -> None:
        """Hand a copy of some samples to the thread.

        Raises:
            Exception: A sink raised it for earlier samples.
        """
        while len(self._waiting) > MAX_WAITING:
            self._waiting[0].result()
            self._waiting.popleft()
        self._waiting.append(self._thread.submit(self._write, Chunk(*map(np.array, chunk))))

    def close(self) -> None:
        """Wait until all samples are written, and close the sinks.

        Raises:
            Exception: A sink raised it.
        """
        self._thread.shutdown()
        for sink in self._sinks:
            sink.close()
        while self._waiting:
            self._waiting.popleft().result()

    def _write(self, chunk: Chunk) -> None:
        for sink in self._sinks:
            sink.write(chunk)
