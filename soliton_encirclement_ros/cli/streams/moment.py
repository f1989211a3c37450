"""What a viewer shows of a swarm at one moment, of a running swarm or of a recording."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.findings.finding_records import (
    AgentFindings, Findings, grouped_alarms
)
from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.analysis.report.viewer_data import (
    AGENT, OTHER, grid_of, moving_bodies
)
from soliton_encirclement_ros.analysis.resampling import (
    interpolated, latest, longest_gap, zero_order_hold
)
from soliton_encirclement_ros.cli.live.swarm_picture import (
    COLUMNS, STEP, Event, Flag, PictureUpdate, SwarmPicture, kind_of
)
from soliton_encirclement_ros.core.run.observer import SAMPLE_NAMES
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from velocity_mobility_ros.core.velocity_model import Vector

TAIL, TAIL_STEP = 10.0, 0.5
"""Time of which a trail is drawn, and between two of its points [s]."""

COLOURS = {
    AGENT: (31, 120, 230), TARGET: (26, 166, 77), ADVERSARY: (242, 140, 26),
    OTHER: (153, 153, 153),
}  # fmt: skip
RED, GREY = (217, 38, 38), COLOURS[OTHER]

BODY_SIZE = 1.5
"""Diameter [m] with which a body is drawn, larger than it is."""

RING_POINTS = 72
YAW, FLAGS = COLUMNS.index('yaw'), COLUMNS.index('flags')


class SceneBody(NamedTuple):
    """One body.

    Attributes:
        name: Its name.
        kind: As of ``kind_of``.
        place: Where it is [m, map].
        yaw: Its heading [rad], NaN if unknown.
        is_off: Whether it is down or stopped.
        trail: (K, 3) where it was [m, map].
    """

    name: str
    kind: str
    place: Vector
    yaw: float
    is_off: bool
    trail: NDArray[np.floating]

    @property
    def colour(self) -> tuple[int, int, int]:
        """Red, green and blue, 0 to 255."""
        return RED if self.is_off else COLOURS[self.kind]


class SceneMoment(NamedTuple):
    """One moment.

    Attributes:
        time: When [s].
        bodies: The visible bodies.
        ring: Its middle [m, map] and its desired radius [m], None if unknown.
        metrics: Values that are new, by name, with their ``time`` [s]; None without any.
        events: What happened since the last moment.
    """

    time: float
    bodies: list[SceneBody]
    ring: tuple[Vector, float] | None
    metrics: Mapping[str, float] | None
    events: Sequence[Event]

    @property
    def known_metrics(self) -> dict[str, float]:
        """The numbers among the metrics, in the order of ``/swarm/metrics``."""
        values = self.metrics or {}
        known = {name: values.get(name, math.nan) for name in SAMPLE_NAMES}
        return {name: value for name, value in known.items() if math.isfinite(value)}

    @property
    def ring_points(self) -> list[Vector]:
        """The ring as a closed line [m, map], empty if it is unknown."""
        if self.ring is None:
            return []
        (x, y, z), radius = self.ring
        angles = np.linspace(0.0, 2.0 * math.pi, RING_POINTS + 1).tolist()
        return [
            (x + radius * math.cos(angle), y + radius * math.sin(angle), z) for angle in angles
        ]


def live_moment(picture: SwarmPicture, update: PictureUpdate) -> SceneMoment:
    """Return the present of a running swarm.

    Args:
        picture: The picture of it.
        update: Its latest changes.
    """
    rows = picture.history.values
    bodies = []
    for name, row, path in zip(picture.names, rows[-1], rows.swapaxes(0, 1), strict=True):
        if np.isfinite(row[:3]).all():
            is_off = bool(int(row[FLAGS]) & (Flag.DOWN | Flag.STOPPED))
            trail = _trail(path[:, :3], STEP)
            kind = kind_of(name)
            bodies.append(SceneBody(name, kind, _vector(row), float(row[YAW]), is_off, trail))
    ring = _ring(bodies, picture.radius)
    return SceneMoment(picture.now, bodies, ring, update.metrics, update.events)


def recorded_moments(findings: Findings) -> Iterator[SceneMoment]:
    """Iterate over the moments of a recording, with the findings of its report."""
    agents = {agent.name: agent for agent in findings.agents}
    tracks = moving_bodies(findings)
    grid = grid_of(findings.recording.duration, max(1, len(tracks)))
    step = float(grid[1]) if len(grid) > 1 else STEP
    places = {
        name: interpolated(track.time, track.position, grid, reach=longest_gap(track.time))
        for name, track in tracks.items()
    }
    headings = {name: _heading(findings.recording.members[name], grid) for name in tracks}
    target, radius, series = findings.settings.target, findings.settings.radius, findings.series
    samples = latest(series['time'], grid)
    events, count = _events(findings), 0
    for k, now in enumerate(grid.tolist()):
        bodies = [
            SceneBody(name, _kind(name, agents, target), _vector(path[k]), headings[name][k],
                 name in agents and agents[name].is_down(now), _trail(path[: k + 1], step))
            for name, path in places.items() if np.isfinite(path[k]).all()
        ]  # fmt: skip
        is_new = samples[k] >= 0 and (k == 0 or samples[k] != samples[k - 1])
        metrics = {name: float(series[name][samples[k]]) for name in ('time', *SAMPLE_NAMES)}
        first, count = count, sum(event.time <= now for event in events)
        ring = _ring(bodies, radius, target if isinstance(target, tuple) else None)
        yield SceneMoment(now, bodies, ring, metrics if is_new else None, events[first:count])


def _vector(row: NDArray[np.floating]) -> Vector:
    x, y, z = row[:3].tolist()
    return x, y, z


def _trail(places: NDArray[np.floating], step: float) -> NDArray[np.floating]:
    """Return the trail behind the last of places (K, 3) that are a time [s] apart."""
    last = places[-max(2, round(TAIL / step)) :]
    tail = last[:: -max(1, round(TAIL_STEP / step))]
    return tail[np.isfinite(tail).all(axis=1)]


def _ring(
    bodies: Sequence[SceneBody], radius: float, point: Vector | None = None
) -> tuple[Vector, float] | None:
    centre = next((body.place for body in bodies if body.kind == TARGET), point)
    return None if centre is None or not math.isfinite(radius) else (centre, radius)


def _kind(name: str, agents: Mapping[str, AgentFindings], target: object) -> str:
    if name in agents:
        return AGENT
    return TARGET if name in (target, TARGET) else ADVERSARY


def _heading(member: Member, grid: Floats) -> list[float]:
    track = member.flown
    if track is None or not len(track.time):
        return [math.nan] * len(grid)
    return zero_order_hold(track.time, track.yaw, grid, longest_gap(track.time)).tolist()


def _events(findings: Findings) -> list[Event]:
    events = [
        Event(event.time, findings.name_of(event.agent_id), 'down' if event.failed else 'up again',
              event.failed) for event in findings.events
    ]  # fmt: skip
    alarms = grouped_alarms(findings.alarms)
    events += [Event(alarm.time, alarm.who, alarm.what, True) for alarm in alarms]
    return sorted(events, key=lambda event: event.time)
