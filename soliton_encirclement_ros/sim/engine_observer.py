"""Observer of a flight in the engine: the data of a run's observer, computed from chunks."""

from collections.abc import Iterator

import numpy as np

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import CommandRecord, Figures
from soliton_encirclement_ros.core.flight_statistics.filter_tally import FilterTally
from soliton_encirclement_ros.core.flight_statistics.near_misses import counts_of
from soliton_encirclement_ros.core.ring.metrics import Metrics
from soliton_encirclement_ros.core.run.observer import Naming, ObservedSample, RunRecord
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.sim.chunk import Chunk, places
from soliton_encirclement_ros.swarm.memory import Counts, FlightMemory
from soliton_encirclement_ros.swarm.neighbour_checks import REASONS

FAILED = 6


class EngineObserver(RunRecord):
    """The record of a flight, read from chunks."""

    def __init__(self, trails: bool, agents: int, period: float) -> None:
        """Start with an empty record.

        Args:
            trails: Whether paths are kept.
            agents: How many there are.
            period: The control period [s].
        """
        super().__init__()
        self._has_trails, self._agents = trails, agents
        self.commands = CommandRecord(agents, period)

    @property
    def received(self) -> set[int]:
        """Numbers of the agents that are not down: of all of them everything is known."""
        return {*range(1, self._agents + 1)} - {*self.down}

    @property
    def down(self) -> list[int]:
        """Numbers of the agents that are down."""
        latest = {event.agent_id: event.failed for event in self.events}
        return sorted(agent_id for agent_id, failed in latest.items() if failed)

    def see_totals(self, flight: FlightMemory) -> None:
        """Take over the running figures, encounters and counts, as the kernel keeps them."""
        figures, status, tally = flight.figures, flight.status, flight.guard.tally
        self.figures = Figures(
            figures.switches, figures.uptime, figures.separation, figures.nearest_at,
            figures.nearer + 1, figures.further + 1,
        )  # fmt: skip
        self.encounters = counts_of(flight.met)
        self.named = [*_named(flight)]
        self.outside = int(status.outside)
        self.commands.beyond = int(status.beyond_limits)
        self.commands.not_finite = int(status.not_finite)
        self.commands.efforts = flight.efforts.tolist()
        self.estimate_errors = flight.estimator.errors.tolist()
        if len(tally.pushed):
            self.filtered = FilterTally(tally.reasons.tolist(), _by_number(tally.pushed))

    def see(self, chunk: Chunk) -> None:
        """Record some samples."""
        if not len(chunk.times):
            return
        columns = (chunk.times, *chunk.metrics.T, chunk.alive)
        for name, column in zip(self.series, columns, strict=True):
            self.series[name].frombytes(np.ascontiguousarray(column).tobytes())
        metrics = Metrics(*chunk.metrics[-1].tolist())
        separation = float(chunk.separation[-1])
        target = tuple(places(chunk)[1][-1, :6].tolist())
        self.last = ObservedSample(
            float(chunk.times[-1]), metrics, int(chunk.alive[-1]), separation, target
        )
        if self._has_trails:
            self._extend_trails(chunk)

    def _extend_trails(self, chunk: Chunk) -> None:
        """Keep a point of every path from time to time."""
        due = self.due_points(TARGET, chunk.times.tolist())
        if not due:
            return
        times, up = chunk.times[due].tolist(), [False] * len(due)
        agents, target, adversary = places(chunk)
        paths = {
            uav(i + 1): (agents[:, i], (chunk.agents[due, i, FAILED] != 0.0).tolist())
            for i in range(chunk.agents.shape[1])
        }
        paths[TARGET] = target, up
        if len(chunk.adversary):
            paths[ADVERSARY] = adversary, up
        for name, (rows, failed) in paths.items():
            self.extend_trail(name, times, rows[due, 0].tolist(), rows[due, 1].tolist(), failed)


def _named(flight: FlightMemory) -> Iterator[Naming]:
    """Iterate over the agents that others named."""
    for j, (time, by, count, last, why) in enumerate(flight.record.named.tolist()):
        if count:
            yield Naming(j + 1, time, int(by) + 1, int(count), last, REASONS[int(why)])


def _by_number(pushed: Counts) -> dict[int, dict[int, int]]:
    """Return who caused how many changes of whose commands, by number and place."""
    counts: dict[int, dict[int, int]] = {}
    for i, place in np.argwhere(pushed).tolist():
        counts.setdefault(i + 1, {})[place] = int(pushed[i, place])
    return counts
