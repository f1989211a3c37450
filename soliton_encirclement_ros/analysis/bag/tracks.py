"""Tracks and other parts of a recording built from rows, and their implausible samples.

Parts are sorted by time, in seconds since the start. A sample is implausible if it is not finite,
too large, or a jump that no body can make there and back: a single sample far from the line
between its neighbours, which are near each other, is an error, not a motion. A lasting jump (a
reset estimator, a second flight) is kept and reported. Every PX4 vehicle has its own origin; where
it publishes that origin, the positions are shifted to the origin of the first vehicle.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.bag.decoding import joint_states
from soliton_encirclement_ros.analysis.bag.decoding.joint_states import by_name
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import ORIGIN, UNTRACKED
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.recording import (
    Commands, Floats, StateSeries, Telemetry, Track
)
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE


class TrackSegment(NamedTuple):
    """Numbers (M, C) over time, (M,) [ns] in the recording's clock.

    The last columns have names where they are not always the same.
    """

    times: Integers
    values: Numbers
    names: tuple[str, ...] = ()

    def sorted(self) -> 'TrackSegment':
        """Return it sorted by time; equal times keep their order of arrival."""
        if not (np.diff(self.times) < 0).any():
            return self
        return self.select(np.argsort(self.times, kind='stable'))

    def select(self, selected: NDArray[np.bool_] | Integers) -> 'TrackSegment':
        """Return some of the rows, by mask or index."""
        return self._replace(times=self.times[selected], values=self.values[selected])


def track(segment: TrackSegment, start_ns: int) -> Track:
    """Return the track of a body."""
    position, velocity, yaw = _split(segment.values, 3, 3, 1)
    return Track(seconds(segment.times, start_ns), position, velocity, yaw[:, 0])


def commands(segment: TrackSegment, start_ns: int) -> Commands:
    """Return the commands to a vehicle."""
    velocity, yaw_rate = _split(segment.values, 3, 1)
    return Commands(seconds(segment.times, start_ns), velocity, yaw_rate[:, 0])


def states(segment: TrackSegment, start_ns: int) -> StateSeries:
    """Return a member's states, with their values by name, in any order of the messages."""
    seq, position, velocity = _split(segment.values, 1, 3, 3)
    values = by_name(segment.names, segment.values[:, len(joint_states.STATE) :])
    ordered = {name: values[name] for name in sorted(values)}
    return StateSeries(seconds(segment.times, start_ns), seq[:, 0], position, velocity, ordered)


def telemetry(segment: TrackSegment, start_ns: int) -> Telemetry:
    """Return an agent's telemetry."""
    position, velocity, failed, ring = _split(segment.values, 3, 3, 1, 2)
    values = by_name(segment.names, segment.values[:, len(joint_states.COLUMNS) :])
    time = seconds(segment.times, start_ns)
    down = failed[:, 0] != 0.0
    return Telemetry(time, position, velocity, down, ring[:, 0], ring[:, 1], values)


def metrics(segment: TrackSegment, start_ns: int) -> dict[str, Floats]:
    """Return the metrics of a monitor."""
    return {'time': seconds(segment.times, start_ns), **by_name(segment.names, segment.values)}


def seconds(times: Integers, start_ns: int) -> Floats:
    """Return times [ns] as seconds since the start."""
    return (times - start_ns) / 1e9


def _split(values: Numbers, *widths: int) -> list[Numbers]:
    """Return the first columns as separate arrays."""
    return [*map(np.ascontiguousarray, np.hsplit(values, np.cumsum(widths))[:-1])]


Flags = NDArray[np.bool_]

HARDEST = 50.0
"""Maximum acceleration of a vehicle [m/s2], if its limit is unknown."""

FASTEST = 30.0
"""A path has a lasting jump if it would have been faster than this [m/s]."""

OUTLYING = 10.0
"""Factor over the 95th percentile of the distances from the neighbours' line for an outlier."""

PEAKED = 1.5
"""A spike stands out from its neighbours by this factor; 2 if it is alone, 1 if it is a step."""

CORNERED = 4.0
"""Where a path turns sharply or ends, one sample is off the line, and those around it are not."""

ROUNDS = 3
"""Adjacent spikes are found one after the other."""

FEWEST = 5
"""Minimum number of samples to judge one by the others."""

END = 2
"""Samples at either end that are judged by the next ones alone."""

END_BOUND = 8.0
"""There a sample must be off by so many times more, since it is judged from one side."""

NS = 1e-9


Checked = tuple[TrackSegment, list[str]]
"""The remaining samples, and a line for each problem found."""


