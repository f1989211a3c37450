"""A sink that a full disk ends, not the flight."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.sinks.sink import Sink


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
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        reason = ' '.join((error.strerror or str(error)).split())
        self.error = (
            f'{self._place}: cannot write: {reason}; it ends here, everything before is kept: '
            'free disk space and run again'
        )
        sink, self._sink = self._sink, None
        if sink is not None:
            with suppress(OSError):  # the first error is told
                sink.close()
