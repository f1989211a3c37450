"""Observer of a swarm: metrics, agents that are down, smallest separation, events.

Its record of a flight has series of the metrics, events, paths and totals, as that of the engine
(``RunRecord``); summary, progress and plots read it. What members said
of themselves comes with their true motion, where it is known.
"""

import math
from abc import ABC, abstractmethod
from array import array
from collections import defaultdict
from collections.abc import Mapping, MutableSequence, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    EVERYWHERE, Figures, SpaceBounds, is_outside, no_error, no_health, note_closest, note_error,
    note_health
)
from soliton_encirclement_ros.core.flight_statistics.filter_tally import (
    FilterTally, count_command, no_commands
)
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import RingEvent
from soliton_encirclement_ros.core.flight_statistics.near_misses import (
    LEVELS, NONE, closest_pair, counts_of, no_encounters
)
from soliton_encirclement_ros.core.laws.filter_codes import RELAXED, STOP
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES, TelemetryRow, estimate_in
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.ring.metrics import (
    METRIC_NAMES, Metrics, measure_agents, space_for_figures
)
from soliton_encirclement_ros.core.states.received_states import (
    accept_state, drop_old, empty_cache, list_cached
)
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, Pose, TargetState
)
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from velocity_mobility_ros.core.velocity_model import Vector


class Trail(NamedTuple):
    """Path of a body: times [s], east and north [m], and whether it was down."""

    time: MutableSequence[float]
    x: MutableSequence[float]
    y: MutableSequence[float]
    failed: MutableSequence[bool] | MutableSequence[int]


class ClosestPair(NamedTuple):
    """Two agents at their smallest distance [m]: when [s], and their numbers."""

    distance: float
    time: float
    first: int
    second: int


class Naming(NamedTuple):
    """An agent that others named as one whose states cannot be true.

    Attributes:
        agent_id: Its number.
        time: When it was named first [s]; ``last`` is when it was last.
        by: Number of the agent that did so first.
        times: How often it was named, by all agents together.
        reason: Why.
    """

    agent_id: int
    time: float
    by: int
    times: int
    last: float
    reason: str


NEVER_TWO = ClosestPair(math.inf, math.nan, NONE, NONE)
"""Before two agents were seen at once."""


TRAIL_PERIOD = 0.2
"""Time [s] between two points of a path."""


class RunRecord(ABC):
    """Data that every observer keeps, whether it receives messages or reads chunks.

    Attributes:
        events: Failures and recoveries with their times.
        figures: Switches of neighbours, time up, and the smallest distance, by numbers of agents.
        encounters: Encounters by threshold of ``near_misses``; None: not known.
        series: Samples of ``time`` [s], of the metrics and of ``alive``, by name.
        trails: Paths by name of the body; may be empty if no plots are drawn.
        filtered: Counts of the separation filter; None without one.
        named: Agents that others named, by the engine; of nodes their diagnostics tell it.
        outside: Positions outside the fence or the band of heights, one per agent and sample.
        estimate_errors: Rows of ``estimate_error`` by agent; none if the target broadcasts its
            state.
        last: The newest sample, None before the first.
    """

    def __init__(self) -> None:
        """Start with an empty record."""
        self.events: list[RingEvent] = []
        self.figures = Figures()
        self.encounters: tuple[int, ...] | None = (0,) * LEVELS
        self.series = {name: array('d') for name in ('time', *METRIC_NAMES, 'alive')}
        self.trails: dict[str, Trail] = {}
        self.filtered: FilterTally | None = None
        self.named: list[Naming] = []
        self.outside = 0
        self.estimate_errors: list[list[float]] = []
        self.last: ObservedSample | None = None

    @property
    @abstractmethod
    def received(self) -> set[int]:
        """Numbers of the agents of which something is received."""

    @property
    @abstractmethod
    def down(self) -> list[int]:
        """Numbers of the agents that are down."""

    def due_points(self, name: str, times: Sequence[float]) -> list[int]:
        """Return which of some times [s] are far enough apart to be points of a body's path."""
        trail, due = self.trails.get(name), []
        last = trail.time[-1] if trail else -math.inf
        for s, time in enumerate(times):
            if time - last >= TRAIL_PERIOD:
                due.append(s)
                last = time
        return due

    def extend_trail(
        self, name: str, times: list[float], x: list[float], y: list[float], failed: list[bool]
    ) -> None:
        """Add points to the path of a body: times [s], east and north [m], whether it was down."""
        trail = self.trails.setdefault(name, Trail(array('d'), array('d'), array('d'), array('b')))
        trail.time.extend(times)
        trail.x.extend(x)
        trail.y.extend(y)
        trail.failed.extend(failed)

    @property
    def switches(self) -> int:
        """How often agents gave up a neighbour."""
        return int(self.figures.switches)

    @property
    def uptime(self) -> float:
        """How long agents were up, all together [s]."""
        return float(self.figures.uptime)

    @property
    def closest(self) -> ClosestPair:
        """The two agents that came closest so far."""
        figures = self.figures
        if figures.separation == math.inf:
            return NEVER_TWO
        return ClosestPair(
            float(figures.separation), float(figures.nearest_at), int(figures.nearer),
            int(figures.further),
        )  # fmt: skip

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


