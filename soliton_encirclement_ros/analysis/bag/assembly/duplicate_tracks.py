"""Duplicate tracks: bodies in the same place all the time, probably one under two names."""

from collections.abc import Iterator, Mapping

import numpy as np

from soliton_encirclement_ros.analysis.recording import Member, Track
from soliton_encirclement_ros.analysis.resampling import interpolated

NEAR = 0.5
"""Separate bodies that stay nearer than this [m] would have collided."""

FAR = 2.0
"""A body that moved less than this [m] may be parked beside another, or have its own origin."""

SAMPLES = 20
MOST = 100
"""Above this number of bodies there is no search: it compares pairs."""


def duplicate_tracks(members: Mapping[str, Member]) -> Iterator[str]:
    """Iterate over a line for every possible duplicate."""
    tracks = {name: one.flown for name, one in members.items() if one.flown is not None}
    tracks = {name: track for name, track in tracks.items() if len(track.time) and _moved(track)}
    if len(tracks) > MOST:
        return
    while tracks:
        first = next(iter(tracks))
        one = tracks.pop(first)
        far = {name: farthest(one, other) for name, other in tracks.items()}
        near = {name: distance for name, distance in far.items() if distance < NEAR}
        tracks = {name: track for name, track in tracks.items() if name not in near}
        if near:
            *some, last = [first, *near]
            yield (
                f'{", ".join(some)} and {last} stay within {max(near.values()):.2f} m of each '
                'other: if they are one body, say by a map file (--map) which topic to use'
            )


def _moved(track: Track) -> bool:
    return bool(np.ptp(track.position, axis=0).max() > FAR)


def farthest(one: Track, other: Track) -> float:
    """Return the largest distance [m] at some times, infinite if they have no time in common."""
    if not len(one.time) or not len(other.time):
        return np.inf
    begin, end = max(one.time[0], other.time[0]), min(one.time[-1], other.time[-1])
    if not begin < end:
        return np.inf
    when = np.linspace(begin, end, SAMPLES)
    between = np.subtract(
        *(interpolated(track.time, track.position, when, longest=np.inf) for track in (one, other))
    )
    return float(np.sqrt((between * between).sum(axis=1)).max())
