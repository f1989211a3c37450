"""Whether the velocities of a body are the change of its positions."""

from collections.abc import Iterable

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats, Member, Track

WINDOW = 1.0
"""Time [s] over which positions and velocities are compared."""

STRAY = 0.3
"""Share of the way by which they may differ."""

SLIGHT = 0.2
"""And so much more [m], which noise may do."""

FEWEST = 10
"""Samples that are worth comparing."""


def disagreements(members: Iterable[Member]) -> list[str]:
    """Return whose velocity is not the change of its position, as in another frame."""
    found = []
    for member in members:
        if member.track is None or len(member.track.time) < FEWEST:
            continue
        moved, told = _ways(member.track)
        if not len(told):
            continue
        # By medians: a position that jumps now and then is another matter.
        way, missed = (
            float(np.median(np.sqrt((one**2).sum(axis=1)))) for one in (told, moved - told)
        )
        if missed > STRAY * way + SLIGHT:
            found.append(
                f'{member.name}: within {WINDOW:g} s its position moves otherwise than its '
                f'velocity says, by {missed:.2g} of {way:.2g} m: is one of them in another frame?'
            )
    return found


def _ways(track: Track) -> tuple[Floats, Floats]:
    """Return how far position went in windows of time, and how far by the velocity (k, 3) [m]."""
    sound = np.isfinite(track.velocity).all(axis=1) & np.isfinite(track.position).all(axis=1)
    time, position, velocity = track.time[sound], track.position[sound], track.velocity[sound]
    gap = np.diff(time)
    usual = max(1e-3, float(np.median(gap))) if len(gap) else WINDOW
    steps = 0.5 * (velocity[1:] + velocity[:-1]) * gap[:, None]
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])[: len(time)]
    begin = np.arange(0, len(time), max(1, round(WINDOW / usual)))
    lasting = np.diff(time[begin]) < 2.0 * WINDOW
    return np.diff(position[begin], axis=0)[lasting], np.diff(way[begin], axis=0)[lasting]
