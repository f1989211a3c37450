"""Whether positions and velocities can be those of vehicles in one map: units, origins, axes.

Bodies that are in the same place all the time are probably one under two names.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.topic_names import (
    BASE_FRAMES, VEHICLES, last_part, name_words
)
from soliton_encirclement_ros.analysis.recording import Floats, Member, Track
from soliton_encirclement_ros.analysis.resampling import interpolated
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from velocity_mobility_ros.core.user_errors import shown

NEAR = 0.5
"""Separate bodies that stay nearer than this [m] would have collided."""

FAR = 2.0
"""A body that moved less than this [m] may be parked beside another, or have its own origin."""

SAMPLES = 20
MOST = 100
"""Above this number of bodies there is no search: it compares pairs."""


def duplicate_tracks(members: Mapping[str, Member]) -> Iterator[str]:
    """Iterate over a line for every possible duplicate."""
    tracks = {name: member.flown for name, member in members.items() if member.flown is not None}
    tracks = {
        name: track for name, track in tracks.items() if len(track.time) and _reach(track) > FAR
    }
    if len(tracks) > MOST:
        return
    while tracks:
        first = next(iter(tracks))
        track = tracks.pop(first)
        far = {name: max_distance(track, other) for name, other in tracks.items()}
        near = {name: distance for name, distance in far.items() if distance < NEAR}
        tracks = {name: track for name, track in tracks.items() if name not in near}
        if near:
            *others, last = [first, *near]
            yield (
                f'{", ".join(others)} and {last} stay within {max(near.values()):.2f} m of each '
                'other: if they are one body, say by a map file (--map) which topic to use'
            )


def max_distance(first: Track, second: Track) -> float:
    """Return the largest distance [m] at some times, infinite if they have no time in common."""
    if not len(first.time) or not len(second.time):
        return np.inf
    start, end = max(first.time[0], second.time[0]), min(first.time[-1], second.time[-1])
    if not start < end:
        return np.inf
    when = np.linspace(start, end, SAMPLES)
    between = np.subtract(
        *(interpolated(track.time, track.position, when, longest=np.inf)
          for track in (first, second))
    )
    return float(np.sqrt((between * between).sum(axis=1)).max())


FASTEST = 150.0
"""Median speed [m/s] that no vehicle of a swarm has."""

ONE_PLACE, ONE_POINT = 0.1, 0.05
"""Distances [m] in which two vehicles cannot be; the latter in a frame that they share."""

SHARED_FRAMES = ('map', 'world', 'earth')
"""Frames that several vehicles share (REP-105): in simulations they may begin at one place."""

DEGREES = (1e-6, 1e-4)
"""Way in degrees as a part of that in metres, with room: 1 degree is 111 km."""

ENOUGH = 20
"""Samples from which on an alternation is no accident."""

RIVALS = 8
"""Number of samples in which a place that a topic alternates with comes again."""

OFTEN = 0.3
"""Share of the samples that are followed by another place, and soon by one near their own."""

STILL = 0.05
"""A body whose positions keep within this [m] never moves."""

MIDDLE = (5.0, 95.0)
"""Percentiles between which a body moves most of the time."""


class FramedTrack(NamedTuple):
    """Track of a member from its first sample on, and its frame."""

    member: str
    frame: str
    track: Track


Doubt = tuple[str, str]
"""Why positions cannot be judged: the line for the problems, and the reason in short."""


def doubtful_positions(
    time: Floats, place: Floats, velocity: Floats | None, children: Collection[str]
) -> Doubt | None:
    """Return why positions of a topic are not those of one body in metres; None if they are.

    Args:
        time: (K,) [s].
        place: (K, 3) as recorded.
        velocity: (K, 3) [m/s], None if the topic has none.
        children: Frames of bodies that its messages name.
    """
    far, owners = _alternation(place), {_owner(child) for child in children} - {''}
    if far or len(owners) > 1:
        lines = [f'positions alternate between places {far:.2f} m apart'] * (far > 0.0)
        if len(owners) > 1:
            names = [name if name.isprintable() else shown(name) for name in sorted(children)]
            lines.append(f'{len(owners)} child frames on one topic ({named(names)})')
        line = (f'{", ".join(lines)}: more than one publisher; give each vehicle a namespace, or '
                'remap its topic')  # fmt: skip
        return line, 'several publishers share a topic'
    passed = np.diff(time)
    ways = np.linalg.norm(np.diff(place, axis=0), axis=1)
    speeds = ways[passed > 0.0] / passed[passed > 0.0]
    typical = float(np.median(speeds)) if len(speeds) else 0.0
    if typical > FASTEST:
        line = f'moves at {typical:.0f} m/s: are its positions in mm? they must be in m'
        return line, 'positions are hardly in metres'
    share = 0.0 if velocity is None else _share_of_way(passed, place[:, :2], velocity[:, :2])
    if DEGREES[0] < share < DEGREES[1] and np.abs(place[:, :2]).max() <= 180.0:
        line = (f'moves {share:.0e} of the way that its twist tells: are its positions in degrees '
                '(longitude, latitude)? they must be in m, as navsat_transform_node of '
                'robot_localization makes them')  # fmt: skip
        return line, 'positions are hardly in metres'
    return None


def _share_of_way(passed: Floats, place: Floats, velocity: Floats) -> float:
    """Return the horizontal path length as a share of that by the velocity, 0 for a short one."""
    way = float(np.linalg.norm(np.diff(place, axis=0), axis=1).sum())
    expected = float((np.linalg.norm(velocity[:-1], axis=1) * passed).sum())
    return way / expected if expected > FAR else 0.0


def _alternation(place: Floats) -> float:
    """Return the distance [m] of the places between which positions alternate, 0 for none."""
    steps = np.linalg.norm(np.diff(place, axis=0), axis=1)
    least = max(ENOUGH, OFTEN * len(steps))
    if np.count_nonzero(steps > NEAR) < least:
        return 0.0
    nearest = np.full(len(steps), np.inf)
    for k in range(2, RIVALS + 1):
        again = np.linalg.norm(place[k:] - place[:-k], axis=1)
        np.minimum(nearest[: len(again)], again, out=nearest[: len(again)])
    back = (steps > NEAR) & (nearest < steps / 5.0)
    return float(np.median(steps[back])) if np.count_nonzero(back) >= least else 0.0


def _owner(child: str) -> str:
    """Return the owner of a child frame: ``uav_1`` of ``uav_1/base_link`` and of ``uav_1``."""
    space, _, last = child.rpartition('/')
    return space or (last if last not in BASE_FRAMES else '')


def origins_apart(bodies: Sequence[FramedTrack], is_foreign: bool) -> Iterator[str]:
    """Iterate over a line on vehicles at one place of a frame that may be each one's own.

    A frame that vehicles share by its name may be each one's own in a foreign recording only.
    """
    groups: dict[str, list[FramedTrack]] = {}
    for body in bodies:
        is_shared = body.frame in SHARED_FRAMES
        if not is_shared or is_foreign:
            groups.setdefault(body.frame if is_shared else last_part(body.frame), []).append(body)
    for name, group in sorted(groups.items()):
        frames = sorted({body.frame for body in group})
        places = np.array([body.track.position[0] for body in group])
        if len(group) < 2:
            continue
        if last_part(name) not in SHARED_FRAMES and np.ptp(places, axis=0).max() < ONE_PLACE:
            names = [body.member for body in group]
        else:
            names = _at_one_point(group)
        if names:
            place = f'one place of {named([repr(frame) for frame in frames])}'
            first = group[0].track
            together = all(max_distance(first, body.track) < NEAR for body in group[1:])
            yield (
                f'{named(names)} are at {place} all the time: each has an origin of its own, or '
                'they are one body; distances mean nothing'
                if together and len(names) == len(group) else
                f'{named(names)} begin at {place}: probably each has an origin of its own, and '
                'distances mean nothing'
            )  # fmt: skip


def _at_one_point(group: Sequence[FramedTrack]) -> list[str]:
    """Return members that are at one point when the last of them begins, as no two can be."""
    when = max(body.track.time[0] for body in group)
    group = [body for body in group if body.track.time[-1] > when]
    places = np.array([
        [np.interp(when, body.track.time, column) for column in body.track.position.T]
        for body in group
    ])  # fmt: skip
    names: dict[str, None] = {}
    for k, body in enumerate(group[:-1]):
        near = np.linalg.norm(places[k + 1 :] - places[k], axis=1) < ONE_POINT
        for other in (group[k + 1 + i] for i in np.flatnonzero(near)):
            if body.frame != other.frame or max_distance(body.track, other.track) < np.inf:
                names |= dict.fromkeys((body.member, other.member))
    return [body.member for body in group if body.member in names]


def vertical_plane(members: Mapping[str, Member]) -> Doubt | None:
    """Return that all bodies that move do so in one vertical plane, as if y or x were up."""
    places = {name: track.position for name, track in _tracks(members) if _reach(track) > FAR}
    if not places:
        return None
    spans, middles, nets = [], [], []
    for place in places.values():
        low, high = np.percentile(place, MIDDLE, axis=0)
        spans.append(high - low)
        middles.append(np.median(place, axis=0))
        cruise = np.abs(place[:, 2] - middles[-1][2]) < 0.1 * spans[-1][2]
        if cruise.mean() > OFTEN:  # it climbs to its height, and stays there
            return None
        nets.append(abs(place[-1, 2] - place[0, 2]) / max(high[2] - low[2], STILL))
    span, middle = np.array(spans), np.array(middles)
    if min(nets) > 0.7:  # all climb, or all descend
        return None
    for flat, other in ((1, 0), (0, 1)):
        wide = np.minimum(span[:, other], 2.0 * span[:, 2])
        level = np.ptp(middle[:, flat]) < span[:, other].min() / 2.0
        is_flat = (span[:, flat] < wide / 10.0).all()
        if is_flat and level and (span[:, other] <= 2.0 * span[:, 2]).all():
            up = 'xy'[flat]
            line = (
                f'{named([*places])}: move in a vertical plane, {up} within '
                f'{span[:, flat].max():.2f} m and z over {span[:, 2].max():.1f} m: is {up} up, as '
                'in Motive? set "Up Axis" to Z in its streaming settings; here z is up'
            )
            return line, f'{up} may be up instead of z'
    return None


def find_stationary(members: Mapping[str, Member], duration: float) -> tuple[list[str], list[str]]:
    """Return members that never move and are no vehicles by their names, and a line on them.

    There are none unless others move. A parked vehicle has the name of one that moves but for the
    number, or a word for a vehicle in its name. The duration is that of the recording [s].
    """
    reach = {name: _reach(track) for name, track in _tracks(members)}
    kinds = Counter(_kind(name) for name, extent in reach.items() if extent > FAR)
    names = [name for name, extent in reach.items()
             if extent < STILL and name not in (TARGET, ADVERSARY)
             and members[name].commands is None
             and _kind(name) not in kinds
             and name_words(_kind(name)).isdisjoint(VEHICLES)]  # fmt: skip
    if not names or not kinds:
        return [], []
    extent = max(reach[name] for name in names)
    line = f'{named(names)}: never move ({extent:.2f} m in {duration:.0f} s)'
    if max(kinds.values()) < 2:  # nothing says how vehicles are called here
        return [], [f'{line}: if they are no vehicles, leave them out by a map file (--map)']
    return names, [f'{line}: taken for no agents; a map file (--map) names those that are']


def _tracks(members: Mapping[str, Member]) -> Iterator[tuple[str, Track]]:
    for name, member in members.items():
        if member.flown is not None and len(member.flown.time) >= ENOUGH:
            yield name, member.flown


def _reach(track: Track) -> float:
    return float(np.ptp(track.position, axis=0).max())


def _kind(name: str) -> str:
    """Return a name without its number."""
    return name.rstrip('0123456789').rstrip('_-')
