"""Records with the findings of a recording, filled by ``find``.

Times are those of the recording [s]. None: the recording has no data for it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.analysis.findings.alarm import Alarm
from soliton_encirclement_ros.analysis.findings.measurements import MeasurementError
from soliton_encirclement_ros.analysis.recording import Floats, ParameterChange, Source, Topic
from soliton_encirclement_ros.core.run.figures.gap_recovery import GapRecovery, RingEvent
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario

Point = tuple[float, float, float]

FROM_SCENARIO, GIVEN, ESTIMATED, UNKNOWN = 'scenario', 'given', 'estimated', 'unknown'
"""Source of a setting."""


class FindingSettings(NamedTuple):
    """Reference values for the evaluation of a recording.

    Attributes:
        scenario: Bounds of the verdict and names for the plots: the scenario of the run, else the
            defaults; with at least as many agents as were recorded.
        target: Name of the target, or a fixed point [m]; None without a target.
        radius: Desired horizontal ring radius [m]; NaN if unknown.
        radius_from: ``FROM_SCENARIO``, ``GIVEN``, ``ESTIMATED`` or ``UNKNOWN``.
        timeout: Age of the last state [s] above which an agent counts as lost.
        step: Time between two samples [s] if there are no target states.
        max_speed_xy: Horizontal speed limit of a vehicle [m/s], None if unknown.
        max_speed_z: Vertical speed limit of a vehicle [m/s], None if unknown.
        collision_distance: Two bodies collide if their centres are closer than this [m].
    """

    scenario: Scenario
    target: str | Point | None
    radius: float
    radius_from: str
    timeout: float
    step: float
    max_speed_xy: float | None
    max_speed_z: float | None
    collision_distance: float


class Outage(NamedTuple):
    """Interval [s] in which an agent was down; ``end`` is None if it did not recover."""

    begin: float
    end: float | None


class AgentFindings(NamedTuple):
    """One agent; for the definitions see ``docs/report.md``.

    Attributes:
        agent_id: Its number, as in events.
        name: Its name in the recording.
        radial_error: RMS of its horizontal distance from the ring [m].
        tracking_rms: RMS of commanded minus flown velocity [m/s].
        tracking_p95: 95th percentile of the norm of that difference [m/s].
        saturation: Share of its commands at the speed limit, 0 to 1.
        effort: Mean rate of change of its command [m/s^2].
        effort_total: Sum of all changes of its command [m/s].
        distance: Length of its path [m].
        mean_speed: That length divided by the time in which it was recorded [m/s].
        failures: How often it went down.
        recoveries: How often it came up again.
        outages: When it was down, None if unknown.
        time_down: How long in all [s].
        switches: How often it changed a neighbour on the ring.
        separation: Its smallest distance to another agent [m].
    """

    agent_id: int
    name: str
    radial_error: float | None
    tracking_rms: float | None
    tracking_p95: float | None
    saturation: float | None
    effort: float | None
    effort_total: float | None
    distance: float | None
    mean_speed: float | None
    failures: int | None
    recoveries: int | None
    outages: tuple[Outage, ...] | None
    time_down: float | None
    switches: int | None
    separation: float | None

    def is_down(self, time: float) -> bool:
        """Return whether it is known to be down at a time [s]."""
        return any(
            one.begin <= time and (one.end is None or time < one.end)
            for one in self.outages or ()
        )


AGENT_UNITS = {
    'radial_error': 'm',
    'tracking_rms': 'm/s',
    'tracking_p95': 'm/s',
    'saturation': '',
    'effort': 'm/s^2',
    'effort_total': 'm/s',
    'distance': 'm',
    'mean_speed': 'm/s',
    'failures': '',
    'recoveries': '',
    'time_down': 's',
    'switches': '',
    'separation': 'm',
}
"""Units of the scalar figures of an agent."""


class Separation(NamedTuple):
    """Smallest distance between two agents [m], its time [s], and their names."""

    distance: float
    time: float
    first: str
    second: str


class Collision(NamedTuple):
    """Two bodies, by name, that were nearer than the collision distance.

    Attributes:
        first: One body: an agent, the target or the adversary.
        second: The other.
        begin: First sample below the collision distance [s].
        end: Last such sample [s].
        distance: Smallest distance [m].
        time: Time of the smallest distance [s].
    """

    first: str
    second: str
    begin: float
    end: float
    distance: float
    time: float


class Agreement(NamedTuple):
    """Differences between the computed metrics and those that the monitor published.

    Attributes:
        samples: Number of samples with a common time.
        largest: Largest difference of each metric with the same reference values, by name.
    """

    samples: int
    largest: Mapping[str, float]


class Findings(NamedTuple):
    """All findings of one recording.

    Attributes:
        path: The bag, or the run's folder.
        clock: As in the recording.
        start_ns: Time 0 [ns].
        duration: From time 0 to the last message [s].
        settings: Reference values.
        series: (S,) each: ``time`` [s], the metrics, ``alive`` (agents received),
            ``min_separation`` [m] and ``filtered``, the share of agents in flight whose command
            the separation filter changed, NaN if unknown. Metrics are NaN without a target; the
            separation is infinite with fewer than two agents.
        events: Failures and recoveries in order of time; agents by ``AgentFindings.agent_id``.
        closings: Closing of the gap after each event; its values are None without a target.
        agents: In order of their numbers.
        min_separation: None with fewer than two agents.
        collisions: In order of their begin.
        topics: Statistics of the topics.
        summary: Values of ``summary.json`` by its keys; None if the bag has no data for them.
        live: Comparison with the published metrics; None if none have a common time.
        problems: Warnings, one line each, those of the recording first.
        observer: Observer of the replay; a ``core.run.run_observation.RunObservation``.
        changes: Parameter changes in order of time.
        measurements: Errors of the odometry of members whose true motion is recorded.
        alarms: When filters were RELAXED or at STOP, orders of the emergency stop, faults that
            nodes reported, and when the swarm was not well, in order of time.
        judged: As in the recording.
        sources: As in the recording.
        is_foreign: Whether other software recorded it: there is no scenario, and nobody published
            states or telemetry of this package.
        begin: As in the recording.
    """

    path: Path
    clock: str
    start_ns: int
    duration: float
    settings: FindingSettings
    series: Mapping[str, Floats]
    events: tuple[RingEvent, ...]
    closings: tuple[GapRecovery, ...]
    agents: tuple[AgentFindings, ...]
    min_separation: Separation | None
    collisions: tuple[Collision, ...]
    topics: tuple[Topic, ...]
    summary: Mapping[str, Any]
    live: Agreement | None
    problems: tuple[str, ...]
    observer: Observer
    changes: tuple[ParameterChange, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    measurements: tuple[MeasurementError, ...] = ()
    judged: str = ''
    sources: tuple[Source, ...] = ()
    is_foreign: bool = False
    begin: float = 0.0

    @property
    def encircled(self) -> bool | None:
        """The verdict, None without a target."""
        return self.summary['verdict']['encircled']

    @property
    def why(self) -> str:
        """The reason of the verdict."""
        return self.summary['verdict']['why']

    @property
    def settling_time(self) -> float | None:
        """Time [s] from which the verdict's bounds held, None if they never did."""
        return self.summary['settling_time_s']

    @property
    def means(self) -> Mapping[str, float | None]:
        """Mean of every metric over the last fifth, None without any."""
        return self.summary['metrics_mean']

    def name_of(self, agent_id: int) -> str:
        """Return the name of an agent by its number."""
        return next(agent.name for agent in self.agents if agent.agent_id == agent_id)
