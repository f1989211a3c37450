"""Decimation: fewer samples than ticks, for smaller files."""

from soliton_encirclement_ros.sim.chunk import Chunk


class Decimation:
    """Selects the sample of every ``every``-th tick, for batches of any size."""

    def __init__(self, every: int) -> None:
        """Begin before the first tick."""
        self._every = every
        self._ticks = 0

    def pick(self, chunk: Chunk) -> Chunk:
        """Return the samples to keep of the next ones, possibly none; the arrays are views."""
        first = -(self._ticks + 1) % self._every
        self._ticks += len(chunk.times)
        return Chunk(*(column[first :: self._every] for column in chunk))
