"""The state of a running swarm in the form of the viewer: the data of a replay that grows.

The motion of bodies is kept on one grid of times, as the replay of a report has it.
"""

import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.report.viewer_data import describe_quantity, packed
from soliton_encirclement_ros.core.fences import Ring
from soliton_encirclement_ros.core.flight_statistics.near_misses import (
    OPEN, THRESHOLDS, closest_pair, no_encounters
)
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES, encirclement_metrics
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav, uav_id
from velocity_mobility_ros.core.velocity_model import Vector

COLUMNS = ('x', 'y', 'z', 'v', 'yaw', 'flags', 'pred', 'succ')
"""Position [m, map], speed [m/s], heading [rad], condition (see ``Flag``), and the places
of both neighbours on the ring in the list of bodies, -1 for none."""

STEPPED = COLUMNS.index('flags')
"""The first column whose values stay as they are until they change."""

STEP = 0.05
"""Time between two rows [s]."""

MOST_ROWS = 12_000
"""Rows that are kept, ten minutes; of a longer flight the first quarter is dropped."""

LONGEST_JUMP = 5.0
"""Time without news [s] over which a body has not moved straight on: that is a hole."""


class Flag:
    """Bits of the condition of a body."""

    DOWN, FILTERED, STOPPED, SILENT = 1, 2, 4, 8


