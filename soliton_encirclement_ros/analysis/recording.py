"""Data of one recording as arrays: output of the bag reader, input of every analysis.

All times are seconds since the start of the recording (since 0 of the simulated clock where there
is one), ascending. Positions [m] and velocities [m/s] are in the map frame (ENU).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SIMULATED, HEADER, RECEIVED = 'simulated', 'header', 'received'
"""Clocks: simulated time, header stamps, or reception time of the recorder."""


class Track(NamedTuple):
    """Motion of a body, from its odometry or from its ground truth, at K times.

    Position and velocity are (K, 3), rotated to the map frame if the message has it in the body
    frame; yaw is (K,) [rad].
    """

    time: Floats
    position: Floats
    velocity: Floats
    yaw: Floats


class Commands(NamedTuple):
    """Commands to a vehicle: velocity (K, 3) in map [m/s], and yaw rate (K,) [rad/s]."""

    time: Floats
    velocity: Floats
    yaw_rate: Floats


class StateSeries(NamedTuple):
    """State messages of a member, as encoded by ``core.states.state_codec``.

    Attributes:
        time: (K,).
        seq: (K,) sequence number of the states.
        position: (K, 3).
        velocity: (K, 3).
        values: All other fields by name, (K,) each, NaN where missing: ``u``, ``u_ss``, ``age``,
            ``prop/q``; from the target ``omega_ref`` and ``uav_3/lambda``.
    """

    time: Floats
    seq: Floats
    position: Floats
    velocity: Floats
    values: Mapping[str, Floats]


class Telemetry(NamedTuple):
    """Telemetry of an agent at K times.

    Attributes:
        time: (K,).
        position: (K, 3).
        velocity: (K, 3).
        failed: (K,) whether it was down.
        pred, succ: (K,) numbers of its neighbours on the ring, -1 for none.
        values: The law's values by name, (K,) each.
    """

    time: Floats
    position: Floats
    velocity: Floats
    failed: Flags
    pred: Floats
    succ: Floats
    values: Mapping[str, Floats]


class Member(NamedTuple):
    """All recorded data of one member; None if the bag has no such topic.

    ``track`` is what the member measures; ``truth`` its true motion, where that is recorded.
    """

    name: str
    track: Track | None = None
    commands: Commands | None = None
    states: StateSeries | None = None
    telemetry: Telemetry | None = None
    truth: Track | None = None

    @property
    def flown(self) -> Track | None:
        """The true motion if it is known, else the measured one."""
        return self.track if self.truth is None else self.truth

    @property
    def motion(self) -> 'Motion | None':
        """The first series with samples of its motion: truth, odometry, telemetry, states."""
        candidates = (self.flown, self.telemetry, self.states)
        known = (series for series in candidates if series is not None and len(series.time))
        return next(known, None)


Motion = Track | Telemetry | StateSeries
"""Times, positions and velocities of a body."""

PARTS = Member._fields[1:]
"""Fields of ``Member`` with recorded data."""


class Topic(NamedTuple):
    """Statistics of the messages of a topic with its slashes, of a type ``nav_msgs/msg/Odometry``.

    Attributes:
        count: Messages, the first and the last at [s].
        rate: Messages per second between these, NaN for fewer than two.
        longest_gap: Longest time between two [s], from ``gap_at`` on; NaN for fewer than two.
        latency_median, latency_p95: Time between header stamp and reception [s], NaN without
            either.
    """

    name: str
    type: str
    count: int
    first: float
    last: float
    rate: float
    longest_gap: float
    gap_at: float
    latency_median: float
    latency_p95: float


class Source(NamedTuple):
    """A topic of a vehicle, or a body in a topic with several: ``/tf:cf1``.

    Attributes:
        member: The vehicle, by the name of its member.
        quantity: What it is used for, or could be: ``odom``, ``ground_truth``, ``cmd_vel``,
            ``telemetry``.
        role: What it is by its name: ``estimate``, ``sensor``, ``ground truth``, ``reference``,
            ``command``, or nothing.
    """

    member: str
    quantity: str
    topic: str
    type: str
    role: str
    used: bool


Value = bool | int | float | str | tuple[bool | int | float | str, ...] | None
"""Value of a parameter; None if unknown or deleted."""


class ParameterChange(NamedTuple):
    """Change of a node's parameter at a time [s]."""

    time: float
    node: str
    name: str
    old: Value
    new: Value


