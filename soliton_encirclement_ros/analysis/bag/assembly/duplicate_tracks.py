"""Duplicate tracks: bodies in the same place all the time, probably one under two names."""

from collections.abc import Iterator, Mapping

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats, Member, Track

NEAR = 0.5
"""Separate bodies that stay nearer than this [m] would have collided."""

FAR = 2.0
"""A body that moved less than this [m] may be parked beside another, or have its own origin."""

SAMPLES = 20
MOST = 100
"""Above this number of bodies there is no search: it compares pairs."""


def duplicate_tracks(members: Mapping[str, Member]) -> Iterator[str]:
    """Iterate over a line for every possible duplicate."""
    tracks = {name: one.track for name, one in members.items() if one.track is not None}
    tracks = {name: track for name, track in tracks.items() if len(track.time) and _moved(track)}
    if len(tracks) > MOST:
        return
    while tracks:
        first = next(iter(tracks))
        one = tracks.pop(first)
        far = {name: _farthest(one, other) for name, other in tracks.items()}
        near = {name: distance for name, distance in far.items() if distance < NEAR}
        tracks = {name: track for name, track in tracks.items() if name not in near}
        if near:
            *some, last = [first, *near]
            yield (
                f'{", ".join(some)} and {last} are never more than {max(near.values()):.2f} m '
                'apart: if they are one body, say by a map file (--map) which topic to use'
            )


def _moved(track: Track) -> bool:
    return bool(np.ptp(track.position, axis=0).max() > FAR)


def _farthest(one: Track, other: Track) -> float:
    """Return the largest distance [m] at some times, infinite if they have no time in common."""
    begin, end = max(one.time[0], other.time[0]), min(one.time[-1], other.time[-1])
    if not begin < end:
        return np.inf
    when = np.linspace(begin, end, SAMPLES)
    between = _at(one, when) - _at(other, when)
    return float(np.sqrt((between * between).sum(axis=1)).max())


def _at(track: Track, when: Floats) -> Floats:
    """Return positions, (K, 3) [m]; only the samples around each time are used."""
    after = np.searchsorted(track.time, when).clip(1, len(track.time) - 1)
    first, last = track.time[after - 1], track.time[after]
    share = (when - first) / np.where(last > first, last - first, 1.0)
    start, end = track.position[after - 1], track.position[after]
    return start + share[:, None] * (end - start)