SAMPLE_NAMES = (*METRIC_NAMES, 'alive', 'min_separation')
"""Names in a message with a sample."""


NEAR = 1
"""Which threshold of ``near_misses`` makes a near miss that is reported at once."""


class ObservedSample(NamedTuple):
    """The swarm at one time [s]; ``alive`` counts the agents received, separation is in m.

    ``target`` is its true position [m] and velocity [m/s] in map, which the metrics are of.
    """

    time: float
    metrics: Metrics
    alive: int
    min_separation: float
    target: Sequence[float]

    @property
    def values(self) -> list[float]:
        """The values of ``SAMPLE_NAMES``."""
        return [*self.metrics, float(self.alive), self.min_separation]


class Observer(RunRecord):
    """Collects published states and keeps the series of samples."""

    def __init__(
        self,
        swarm: SwarmParameters,
        is_filtered: bool = False,
        space: SpaceBounds = EVERYWHERE,
        settled: float | None = None,
    ) -> None:
        """Start with an empty record.

        Args:
            swarm: Radius and timeout.
            is_filtered: Whether telemetry ends with the values of a filter.
            space: Where agents may be.
            settled: Time [s] after the first sample from which the agents' estimates of the
                target are compared with it; None: they have none.
        """
        super().__init__()
        self._bounds = space
        if is_filtered:
            self.filtered = no_commands()
        self._settled = settled
        self._radius = swarm.encirclement_radius
        self._timeout = swarm.agent_state_timeout
        self._agents, self._others = empty_cache(), empty_cache()
        self._space = space_for_figures(0)
        self._beside = Figures()
        self._health: defaultdict[int, list[float]] = defaultdict(no_health)
        self.telemetry: dict[int, TelemetryRow] = {}
        self.target: TargetState | None = None
        self.adversary: AdversaryState | None = None
        self._places: dict[int, Vector] = {}
        self._errors: dict[int, list[float]] = {}
        self._met = no_encounters()
        self.near_miss_at = -math.inf
        self.alarmed: dict[int, float] = {}

    @property
    def received(self) -> set[int]:
        """Numbers of the agents received within the timeout, as of the last sample."""
        return {*list_cached(self._agents)}

    @property
    def beside(self) -> set[int]:
        """Numbers of the vehicles received that are no members of the ring, as of then."""
        return {*list_cached(self._others)}

    @property
    def down(self) -> list[int]:
        """Numbers of the agents that are down."""
        return sorted(row.agent_id for row in self.telemetry.values() if row.failed)

    def see_agent(self, now: float, state: AgentState) -> None:
        """Record an agent's state at a time [s]."""
        cache, j = self._agents if state.ring_member else self._others, state.agent_id
        (x, y, _), (vx, vy, _) = state.position, state.velocity
        if accept_state(cache, j, x, y, vx, vy, state.seq, now, self._timeout):
            self._places[j] = state.position

    def see_telemetry(self, row: TelemetryRow) -> None:
        """Take note of an agent's telemetry: failures, recoveries, switches of neighbours."""
        self.telemetry[row.agent_id] = row
        is_beside = self._others.rows[row.agent_id].is_cached
        figures = self._beside if is_beside else self.figures
        health = self._health[row.agent_id]
        if note_health(health, figures, row.failed, row.pred, row.succ, row.time):
            self.events.append(RingEvent(row.time, row.agent_id, row.failed))
        self.outside += is_outside(*row.position, *self._bounds)
        if self.filtered is not None and not row.failed:
            reason, pusher, _ = row.values[-len(FILTER_NAMES) :]
            count_command(self.filtered, row.agent_id, int(reason), int(pusher))
            if reason in (RELAXED, STOP):
                self.alarmed[row.agent_id] = row.time

    def see_target(self, now: float, target: TargetState) -> ObservedSample:
        """Record the target's state at a time [s]; return the sample it completes."""
        self.target = target
        for cache in (self._agents, self._others):
            drop_old(cache, self._timeout, now)
        agents, motion = list_cached(self._agents), (*target.position, *target.velocity)
        if len(self._space[0]) < len(agents):
            self._space = space_for_figures(len(agents))
        weights = dict.fromkeys(agents, math.nan) | dict(target.lambdas)
        metrics = measure_agents(
            self._agents.rows, agents, len(agents), motion, self._radius, weights, self._space
        )
        separation = self._separation(now, {*agents, *list_cached(self._others)})
        self.last = ObservedSample(now, metrics, len(agents), separation, motion)
        for name, value in zip(self.series, (now, *metrics, float(len(agents))), strict=True):
            self.series[name].append(value)
        if self._settled is not None:
            self._compare_estimates(now, motion, self._settled)
        self._extend_trails(now, target)
        return self.last

    def _compare_estimates(self, now: float, truth: Sequence[float], settled: float) -> None:
        """Note the errors of the estimates of this time [s], after the transient."""
        counts = now - self.series['time'][0] >= settled
        for number, row in sorted(self.telemetry.items()):
            errors = self._errors.setdefault(number, no_error())
            if counts and row.time == now and not row.failed:
                note_error(errors, estimate_in(row.values, self.filtered is not None), truth)
        self.estimate_errors = [row for _, row in sorted(self._errors.items())]

    def _extend_trails(self, now: float, target: TargetState) -> None:
        places = {uav(k): (row.position, row.failed) for k, row in self.telemetry.items()}
        places[TARGET] = (target.position, False)
        if self.adversary is not None:
            places[ADVERSARY] = (self.adversary.position, False)
        for name, (position, failed) in places.items():
            if self.due_points(name, [now]):
                self.extend_trail(name, [now], [position[0]], [position[1]], [failed])

    def _separation(self, now: float, present: set[int]) -> float:
        """Return the smallest distance of two bodies, and note encounters.

        Agents that are down count as well: by their telemetry, else until the timeout.
        """
        places = self._places
        for number, row in self.telemetry.items():
            places[number] = row.position
        by_x = sorted({*present, *self.telemetry}, key=lambda agent: (places[agent][0], agent))
        closest = closest_pair(places, by_x, len(by_x), self._met)
        note_closest(self.figures, closest, now)
        before, after = self.encounters, counts_of(self._met)
        self.encounters = after
        if before is not None and after is not None and after[NEAR] > before[NEAR]:
            self.near_miss_at = now
        return closest.distance


Said = TypeVar('Said', AgentState, TargetState, AdversaryState, TelemetryRow)

Truth = Mapping[str, Pose]
"""True position [m] and velocity [m/s, map] by name of the member."""

UNKNOWN: Truth = MappingProxyType({})
"""No true motion is known: the published states count."""


def with_true_motion(reported: Said, name: str, truth: Truth) -> Said:
    """Return a state or telemetry of a member with its true position and velocity, if known."""
    pose = truth.get(name)
    if pose is None:
        return reported
    return reported._replace(position=pose.position, velocity=pose.velocity)
