"""What can be said of a recording: plain records, filled in by ``find``.

Times are those of the recording [s]. None stands for a figure without data in the recording.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.analysis.recording import Floats, ParameterChange, Topic
from soliton_encirclement_ros.core.run.gap_recovery import GapRecovery, RingEvent
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario

Point = tuple[float, float, float]

FROM_SCENARIO, GIVEN, ESTIMATED, UNKNOWN = 'scenario', 'given', 'estimated', 'unknown'
"""Where a setting comes from."""


class FindingSettings(NamedTuple):
    """What a recording is measured by.

    Attributes:
        scenario: Bounds of the verdict and names for the pictures: what was flown, else the
            defaults; with at least as many agents as were recorded.
        target: Name of the member that is surrounded, or a fixed point [m]; None if there is none.
        radius: Wanted ring radius [m], horizontal; NaN if it cannot be known.
        radius_from: ``FROM_SCENARIO``, ``GIVEN``, ``ESTIMATED`` or ``UNKNOWN``.
        timeout: Age [s] at which a silent agent counts as gone.
        step: Time between two samples [s] where no target gives them.
        max_speed_xy: Largest horizontal speed that a vehicle takes [m/s], None if unknown.
        max_speed_z: Largest vertical speed [m/s], None if unknown.
        collision_distance: Distance of two bodies' centres below which they collide [m].
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
    """A time [s] in which an agent was down; ``end`` is None where it was never up again."""

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
        saturation: Share of its commands that ask for all the speed there is, 0 to 1.
        effort: Mean rate of change of its command [m/s^2].
        effort_total: Sum of all changes of its command [m/s].
        distance: How far it flew [m].
        mean_speed: That distance per time in which it was seen [m/s].
        failures: How often it went down.
        recoveries: How often it came up again.
        outages: When it was down, None if unknown.
        time_down: How long in all [s].
        switches: How often it gave up a neighbour on the ring.
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
"""Figures of an agent that are one number, and their units."""


class Separation(NamedTuple):
    """The smallest distance [m] of any two agents, when [s], and who (names)."""

    distance: float
    time: float
    first: str
    second: str


class Collision(NamedTuple):
    """Two bodies, by name, that were nearer than the collision distance.

    Attributes:
        first: One body: an agent, the target or the adversary.
        second: The other.
        begin: First sample of it [s].
        end: Last sample of it [s].
        distance: Smallest distance in between [m].
        time: When that was [s].
    """

    first: str
    second: str
    begin: float
    end: float
    distance: float
    time: float


class Agreement(NamedTuple):
    """Metrics computed from the recording against those published live.

    Attributes:
        samples: How many have the same time in both.
        largest: Largest difference of each metric that was measured alike, by name.
    """

    samples: int
    largest: Mapping[str, float]


class Findings(NamedTuple):
    """All about one recording.

    Attributes:
        path: The bag, or the run's folder.
        clock: As in the recording.
        start_ns: What time 0 is [ns].
        duration: From time 0 to the last message [s].
        settings: What was measured by.
        series: (S,) each: ``time`` [s], the five metrics, ``alive`` (agents heard) and
            ``min_separation`` [m]. Metrics are NaN without a target; the separation is infinite
            with fewer than two agents.
        events: Who went down or came up, and when, in order of time; the numbers are
            ``AgentFindings.agent_id``.
        closings: What followed every event, same order; None in it where there is no target.
        agents: In order of their numbers.
        min_separation: None with fewer than two agents.
        collisions: In order of their begin.
        topics: How the messages came.
        summary: The numbers of ``summary.json`` under its keys, as far as a bag can tell.
        live: Against what the monitor published; None if it did not, or never at a same time.
        problems: One line for everything that is doubtful, those of the recording first.
        observer: Who watched the replay; a ``core.run.run_observation.Witness`` for pictures.
        changes: Parameters that changed, in order of time.
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
        """First time [s] from which the verdict's bounds held, None if they never did."""
        return self.summary['settling_time_s']

    @property
    def means(self) -> Mapping[str, float | None]:
        """Mean of every metric over the last fifth, None without any."""
        return self.summary['metrics_mean']

    def name_of(self, agent_id: int) -> str:
        """Return the name of an agent that an event names by its number."""
        return next(agent.name for agent in self.agents if agent.agent_id == agent_id)