class StopChange(NamedTuple):
    """Order to stop, or to release, when it was first heard [s].

    The scope is the member that it is for, empty for all; the source is who gave it.
    """

    time: float
    scope: str
    stop: bool
    source: str


class StatusReport(NamedTuple):
    """A new status of a node on ``/diagnostics``, such as ``uav_1/agent: control``.

    The level is that of ``DiagnosticStatus``: 0 OK, 1 WARN, 2 ERROR, 3 STALE; the message has all
    its reasons.
    """

    time: float
    name: str
    level: int
    message: str


class BridgeChange(NamedTuple):
    """The bridge to an autopilot came into another state, or its vehicle took off or landed.

    ``name`` is the namespace of the vehicle: ``uav_1``, ``state`` that of the bridge: ``TRACK``,
    and the vehicle stands on the ground if it is landed, or not armed. ``is_of_log``: the
    autopilot's own log tells it, and no bridge.
    """

    time: float
    name: str
    state: str
    reason: str
    stands: bool = False
    is_of_log: bool = False


class LogEvent(NamedTuple):
    """What the log of an autopilot tells of a vehicle: a mode, a failsafe, a warning.

    Attributes:
        time: When it began [s].
        end: When it ended [s]; None if it did not, or has no duration.
        name: The vehicle.
        text: One line.
    """

    time: float
    end: float | None
    name: str
    text: str


class Recording(NamedTuple):
    """One flight, real or simulated.

    Attributes:
        path: The bag, or the run's folder.
        start_ns: Time 0 in the clock of the recording [ns].
        clock: ``SIMULATED``, ``HEADER`` or ``RECEIVED``.
        duration: From time 0 to the last message [s].
        members: Agents in order of their numbers, then target and adversary, by name.
        metrics: Metrics published by the monitor, by name with ``time``; None without any.
        topics: All topics of the bag, by name.
        problems: One line per item that is unusable or doubtful.
        scenario: What was flown, if the bag is in a run's folder.
        changes: Parameter changes in order of time.
        stops: Orders of the emergency stop in order of time.
        statuses: Statuses of nodes in order of time.
        bridges: States of the bridges to autopilots, in order of time.
        judged: Text on the part of a longer recording that this is; empty: all of it, or see
            ``problems``.
        sources: Topics of vehicles, used or not.
        has_unknown_distances: Whether distances of vehicles are meaningless: their origins or
            units are not known, or several publish one topic.
        doubt: Why the positions allow no verdict; empty if they do.
        fixtures: Members that are no agents, since they never move and others do.
        begin: Where a part of a longer recording begins [s].
        events: What logs of autopilots tell, in order of time.
        origin: Latitude and longitude [deg] and altitude [m] of place 0; None if unknown.
        notes: How the parts of a flight were joined, one line each; no problems.
    """

    path: Path
    start_ns: int
    clock: str
    duration: float
    members: Mapping[str, Member]
    metrics: Mapping[str, Floats] | None
    topics: tuple[Topic, ...]
    problems: tuple[str, ...]
    scenario: FlownScenario | None = None
    changes: tuple[ParameterChange, ...] = ()
    stops: tuple[StopChange, ...] = ()
    statuses: tuple[StatusReport, ...] = ()
    bridges: tuple[BridgeChange, ...] = ()
    judged: str = ''
    sources: tuple[Source, ...] = ()
    has_unknown_distances: bool = False
    doubt: str = ''
    fixtures: tuple[str, ...] = ()
    begin: float = 0.0
    events: tuple[LogEvent, ...] = ()
    origin: tuple[float, float, float] | None = None
    notes: tuple[str, ...] = ()
