"""Checks the velocity of each body against the derivative of its position."""

from collections.abc import Iterable

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats, Member, Track

WINDOW = 1.0
"""Interval [s] over which displacement and integrated velocity are compared."""

RELATIVE_TOLERANCE = 0.3
"""Allowed difference as a share of the integrated velocity."""

ABSOLUTE_TOLERANCE = 0.2
"""Additional allowed difference [m], for noise."""

MIN_SAMPLES = 10
"""Shorter tracks are not checked."""


def velocity_inconsistencies(members: Iterable[Member]) -> list[str]:
    """Return one line per member whose velocity does not match its motion."""
    found = []
    for member in members:
        flown = member.flown
        if flown is None or len(flown.time) < MIN_SAMPLES:
            continue
        moved, integrated = _displacements(flown)
        if not len(integrated):
            continue
        # Medians, so that single position jumps do not count.
        expected, difference = (
            float(np.median(np.sqrt((one**2).sum(axis=1))))
            for one in (integrated, moved - integrated)
        )
        if difference > RELATIVE_TOLERANCE * expected + ABSOLUTE_TOLERANCE:
            found.append(
                f'{member.name}: displacement in {WINDOW:g} s differs from its velocity by '
                f'{difference:.2g} of {expected:.2g} m: is one of them in another frame?'
            )
    return found


def _displacements(track: Track) -> tuple[Floats, Floats]:
    """Return displacement and integrated velocity per interval, (k, 3) [m] each."""
    sound = np.isfinite(track.velocity).all(axis=1) & np.isfinite(track.position).all(axis=1)
    time, position, velocity = track.time[sound], track.position[sound], track.velocity[sound]
    gap = np.diff(time)
    usual = max(1e-3, float(np.median(gap))) if len(gap) else WINDOW
    steps = 0.5 * (velocity[1:] + velocity[:-1]) * gap[:, None]
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])[: len(time)]
    begin = np.arange(0, len(time), max(1, round(WINDOW / usual)))
    lasting = np.diff(time[begin]) < 2.0 * WINDOW
    return np.diff(position[begin], axis=0)[lasting], np.diff(way[begin], axis=0)[lasting]
