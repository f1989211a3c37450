"""Whether velocities and commands agree with the motion of their bodies: frames and units.

The velocity of each body is compared with the derivative of its position, commands with it.
Times are (K,) [s], positions (K, 3) [m], velocities (K, 3) [m/s].
"""

from collections.abc import Iterable, Sequence

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.analysis.resampling import NEVER, latest
from velocity_mobility_ros.core.odometry_consistency import APART, ERROR, NEARER, differs, votes

WINDOW = 1.0
"""Interval [s] over which displacement and integrated velocity are compared."""

MIN_SAMPLES = 10
"""Shorter tracks are not checked."""

MIN_VOTES = 3
"""Least number of stretches, and how many must speak for other axes for each that does not."""

FITTING = NEARER
"""Factor by which a velocity must fit commands better in one frame than in another."""

DELAYS = np.linspace(0.0, 1.0, 11)
"""Delays [s] at which a vehicle may follow its commands; the one that fits best counts."""

UNEQUAL = 0.05
"""Commands whose readings differ by less [m/s] say nothing about their frame."""

MANY = 5000
"""Samples of a velocity that are compared, about; of more, every n-th is."""

BOTH = 2
"""Stands for commands that fit neither of two readings clearly better."""


def velocity_inconsistencies(members: Iterable[Member]) -> list[str]:
    """Return one line per member whose velocity does not match its motion."""
    problems = []
    for member in members:
        flown = member.flown
        if flown is None or len(flown.time) < MIN_SAMPLES:
            continue
        sound = np.isfinite(flown.velocity).all(axis=1) & np.isfinite(flown.position).all(axis=1)
        way, difference = _medians(*(column[sound] for column in flown[:3]))
        if differs(way, difference):
            problems.append(
                f'{member.name}: displacement in {WINDOW:g} s differs from its velocity by '
                f'{difference:.2g} of {way:.2g} m: is one of them in another frame?'
            )
    return problems


def is_inconsistent(time: Floats, position: Floats, velocity: Floats) -> bool:
    """Return whether a velocity does not match the motion."""
    return len(time) >= MIN_SAMPLES and differs(*_medians(time, position, velocity))


def is_along_other_axes(time: Floats, position: Floats, read: Floats, other: Floats) -> bool:
    """Return whether displacements show that a velocity has other axes than it is read in."""
    steps = np.diff(time)[:, None]
    ways = [_integrated(steps, path) for path in (read, other)]
    apart = np.hypot(*(np.diff(ways[1] - ways[0], axis=0)[:, :2]).T)
    stretch = np.concatenate([[0.0], np.cumsum(apart)])[: len(time)] // APART
    edges = np.flatnonzero(np.diff(stretch, prepend=-1.0))
    short = np.diff(time[edges]) * ERROR <= APART
    ballots = votes(*(np.diff(path[edges], axis=0)[short] for path in (position, *ways)))
    for_other = np.count_nonzero(ballots > 0)
    return for_other >= MIN_VOTES * max(1, np.count_nonzero(ballots <= 0))


def fitting_commands(
    at: Floats, velocity: Floats, commanded: Floats, readings: Sequence[Floats]
) -> int | None:
    """Return which of two readings of commands a vehicle follows, horizontally.

    Velocities of the vehicle, (K, 3), are those at ``at``; the readings, (C, 3) each, those when
    commanded.

    Returns:
        0 or 1, ``BOTH`` if neither fits ``FITTING`` times better; None if the readings lead to
        the same place.
    """
    every = max(1, len(at) // MANY)
    at, velocity = at[::every], velocity[::every]
    apart = np.hypot(*(readings[1] - readings[0])[:, :2].T)
    errors = np.full((2, len(DELAYS)), np.inf)
    for i, delay in enumerate(DELAYS):
        index = latest(commanded, at - delay)
        age = at - delay - commanded[np.maximum(index, 0)]
        used = np.flatnonzero((index != NEVER) & (age <= WINDOW) & (apart[index] > UNEQUAL))
        steps = np.minimum(np.diff(at[used], prepend=at[used][:1]), WINDOW)
        if (apart[index[used]] * steps).sum() < MIN_VOTES * APART:
            continue
        for k, reading in enumerate(readings):
            off = velocity[used, :2] - reading[index[used], :2]
            errors[k, i] = np.sqrt((off**2).sum(axis=1).mean())
    first, second = errors.min(axis=1).tolist()
    if not np.isfinite(first):
        return None
    return int(second < first) if FITTING * min(first, second) < max(first, second) else BOTH


def _medians(time: Floats, position: Floats, velocity: Floats) -> tuple[float, float]:
    """Return integrated velocity and displacement's difference from it in ``WINDOW`` [m].

    They are medians, so that single position jumps do not count; 0 for a track without windows.
    """
    gap = np.diff(time)
    usual = max(1e-3, float(np.median(gap))) if len(gap) else WINDOW
    way = _integrated(gap[:, None], velocity)
    begin = np.arange(0, len(time), max(1, round(WINDOW / usual)))
    lasting = np.diff(time[begin]) < 2.0 * WINDOW
    integrated, moved = (np.diff(values[begin], axis=0)[lasting] for values in (way, position))
    if not len(integrated):
        return 0.0, 0.0
    return tuple(
        float(np.median(np.sqrt((vectors**2).sum(axis=1))))
        for vectors in (integrated, moved - integrated)
    )


def _integrated(steps: Floats, velocity: Floats) -> Floats:
    """Return the path (K, 3) [m] of a velocity (K, 3) after steps of time (K - 1, 1) [s]."""
    each = 0.5 * (velocity[1:] + velocity[:-1]) * steps
    return np.concatenate([np.zeros((1, 3)), np.cumsum(each, axis=0)])[: len(velocity)]
