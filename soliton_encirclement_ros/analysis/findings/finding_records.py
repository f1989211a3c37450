"""Records with the findings of a recording, and their conversion for ``json``.

Times are those of the recording [s]. None: the recording has no data for it. JSON has no NaN, no
infinity and no series. Alarms of many members at once are grouped. Where the truth is recorded,
``MeasurementError`` says how far members were wrong about their own motion.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL
from soliton_encirclement_ros.analysis.recording import SIMULATED, Floats, Member, Recording
from soliton_encirclement_ros.analysis.resampling import interpolated
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import GapRecovery, RingEvent
from soliton_encirclement_ros.core.flight_statistics.sample_statistics import root_mean_square
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.run.run_folder import to_plain
from velocity_mobility_ros.core.user_errors import cut

AT_ONCE = 2.0
"""Alarms of one text within this time [s] are one: nodes report once a second."""

MAX_MESSAGE_LENGTH = 500


class Alarm(NamedTuple):
    """An event of a member, a node or ``all``, in words.

    It has no end [s] if it did not end, and for an order.
    """

    time: float
    end: float | None
    who: str
    what: str


def grouped_alarms(alarms: Iterable[Alarm]) -> list[Alarm]:
    """Return alarms in order of time, merged where the text is equal and the time about equal."""
    groups: list[list[Alarm]] = []
    newest: dict[str, list[Alarm]] = {}
    for alarm in alarms:
        group = newest.get(alarm.what)
        is_repeated = group is not None and alarm.who in [known_alarm.who for known_alarm in group]
        if group is None or is_repeated or alarm.time - group[0].time > AT_ONCE:
            group = newest[alarm.what] = []
            groups.append(group)
        group.append(alarm)
    return [
        group[0]._replace(
            end=last_end(alarm.end for alarm in group), who=named([alarm.who for alarm in group])
        )
        for group in groups
    ]


def last_end(ends: Iterable[float | None]) -> float | None:
    """Return the last of some ends [s], None if there is one that did not come."""
    ends = list(ends)
    return None if None in ends else max(ends)


def one_line(message: str) -> str:
    """Return a message of any node as one line of limited length."""
    return cut(''.join(c if c.isprintable() else ' ' for c in message), MAX_MESSAGE_LENGTH)


class MeasurementError(NamedTuple):
    """Errors of a member's odometry, at the times at which it was measured.

    RMS and maximum of the distances from the true position [m] and velocity [m/s]; the longest
    time between two measurements [s] is None for fewer than two.
    """

    name: str
    position_rms: float
    position_max: float
    velocity_rms: float
    velocity_max: float
    longest_gap: float | None


def measurement_errors(members: Iterable[Member]) -> Iterator[MeasurementError]:
    """Iterate over the members with a truth and an odometry at common times."""
    for member in members:
        track, true = member.track, member.truth
        if track is None or true is None:
            continue
        time, first = np.unique(track.time, return_index=True)
        errors = [
            _distances(measured[first], interpolated(true.time, actual, time))
            for measured, actual in (
                (track.position, true.position), (track.velocity, true.velocity),
            )
        ]  # fmt: skip
        if all(len(error) for error in errors):
            gap = float(np.diff(time).max()) if len(time) > 1 else None
            figures = [(root_mean_square(error), float(error.max())) for error in errors]
            yield MeasurementError(member.name, *figures[0], *figures[1], gap)


def _distances(measured: Floats, true: Floats) -> Floats:
    """Return the distances of vectors, (K, 3) each, without unknown ones."""
    distances = np.sqrt(((measured - true) ** 2).sum(axis=1))
    return distances[np.isfinite(distances)]


Point = tuple[float, float, float]

FROM_SCENARIO, GIVEN, ESTIMATED, UNKNOWN = 'scenario', 'given', 'estimated', 'unknown'


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

    scenario: FlownScenario
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
    """One agent; for the definitions see ``docs/how_to/report.md``.

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
        return any(begin <= time and (end is None or time < end)
                   for begin, end in self.outages or ())  # fmt: skip


AGENT_UNITS = {
    'radial_error': 'm', 'tracking_rms': 'm/s', 'tracking_p95': 'm/s', 'saturation': '',
    'effort': 'm/s^2', 'effort_total': 'm/s', 'distance': 'm', 'mean_speed': 'm/s',
    'failures': '', 'recoveries': '', 'time_down': 's', 'switches': '', 'separation': 'm',
}  # fmt: skip


