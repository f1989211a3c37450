"""Many small flights in one process, side by side: ten thousand fit into a gigabyte."""

from collections.abc import Iterator, Sequence
from typing import Any

from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine

ROOM = 128
"""Samples that a flight may wait with before it hands them out."""


class ParallelFlights:
    """Flights that know nothing of each other and share one clock.

    All of them are in memory at once: whoever wants to look at a thousand swarms at one time, or
    to stop those that are lost, advances them step by step.
    """

    def __init__(self, scenarios: Sequence[Scenario], every: int = 1) -> None:
        """Place everybody in every flight.

        Args:
            scenarios: What to fly.
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
            yield summarise(engine.scenario, engine.seen, {})