class MotionHistory:
    """The recent motion of all bodies.

    Attributes:
        begin: Time of the first row [s].
        count: How many rows there are.
    """

    def __init__(self) -> None:
        """Begin without anybody."""
        self.begin, self.count = math.nan, 0
        self._values = np.full((256, 0, len(COLUMNS)), np.nan, dtype=np.float32)

    @property
    def end(self) -> float:
        """Time of the last row [s]."""
        return self.begin + STEP * (self.count - 1)

    @property
    def values(self) -> NDArray[np.float32]:
        """All rows: (rows, bodies, columns)."""
        return self._values[: self.count]

    def add(
        self, time: float, bodies: Sequence[Sequence[float]]
    ) -> tuple[int, NDArray[np.float32]]:
        """Add the state at a time; return the index of the first new row, and the new rows.

        There are none if the time is not new. Rows in between are interpolated: of a simulation
        that runs ten times as fast as real time every tenth row is seen.

        Args:
            time: When [s].
            bodies: The columns of every body, at least as many bodies as before.
        """
        latest = np.asarray(bodies, dtype=np.float32).reshape(-1, len(COLUMNS))
        capacity, before, columns = self._values.shape
        if len(latest) > before:
            more = np.full((capacity, len(latest) - before, columns), np.nan, dtype=np.float32)
            self._values = np.concatenate([self._values, more], axis=1)
        if not self.count:
            self.begin = time
        index = round((time - self.begin) / STEP)
        first = self.count
        if index < first:
            return first, self._values[first:first]
        rows = self._interpolated_rows(index - first + 1, latest)
        return self._append(rows), rows

    def _interpolated_rows(self, count: int, latest: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the rows after the last one up to the latest, which is the last of them."""
        rows = np.full((count, *latest.shape), np.nan, dtype=np.float32)
        rows[-1] = latest
        if not self.count or count == 1 or count * STEP > LONGEST_JUMP:
            return rows
        before, share = self._values[self.count - 1], np.arange(1, count)[:, None, None] / count
        rows[:-1] = before + share * (latest - before)
        rows[:-1, :, STEPPED - 1 :] = before[:, STEPPED - 1 :]  # an angle is no number to divide
        return rows

    def _append(self, rows: NDArray[np.float32]) -> int:
        """Write rows after the last one; return the index of the first one."""
        rows = rows[-MOST_ROWS:]
        if self.count + len(rows) > MOST_ROWS:
            self._drop(max(MOST_ROWS // 4, self.count + len(rows) - MOST_ROWS))
        first, end = self.count, self.count + len(rows)
        if end > len(self._values):
            more = np.full((end, *self._values.shape[1:]), np.nan, dtype=np.float32)
            self._values = np.concatenate([self._values, more])
        self._values[first:end] = rows
        self.count = end
        return first

    def _drop(self, count: int) -> None:
        count = min(count, self.count)
        left = self.count - count
        self._values[:left] = self._values[count : self.count].copy()
        self._values[left:] = np.nan
        self.begin, self.count = self.begin + STEP * count, left


SILENT_AFTER = 1.0
"""Wall time without a message from which on a body is silent [s]."""

SHOWN_METRICS = ('E_r', 'E_gap', 'rho', 'E_vr')

MOST_EVENTS = 1000

METRIC_PERIOD = 0.2
"""Time between two points of a curve [s]."""


class LiveBodyState(NamedTuple):
    """One body.

    Attributes:
        position: Where it is [m, map].
        velocity: Its velocity [m/s, map].
        yaw: Its heading [rad], NaN if unknown.
        heard_at: When it was heard last [monotonic s].
        is_down: Whether it has failed.
        is_filtered: Whether its separation filter changes its commands.
        neighbours: Numbers of its predecessor and successor on the ring, -1 for none.
    """

    position: Vector
    velocity: Vector
    yaw: float = math.nan
    heard_at: float = 0.0
    is_down: bool = False
    is_filtered: bool = False
    neighbours: tuple[float, float] = (NOBODY, NOBODY)


class Event(NamedTuple):
    """Something that happened to a body at a time [s], as text."""

    time: float
    name: str
    text: str
    is_bad: bool


class PictureUpdate(NamedTuple):
    """Changes since the last call: rows of motion from the ``first`` on, metrics, events.

    Metrics are by name, with ``time``; rows are (rows, bodies, columns), NaN where unknown.
    """

    first: int
    rows: NDArray[np.float32]
    metrics: Mapping[str, float] | None
    events: list[Event]


class SafetyBounds(NamedTuple):
    """The limits that agents keep.

    Attributes:
        separation: Least distance of two vehicles [m]; None: no filter keeps it.
        fence: Corners [m, map] of the area that they do not leave, then those of its holes.
    """

    separation: float | None = None
    fence: Sequence[Ring] = ()


class SwarmPicture:
    """The picture of one swarm.

    Attributes:
        radius: Desired radius of the ring [m], NaN until it is known.
        bounds: The limits that its agents keep, as far as known.
        stopped: Short names of those that are stopped.
        history: The motion of all bodies.
    """

    def __init__(self) -> None:
        """Begin without anybody."""
        self.radius, self.bounds = math.nan, SafetyBounds()
        self.stopped: frozenset[str] = frozenset()
        self.history = MotionHistory()
        self._bodies: dict[str, LiveBodyState] = {}
        self._order: list[str] = []
        self._weights: tuple[tuple[int, float], ...] = ()
        self._curves: dict[str, list[float]] = {name: [] for name in ('time', *SHOWN_METRICS)}
        self._events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self._new_events: list[Event] = []
        self._flags: dict[str, int] = {}
        self._met, self._near = no_encounters(), dict[tuple[int, int], int]()
        self.now = math.nan

    @property
    def names(self) -> list[str]:
        """Names of the bodies in the order of the columns."""
        return list(self._order)

    def see(self, name: str, state: LiveBodyState, now: float) -> None:
        """Take the state of a body at a time of the swarm [s]."""
        if name not in self._bodies:
            self._order.append(name)
        self._bodies[name] = state
        self.now = now if math.isnan(self.now) else max(self.now, now)

    def set_weights(self, weights: tuple[tuple[int, float], ...]) -> None:
        """Take the weights of the arcs, by the number of the agent at their start."""
        self._weights = weights

    def tell(self, name: str, text: str, is_bad: bool = False) -> None:
        """Add an event at the present time to the timeline, once it has begun."""
        if math.isnan(self.now):
            return
        event = Event(self.now, name, text, is_bad)
        self._events.append(event)
        self._new_events.append(event)

    def look(self) -> PictureUpdate | None:
        """Return the changes since the last call, None before the first data."""
        if math.isnan(self.now):
            return None
        flags = {name: self._flags_of(name) for name in self._order}
        for name, flag in flags.items():
            self._tell_changes(name, self._flags.get(name), flag)
        self._flags = flags
        self._tell_near_misses()
        rows = self.history.add(self.now, [self._columns(name) for name in self._order])
        events, self._new_events = self._new_events, []
        return PictureUpdate(*rows, self._add_metrics(), events)

    def scene(self) -> dict[str, Any]:
        """Return everything, in the form of the report's ``scene``."""
        values = self.history.values
        return {
            'begin': 0.0 if math.isnan(self.history.begin) else self.history.begin,
            'step': STEP,
            'count': self.history.count,
            'names': self._order,
            'kinds': [kind_of(name) for name in self._order],
            'columns': COLUMNS,
            'rows': packed(values.reshape(-1)),
            'bounds': self.bounds._asdict(),
            'radius': self.radius if math.isfinite(self.radius) else None,
            'metrics': [
                {
                    **describe_quantity(name),
                    't': packed(self._curves['time']), 'y': packed(self._curves[name]),
                } for name in SHOWN_METRICS
            ],
            'events': [list(event) for event in self._events],
        }  # fmt: skip

    def is_down(self, name: str) -> bool:
        """Return whether a body has failed."""
        return self._bodies[name].is_down

    def ages(self) -> Mapping[str, float]:
        """Return the wall time since each body was heard [s]."""
        now = time.monotonic()
        return {name: now - self._bodies[name].heard_at for name in self._order}

    def _columns(self, name: str) -> tuple[float, ...]:
        body = self._bodies[name]
        pred, succ = (self._place(k) for k in body.neighbours)
        if self._flags[name] & Flag.SILENT:
            return (*(math.nan,) * 5, self._flags[name], NOBODY, NOBODY)
        speed = math.hypot(*body.velocity)
        return (*body.position, speed, body.yaw, self._flags[name], pred, succ)

    def _place(self, number: float) -> int:
        """Return the place of an agent among the columns."""
        name = uav(int(number)) if number >= 0 else ''
        return self._order.index(name) if name in self._bodies else NOBODY

    def _flags_of(self, name: str) -> int:
        body = self._bodies[name]
        is_silent = time.monotonic() - body.heard_at > SILENT_AFTER
        return (
            Flag.DOWN * body.is_down
            | Flag.FILTERED * body.is_filtered
            | Flag.STOPPED * bool({'all', name} & self.stopped)
            | Flag.SILENT * is_silent
        )

    def _tell_changes(self, name: str, before: int | None, flags: int) -> None:
        for flag, begins, ends in CHANGES:
            if before is not None and (before ^ flags) & flag:
                self.tell(name, begins if flags & flag else ends, bool(flags & flag))

    def _tell_near_misses(self) -> None:
        """Add an event for each pair that has come nearer than a further threshold."""
        agents = {uav_id(name): body for name, body in self._bodies.items() if uav_id(name)}
        places = {k: body.position for k, body in agents.items()}
        present = [k for k in places if not self._flags[uav(k)] & (Flag.DOWN | Flag.SILENT)]
        present.sort(key=lambda k: (places[k][0], k))
        closest_pair(places, present, len(present), self._met)
        met, before, self._near = self._met, self._near, {}
        for e in range(met.tally[OPEN]):
            pair, depth = (met.first[e], met.second[e]), met.depth[e]
            self._near[pair] = depth
            if depth > before.get(pair, 0):
                text = f'nearer than {THRESHOLDS[depth - 1]:g} m to {uav(pair[1])}'
                self.tell(uav(pair[0]), text, is_bad=True)

    def _add_metrics(self) -> Mapping[str, float] | None:
        """Return the metrics of the present if it is time for a point of the curves."""
        times = self._curves['time']
        if times and self.now - times[-1] < METRIC_PERIOD:
            return None
        target = self._bodies.get(TARGET)
        if target is None or not math.isfinite(self.radius):
            return None
        alive = [
            AgentState(uav_id(name), 0, body.position, body.velocity)
            for name, body in self._bodies.items()
            if uav_id(name) is not None and not self._flags[name] & (Flag.DOWN | Flag.SILENT)
        ]
        values = encirclement_metrics(
            alive, target.position, target.velocity, self.radius, self._weights
        )
        point = {
            'time': self.now, **dict(zip(METRIC_NAMES, values, strict=True)), 'alive': len(alive)
        }
        for name, curve in self._curves.items():
            curve.append(point[name])
            del curve[:-MOST_POINTS]
        return point


MOST_POINTS = 6000

CHANGES = (
    (Flag.DOWN, 'down', 'up again'),
    (Flag.STOPPED, 'stopped by the operator', 'released'),
    (Flag.SILENT, 'silent', 'heard again'),
)
"""Texts of the timeline for flags."""


def kind_of(name: str) -> str:
    """Return what the viewer draws for a body."""
    if uav_id(name) is not None:
        return 'agent'
    return name if name in (TARGET, ADVERSARY) else 'other'
