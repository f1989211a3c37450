"""Many small flights in one process, side by side: ten thousand fit into a gigabyte."""

from collections.abc import Iterator, Sequence
from typing import Any

from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine

ROOM = 128
"""Samples that a flight may keep before it passes them on."""


class ParallelFlights:
    """Independent flights with a common clock.

    All are in memory at once: advance them step by step to compare many swarms at one time,
    or to stop those that are lost.
    """

    def __init__(self, scenarios: Sequence[Scenario], every: int = 1) -> None:
        """Place all members in every flight.

        Args:
            scenarios: Scenarios of the flights.
            every: Ticks between two samples.
        """
        self.engines = [
            Engine(scenario, every, telemetry=False, room=ROOM) for scenario in scenarios
        ]

    def advance(self, ticks: int) -> int:
        """Fly every flight that has not ended so many ticks on; return how many have not ended."""
        for engine in self.engines:
            engine.advance(ticks)
        return sum(engine.ticks < engine.scenario.ticks for engine in self.engines)

    def fly(self) -> Iterator[dict[str, Any]]:
        """Fly every flight to its end; iterate over the summaries."""
        for engine in self.engines:
            engine.fly()
            yield summarise(engine.scenario, engine.seen, engine.seen.commands.facts)
