"""The contract of everything that takes the chunks of a flight."""

from typing import Protocol

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
