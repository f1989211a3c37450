"""Fewer samples than ticks, for files that shall be smaller."""

from soliton_encirclement_ros.sim.chunk import Chunk


class Decimation:
    """Picks the sample of every ``every``-th tick, whatever lumps they come in."""

    def __init__(self, every: int) -> None:
        """Begin before the first tick."""
        self._every = every
        self._ticks = 0

    def pick(self, chunk: Chunk) -> Chunk:
        """Return the samples to keep of the next ones, maybe none; the arrays are views."""
        first = -(self._ticks + 1) % self._every
        self._ticks += len(chunk.times)
        return Chunk(*(column[first :: self._every] for column in chunk))
