"""Refused messages, counted by topic, with the last reason."""

from collections import Counter
from collections.abc import Callable

from velocity_mobility_ros.core.shown import counted
from velocity_mobility_ros.ros_io.conditions import Condition, Level


class Refusals:
    """Refused messages since the last status."""

    def __init__(self) -> None:
        """Start with none."""
        self._counts: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}

    def add(self, source: str, reason: str) -> None:
        """Count a refused message of a source, and store its reason."""
        self._counts[source] += 1
        self._reasons[source] = reason

    def conditions(self, resolve: Callable[[str], str]) -> list[Condition]:
        """Return one condition per source; ``resolve`` returns a topic's full name."""
        return [
            Condition(
                Level.WARN,
                f'{counted(n, "message")} refused on {resolve(source)}: {self._reasons[source]}'
            )
            for source, n in self._counts.items()
        ]


def refused_key(source: str) -> str:
    """Return the diagnostics key for the refusals of a topic."""
    return f'refused_{source.strip("/").replace("/", "_")}'