class Separation(NamedTuple):
    """Smallest distance between two agents [m], its time [s], and their names."""

    distance: float
    time: float
    first: str
    second: str


class Collision(NamedTuple):
    """Two bodies, agents, target or adversary, nearer than the collision distance.

    From the first to the last such sample [s]; ``distance`` is the smallest one [m], at ``time``.
    """

    first: str
    second: str
    begin: float
    end: float
    distance: float
    time: float


class Agreement(NamedTuple):
    """Differences between the computed metrics and those that the monitor published.

    ``largest`` is that of each metric with the same reference values, at samples of one time.
    """

    samples: int
    largest: Mapping[str, float]


class Findings(NamedTuple):
    """All findings of one recording.

    Attributes:
        recording: What was evaluated.
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
        summary: Values of ``summary.json`` by its keys; None if the bag has no data for them.
        live: Comparison with the published metrics; None if none have a common time.
        problems: Warnings, one line each, those of the recording first.
        observer: Observer of the replay; a ``core.run.observer.RunRecord``.
        measurements: Errors of the odometry of members whose true motion is recorded.
        alarms: Filters RELAXED or at STOP, orders of the emergency stop, faults that nodes
            reported, and degraded health of the swarm, in order of time.
        is_foreign: Whether other software flew: there is no scenario, and there are no states or
            telemetry of this package.
    """

    recording: Recording
    settings: FindingSettings
    series: Mapping[str, Floats]
    events: tuple[RingEvent, ...]
    closings: tuple[GapRecovery, ...]
    agents: tuple[AgentFindings, ...]
    min_separation: Separation | None
    collisions: tuple[Collision, ...]
    summary: Mapping[str, Any]
    live: Agreement | None
    problems: tuple[str, ...]
    observer: Observer
    alarms: tuple[Alarm, ...] = ()
    measurements: tuple[MeasurementError, ...] = ()
    is_foreign: bool = False

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
    def averages(self) -> Mapping[str, float | None]:
        """Mean of every metric over the last fifth, None without any."""
        return self.summary['metrics_mean']

    def name_of(self, agent_id: int) -> str:
        """Return the name of an agent by its number."""
        return next(agent.name for agent in self.agents if agent.agent_id == agent_id)


def as_json(findings: Findings) -> dict[str, Any]:
    """Return the findings without their series; null: unknown, or never."""
    flown, settings = findings.recording, findings.settings
    return to_plain(
        {
            'path': str(flown.path),
            'clock': flown.clock,
            'started': started(flown),
            'begin_s': flown.begin,
            'duration_s': flown.duration - flown.begin,
            **({'judged': flown.judged} if flown.judged else {}),
            **({'notes': flown.notes} if flown.notes else {}),
            'settings': {
                'scenario': settings.scenario.name,
                'target': settings.target,
                'radius_m': settings.radius,
                'radius_from': settings.radius_from,
                'timeout_s': settings.timeout,
                'max_speed_xy_m_s': settings.max_speed_xy,
                'max_speed_z_m_s': settings.max_speed_z,
                'collision_distance_m': settings.collision_distance,
                'max_e_gap': settings.scenario.run.max_e_gap,
                'max_e_r': settings.scenario.run.max_e_r,
                'settle_window_s': settings.scenario.run.settle_window,
            },
            'summary': findings.summary,
            'agents': findings.agents,
            'agent_units': AGENT_UNITS,
            'min_separation': findings.min_separation,
            'collisions': findings.collisions,
            'events': [
                {'time_s': event.time, 'agent': findings.name_of(event.agent_id),
                 'failed': event.failed, 'time_to_close_s': time_to_close, 'peak_G_max': peak}
                for event, time_to_close, peak in findings.closings
            ],
            'parameter_changes': flown.changes,
            'alarms': findings.alarms,
            'measurements': findings.measurements,
            'topics': flown.topics,
            'sources': flown.sources,
            'live': findings.live,
            'problems': findings.problems,
        }
    )  # fmt: skip


def started(recording: Recording) -> str | None:
    """Return the date and time of time 0 (UTC, ISO 8601), None if its clock tells none."""
    if recording.clock == SIMULATED or recording.start_ns < FIRST_REAL:
        return None
    begin = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    try:
        return (begin + datetime.timedelta(microseconds=recording.start_ns // 1000)).isoformat()
    except OverflowError:
        return None
