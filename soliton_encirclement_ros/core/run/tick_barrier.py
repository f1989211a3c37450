"""Waits until all expected contributors have contributed to a tick."""

from collections.abc import Iterable


class TickBarrier:
    """Counts the contributions to one tick; each contributor counts once.

    After a timeout a missing contributor is not waited for again until it is back.
    """

    def __init__(self, expected: Iterable[str]) -> None:
        """Expect these contributors, all of them present at first."""
        self._expected = tuple(expected)
        self._absent: set[str] = set()
        self._arrived: set[str] = set()
        self.tick = 0

    def open(self, tick: int) -> None:
        """Begin a tick; earlier contributions are discarded."""
        self.tick = tick
        self._arrived = set()

    def arrive(self, name: str, tick: int) -> bool:
        """Take a contribution; return whether it counts (right tick, expected, the first one)."""
        if name not in self._expected:
            return False
        self._absent.discard(name)
        if tick != self.tick or name in self._arrived:
            return False
        self._arrived.add(name)
        return True

    @property
    def complete(self) -> bool:
        """Whether all present contributors have contributed."""
        return len(self._arrived) + len(self._absent) >= len(self._expected)

    @property
    def absent(self) -> list[str]:
        """The contributors that are absent and not waited for."""
        return [name for name in self._expected if name in self._absent]

    @property
    def deserted(self) -> bool:
        """Whether no expected contributor is present."""
        return len(self._absent) == len(self._expected)

    def missing(self) -> list[str]:
        """Return the contributors that are present and have not contributed."""
        return [
            name
            for name in self._expected
            if name not in self._arrived and name not in self._absent
        ]

    def give_up(self) -> list[str]:
        """Mark the missing as absent and return their names."""
        names = self.missing()
        self._absent.update(names)
        return names
