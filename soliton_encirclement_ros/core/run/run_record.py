"""Record of a flight: series of the metrics, events, paths, and totals."""

import math
from array import array
from typing import NamedTuple

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent
from soliton_encirclement_ros.core.run.separation.filter_tally import FilterTally
from soliton_encirclement_ros.core.run.separation.near_misses import LEVELS, NONE


class Trail(NamedTuple):
    """Path of a body: times [s], east and north [m], and whether it was down."""

    time: list[float]
    x: list[float]
    y: list[float]
    failed: list[bool]


class Approach(NamedTuple):
    """Two agents at their smallest distance [m]: when [s], and their numbers."""

    distance: float
    time: float
    first: int
    second: int


NEVER_TWO = Approach(math.inf, math.nan, NONE, NONE)
"""Before two agents were seen at once."""


class RunRecord:
    """Data that every observer keeps, whether it receives messages or reads chunks."""

    def __init__(self) -> None:
        """Start with an empty record."""
        self.events: list[RingEvent] = []
        self.switches = 0
        self.uptime = 0.0
        self.closest = NEVER_TWO
        self.encounters: tuple[int, ...] | None = (0,) * LEVELS
        self.series = {name: array('d') for name in ('time', *METRIC_NAMES, 'alive')}
        self.trails: dict[str, Trail] = {}
        self.filtered: FilterTally | None = None
        self.outside = 0
        self.estimate_errors: list[list[float]] = []

    @property
    def min_separation(self) -> float:
        """Smallest distance of two agents so far [m]."""
        return self.closest.distance

    @property
    def near_misses_per_min(self) -> tuple[float | None, ...]:
        """Encounters per minute by threshold; None where they or the time are not known."""
        times = self.series['time']
        minutes = (times[-1] - times[0]) / 60.0 if len(times) else 0.0
        if self.encounters is None or not minutes > 0.0:
            return (None,) * LEVELS
        return tuple(count / minutes for count in self.encounters)

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
