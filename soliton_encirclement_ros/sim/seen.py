"""What was seen of a flight: what the observer of a run would have, from chunks."""

import math
from array import array

import numpy as np

from soliton_encirclement_ros.core.closings import Event
from soliton_encirclement_ros.core.metrics import METRIC_NAMES, Metrics
from soliton_encirclement_ros.core.observer import TRAIL_PERIOD, Sample, Trail
from soliton_encirclement_ros.core.topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.sim.chunk import Chunk, Floats

FAILED = 6


class Seen:
    """Series of the metrics, events, and the paths of all bodies."""

    def __init__(self, trails: bool) -> None:
        """Start with an empty record.

        Args:
            trails: Whether paths are kept.
        """
        self.series = {name: array('d') for name in ('time', *METRIC_NAMES, 'alive')}
        self.events: list[Event] = []
        self.trails: dict[str, Trail] = {}
        self.switches = 0
        self.uptime = 0.0
        self.min_separation = math.inf
        self.last: Sample | None = None
        self._keeps_trails = trails

    @property
    def down(self) -> list[int]:
        """Numbers of the agents that are down."""
        latest = {event.agent_id: event.failed for event in self.events}
        return sorted(agent_id for agent_id, failed in latest.items() if failed)

    @property
    def failures(self) -> int:
        """How often an agent went down."""
        return len([event for event in self.events if event.failed])

    @property
    def recoveries(self) -> int:
        """How often an agent came up again."""
        return len(self.events) - self.failures

    @property
    def switches_per_min(self) -> float | None:
        """Neighbour switches per agent and minute of up-time, None without any."""
        return self.switches / (self.uptime / 60.0) if self.uptime > 0.0 else None

    def see(self, chunk: Chunk) -> None:
        """Take note of some samples."""
        if not len(chunk.times):
            return
        columns = (chunk.times, *chunk.metrics.T, chunk.alive)
        for name, column in zip(self.series, columns, strict=True):
            self.series[name].frombytes(np.ascontiguousarray(column).tobytes())
        metrics = Metrics(*chunk.metrics[-1].tolist())
        separation = float(chunk.separation[-1])
        self.last = Sample(float(chunk.times[-1]), metrics, int(chunk.alive[-1]), separation)
        if self._keeps_trails:
            self._extend_trails(chunk)

    def _extend_trails(self, chunk: Chunk) -> None:
        """Keep a point of every path now and then."""
        picks = self._trail_picks(chunk.times.tolist())
        if not picks:
            return
        times, whole = chunk.times[picks].tolist(), [False] * len(picks)
        for i in range(chunk.agents.shape[1]):
            rows = chunk.agents[picks, i]
            self._add(uav(i + 1), times, rows, (rows[:, FAILED] != 0.0).tolist())
        self._add(TARGET, times, chunk.target[picks], whole)
        if len(chunk.adversary):
            self._add(ADVERSARY, times, chunk.adversary[picks], whole)

    def _trail_picks(self, times: list[float]) -> list[int]:
        """Return which samples are far enough apart in time."""
        known, picks = self.trails.get(TARGET), []
        last = known.time[-1] if known else -math.inf
        for s, time in enumerate(times):
            if time - last >= TRAIL_PERIOD:
                picks.append(s)
                last = time
        return picks

    def _add(self, name: str, times: list[float], rows: Floats, failed: list[bool]) -> None:
        trail = self.trails.setdefault(name, Trail([], [], [], []))
        places = rows[:, 0].tolist(), rows[:, 1].tolist()
        for column, values in zip(trail, (times, *places, failed), strict=True):
            column.extend(values)