def drop_untracked(segment: TrackSegment, heading: int, origin_ns: int) -> Checked:
    """Remove samples at which the body was not tracked, if its attitude is told at others.

    The column of its heading is ``UNTRACKED`` at such samples.
    """
    lost = segment.values[:, heading] == UNTRACKED
    if not lost.any():
        return segment, []
    if not np.isfinite(segment.values[:, heading]).any():  # the origin may be a place
        values = segment.values.copy()
        values[lost, heading] = np.nan
        return segment._replace(values=values), []
    edges = np.flatnonzero(np.diff(lost, prepend=False, append=False))
    since = (segment.times - origin_ns) * NS
    spells = [f'{since[begin]:.2f}..{since[end - 1]:.2f} s' for begin, end in edges.reshape(-1, 2)]
    line = (f'not tracked, position and quaternion are 0, in {np.count_nonzero(lost)} samples '
            f'({named(spells)}): left out')  # fmt: skip
    return segment.select(~lost), [line]


def coordinates(
    segment: TrackSegment, columns: slice, open_column: int | None = None
) -> Checked:
    """Remove rows whose numbers are not finite, or larger than any plausible coordinate.

    The open column may be NaN, since it is optional.
    """
    fits = np.abs(segment.values[:, columns]) <= LARGEST_COORDINATE
    if open_column is not None:
        fits[:, open_column] |= np.isnan(segment.values[:, open_column])
    sound = fits.all(axis=1)
    wrong = np.count_nonzero(~sound)
    if not wrong:
        return segment, []
    return segment.select(sound), [f'{wrong} samples are no coordinates: left out']


def motion(
    segment: TrackSegment, position: slice, velocity: slice, hardest: float, origin_ns: int
) -> Checked:
    """Remove single samples of a body that are off its path or its speed.

    ``hardest`` is its maximum acceleration [m/s2].
    """
    spikes = _off_path(segment, position, velocity, hardest)
    wrong = np.count_nonzero(spikes)
    line = f'{wrong} samples are off the path by a jump there and back: left out'
    remaining = segment.select(~spikes)
    return remaining, [*[line] * (wrong > 0), *_jumps(remaining, position, origin_ns)]


def spike_lines(
    segment: TrackSegment, position: slice, velocity: slice, hardest: float
) -> list[str]:
    """Report how many state messages are off the path; none is removed."""
    wrong = np.count_nonzero(_off_path(segment, position, velocity, hardest))
    return [f'{wrong} states are off the path by a jump there and back: kept'] * (wrong > 0)


def _off_path(segment: TrackSegment, position: slice, velocity: slice, hardest: float) -> Flags:
    steps = _steps(segment)
    if steps is None:
        return np.zeros(len(segment.times), bool)
    before, after = steps
    spikes = find_spikes(segment, position, hardest / 2.0 * before * after)
    spikes |= find_spikes(segment, velocity, hardest / 2.0 * (before + after))
    # At a late tick a member has no newer odometry: it says the same again, which is a step behind
    # its path, and not off it.
    values = np.hstack([segment.values[:, position], segment.values[:, velocity]])
    return spikes & ~np.append(False, (values[1:] == values[:-1]).all(axis=1))


def find_spikes(segment: TrackSegment, columns: slice, least: Numbers) -> Flags:
    """Return which samples are single and far off.

    A distance from the neighbours' line below ``least``, (M,), is never an outlier.
    """
    times, values = segment.times, segment.values[:, columns]
    spikes = np.zeros(len(times), bool)
    bound = np.maximum(least, OUTLYING * np.percentile(_off(times, values), 95))
    for _ in range(ROUNDS):
        rows = np.flatnonzero(~spikes)
        if len(rows) < FEWEST:
            return spikes
        off = _off(times[rows], values[rows])
        around = np.maximum(np.roll(off, 1), np.roll(off, -1))
        peaked = (off > PEAKED * around) & (off < CORNERED * around)
        is_spike = (off > bound[rows]) & peaked
        is_spike[:END] = is_spike[-END:] = False
        if not is_spike.any():
            break
        spikes[rows[is_spike]] = True
    for ends in (slice(None), slice(None, None, -1)):
        _judge_end(times[ends], values[ends], bound[ends], spikes[ends])
    return spikes


def _judge_end(times: NDArray[np.int64], values: Numbers, bound: Numbers, spikes: Flags) -> None:
    """Mark which of the first samples are off the line through the next two valid ones."""
    for i in reversed(range(END)):
        near = i + 1 + np.flatnonzero(~spikes[i + 1 : i + 1 + FEWEST])[:2]
        if len(near) == 2:
            span = float(times[near[1]] - times[near[0]])
            share = float(times[i] - times[near[0]]) / span if span else 0.0
            line = values[near[0]] + share * (values[near[1]] - values[near[0]])
            spikes[i] = np.sqrt(((values[i] - line) ** 2).sum()) > END_BOUND * bound[i]


