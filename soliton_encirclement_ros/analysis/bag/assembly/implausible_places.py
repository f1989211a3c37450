"""Positions that are not what they seem: of several bodies, in mm or degrees, from own origins."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import last_part
from soliton_encirclement_ros.analysis.recording import Track
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

FASTEST = 150.0
"""Median speed [m/s] that no vehicle of a swarm has."""

MOST_BODIES = 6
"""Most bodies on one topic that are looked for."""

APART = 1.0
"""Bodies whose messages alternate are farther apart than this [m]."""

SAME_BODY = 0.2
"""Step to the next message of the same body, as a share of that to the next one's."""

DEGREE = 111_000.0
"""A degree of latitude [m]."""

MOVING = 0.5
"""Speed [m/s] from which on a body's own twist says that it moves."""

ONE_PLACE = 0.1
"""Distance [m] in which two vehicles cannot be."""

SHARED = ('map', 'world', 'earth')
"""Frames that several vehicles share (REP-105): in simulations they may begin at one place."""

MOVED = 2.0
"""A body has moved if it went farther than this [m] along some axis."""

STILL = 0.05
"""One that stayed within this [m] stands."""

FLAT, HIGH = 0.02, 0.3
"""In a vertical plane one horizontal axis has less than the first share of the range of the other,
and the height more than the second."""


class Beginning(NamedTuple):
    """Where a body was first [m], and in which frames it is told."""

    place: Numbers
    frames: frozenset[str]


def implausible_places(
    times: Numbers, places: Numbers, velocities: Numbers, children: Collection[str]
) -> str:
    """Return why positions on one topic are not those of a body in metres; empty if they may be.

    Args:
        times: (K,) [s].
        places: (K, 3).
        velocities: (K, 3) as told, in any frame [m/s].
        children: Frames that the messages say they are about.
    """
    if len(children) > 1:
        names = named(sorted(map(repr, children)))
        return f'{len(children)} child frames on one topic, of several bodies: {names}'
    step = _typical_step(places, 1)
    if step > APART:
        for count in range(2, MOST_BODIES + 1):
            if _typical_step(places, count) < SAME_BODY * step:
                return (
                    f'positions alternate between {count} places, {step:.2f} m apart: '
                    f'{count} publishers on the topic, or one that sends for {count} bodies'
                )
    passed = np.diff(times)
    ways = np.linalg.norm(np.diff(places, axis=0), axis=1)
    speeds = ways[passed > 0.0] / passed[passed > 0.0]
    speed = float(np.median(speeds)) if len(speeds) else 0.0
    if speed > FASTEST:
        return f'moves at {speed:.0f} m/s: are its positions in mm? they must be in m'
    told = np.linalg.norm(velocities, axis=1)
    told = float(np.median(told[np.isfinite(told)])) if np.isfinite(told).any() else 0.0
    if told > MOVING and told / (4.0 * DEGREE) < speed < 4.0 * told / DEGREE:
        return (
            f'moves at {speed:.1e} of its unit per second where its twist says {told:.2g} m/s: '
            'are its positions degrees of longitude and latitude? they must be m in a local frame'
        )
    return ''


def _typical_step(places: Numbers, count: int) -> float:
    """Return the median distance to the message ``count`` later, NaN without enough of them."""
    if len(places) <= 2 * count + 2:
        return float('nan')
    return float(np.median(np.linalg.norm(places[count:] - places[:-count], axis=1)))


def origins_apart(begun: Mapping[str, Beginning], is_simulated: bool) -> list[str]:
    """Return a line for each group of bodies that begin at one place, where nobody can.

    Args:
        begun: Where each body was first.
        is_simulated: Whether the clock is simulated: there bodies may begin at one place of a
            shared frame.
    """
    groups: dict[frozenset[str], list[str]] = {}
    for name, one in begun.items():
        may_be = is_simulated and any(last_part(frame) in SHARED for frame in one.frames)
        if one.frames and not may_be:
            groups.setdefault(one.frames, []).append(name)
    alone = [names[0] for names in groups.values() if len(names) == 1]
    found = [names for names in (*groups.values(), alone) if len(names) > 1]
    return [
        f'{named(names)} begin at one place of {_frames(begun, names)}: probably each has an '
        'origin of its own, and distances mean nothing; transforms to a common frame, if there '
        'are any, are used by a map file (--map) with /tf:FRAME'
        for names in found
        if np.ptp([begun[name].place for name in names], axis=0).max() < ONE_PLACE
    ]


def _frames(begun: Mapping[str, Beginning], names: Collection[str]) -> str:
    return named(sorted({repr(frame) for name in names for frame in begun[name].frames}))


def upright_planes(tracks: Mapping[str, Track]) -> Iterator[str]:
    """Iterate over a line if all bodies that move do so in a vertical plane: y may be up."""
    moved = {name: one.position for name, one in tracks.items() if _range(one).max() > MOVED}
    ranges = np.array([np.ptp(place, axis=0) for place in moved.values()]).reshape(-1, 3)
    if len(moved) < 2:
        return
    for axis, other in ((0, 1), (1, 0)):
        flat, wide, high = ranges[:, axis], ranges[:, other], ranges[:, 2]
        if ((flat < FLAT * wide) & (wide > MOVED) & (high > HIGH * wide)).all():
            yield (
                f'{named([*moved])} move in a vertical plane, {"xy"[axis]} within '
                f'{flat.max():.2f} m and height over {high.max():.1f} m: is y up, as in Motive? '
                'stream with z up (Motive: Streaming, Up Axis), or turn the positions'
            )


def still_bodies(tracks: Mapping[str, Track]) -> Iterator[str]:
    """Iterate over a line if some bodies, target and adversary apart, never move, others do."""
    agents = {name: one for name, one in tracks.items() if name not in (TARGET, ADVERSARY)}
    ranges = {name: float(_range(one).max()) for name, one in agents.items()}
    still = [name for name, way in ranges.items() if way < STILL]
    if still and any(way > MOVED for way in ranges.values()):
        yield (
            f'{named(still)} never move: if they are no vehicles, leave them out by a map file '
            '(--map)'
        )


def _range(track: Track) -> Numbers:
    return np.ptp(track.position, axis=0)