def _off(times: NDArray[np.int64], values: Numbers) -> Numbers:
    """Return how far each sample is from the line through its neighbours, 0 at the ends, (M,)."""
    span = (times[2:] - times[:-2]).astype(float)
    share = np.full(len(span), 0.5)
    np.divide(times[1:-1] - times[:-2], span, out=share, where=span > 0)
    line = values[:-2] + share[:, None] * (values[2:] - values[:-2])
    off = np.zeros(len(times))
    off[1:-1] = np.sqrt(((values[1:-1] - line) ** 2).sum(axis=1))
    return off


def _steps(segment: TrackSegment) -> tuple[Numbers, Numbers] | None:
    """Return the times [s] from the sample before and to the next one; None for too few."""
    if len(segment.times) < FEWEST:
        return None
    steps = np.diff(segment.times) * NS
    typical = np.full(1, np.median(steps))
    steps = np.maximum(steps, typical)
    return np.concatenate([steps[:1], steps]), np.concatenate([steps, steps[-1:]])


def _jumps(segment: TrackSegment, position: slice, origin_ns: int) -> list[str]:
    """Report the largest lasting jump."""
    steps = _steps(segment)
    if steps is None:
        return []
    step = steps[1][:-1]
    way = np.sqrt((np.diff(segment.values[:, position], axis=0) ** 2).sum(axis=1))
    bound = np.maximum(FASTEST * step, OUTLYING * np.percentile(way, 99))
    jumps = np.flatnonzero(way > bound)
    if not len(jumps):
        return []
    largest = jumps[way[jumps].argmax()]
    where = f'{(int(segment.times[largest]) - origin_ns) * NS:.2f} s'
    return [f'{len(jumps)} jumps of position, the largest by {way[largest]:.2f} m at {where}']


EARTH_RADIUS = 6_371_000.0
"""Radius of the sphere of PX4's map projection [m]."""


def align_origins(bodies: Mapping[str, Numbers]) -> tuple[dict[str, Numbers], list[str], bool]:
    """Return bodies with positions from one origin, the problems, and whether it is known.

    The last columns of a body are those of its origin.
    """
    origins = {name: _origins(values[:, -len(ORIGIN) :]) for name, values in bodies.items()}
    known = [origin[0] for origin in origins.values() if len(origin)]
    problems = []
    is_common = len(bodies) < 2 or len(known) == len(bodies)
    if not is_common:
        lost = ', '.join(name for name, origin in origins.items() if not len(origin))
        problems.append(f'{lost}: PX4 does not say where the origin lies: no distances to others')
    moved_bodies = {}
    for name, values in bodies.items():
        own_origins = origins[name]
        if len(own_origins) > 1:
            problems.append(f'{name}: PX4 moved its origin {len(own_origins) - 1} times')
        body, reported = values[:, : -len(ORIGIN)].copy(), values[:, -len(ORIGIN) :]
        for i, origin in enumerate(own_origins):
            rows = (reported == origin).all(axis=1)
            if i == 0:  # what was told before the origin was known counts from the same
                rows |= ~np.isfinite(reported).all(axis=1)
            body[rows, :3] += offset(known[0], origin)
        moved_bodies[name] = body
    return moved_bodies, problems, is_common


def first_origin(bodies: Iterable[Numbers]) -> tuple[float, float, float] | None:
    """Return the origin that ``align_origins`` counts from: its place [deg, deg, m].

    Args:
        bodies: Columns of a body and its origin, (M, C) each.
    """
    known = (origin for values in bodies for origin in _origins(values[:, -len(ORIGIN) :]))
    first = next(known, None)
    return None if first is None else tuple(first.tolist())


def _origins(reported: Numbers) -> Numbers:
    """Return the different origins in order of their first message, (N, 3)."""
    known = reported[np.isfinite(reported).all(axis=1)]
    distinct, first = np.unique(known, axis=0, return_index=True)
    return distinct[np.argsort(first)]


def offset(common: Numbers, other: Numbers) -> Numbers:
    """Return the position of an origin (east, north, up) [m] from another, on PX4's sphere.

    Origins are latitude and longitude [deg], and altitude [m].
    """
    lat0, lon0, lat, lon = np.radians([common[0], common[1], other[0], other[1]])
    d_lon = lon - lon0
    # The haversine of the angle between both: its arc cosine has no digits left for few metres.
    haversine = math.sin((lat - lat0) / 2.0) ** 2
    haversine += math.cos(lat0) * math.cos(lat) * math.sin(d_lon / 2.0) ** 2
    angle = 2.0 * math.asin(min(1.0, math.sqrt(haversine)))
    scale = 1.0 if angle < 1e-12 else angle / math.sin(angle)
    # cos(lat0) sin(lat) - sin(lat0) cos(lat) cos(d_lon), without the difference of near equals.
    north = math.sin(lat - lat0) + 2.0 * math.sin(lat0) * math.cos(lat) * math.sin(d_lon / 2) ** 2
    east = math.cos(lat) * math.sin(d_lon)
    return EARTH_RADIUS * scale * np.array([east, north, 0.0]) + [0.0, 0.0, other[2] - common[2]]
