"""Samples that cannot be true: no numbers, beyond the moon, or where no body gets to and back.

A single sample far from the line between its neighbours, which are near each other, is a damage,
not a motion. What lasts (a reset estimator, a second flight) is kept and reported.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from velocity_mobility_ros.core.frames import LARGEST_COORDINATE

from soliton_encirclement_ros.analysis.bag.assembly import Stretch
from soliton_encirclement_ros.analysis.bag.rows import Numbers

Flags = NDArray[np.bool_]

HARDEST = 50.0
"""No vehicle accelerates harder [m/s2]."""

FASTEST = 30.0
"""A path that goes on elsewhere has jumped if it would have been faster than this [m/s]."""

BOLDEST = 5.0
"""A single command may differ so much from its neighbours [m/s] without being doubted."""

OUTLYING = 10.0
"""A sample off its neighbours' line by so many times what 95 % stay below is an outlier."""

PEAKED = 1.5
"""A spike stands out from its neighbours by this factor; 2 if it is alone, 1 if it is a step."""

ROUNDS = 3
"""Spikes side by side are found one after the other."""

NS = 1e-9


class Judged(NamedTuple):
    """What is left, and what was wrong."""

    part: Stretch
    problems: list[str]


def coordinates(part: Stretch, columns: slice) -> Judged:
    """Leave out rows whose numbers are none, or larger than any true coordinate."""
    sound = (np.abs(part.values[:, columns]) <= LARGEST_COORDINATE).all(axis=1)
    wrong = np.count_nonzero(~sound)
    if not wrong:
        return Judged(part, [])
    return Judged(_kept(part, sound), [f'{wrong} samples are no coordinates: left out'])


def motion(part: Stretch, position: slice, velocity: slice) -> Judged:
    """Leave out single samples of a body that are off its path or its speed."""
    spikes = _off_path(part, position, velocity)
    wrong = np.count_nonzero(spikes)
    line = f'{wrong} samples are off the path by a jump there and back: left out'
    kept = _kept(part, ~spikes)
    return Judged(kept, [*[line] * (wrong > 0), *_jumps(kept, position)])


def wishes(part: Stretch, velocity: slice) -> Judged:
    """Leave out single commands that are far from all around them."""
    if _steps(part) is None:
        return Judged(part, [])
    spikes = spiky(part, velocity, np.full(len(part.times), BOLDEST))
    wrong = np.count_nonzero(spikes)
    line = f'{wrong} commands are far from those around them: left out'
    return Judged(_kept(part, ~spikes), [line] * (wrong > 0))


def claims(part: Stretch, position: slice, velocity: slice) -> list[str]:
    """Say of words how many are off the path; they stay, since words need not be true."""
    wrong = np.count_nonzero(_off_path(part, position, velocity))
    return [f'{wrong} words are off the path by a jump there and back: kept'] * (wrong > 0)


def _off_path(part: Stretch, position: slice, velocity: slice) -> Flags:
    steps = _steps(part)
    if steps is None:
        return np.zeros(len(part.times), bool)
    before, after = steps
    spikes = spiky(part, position, HARDEST / 2.0 * before * after)
    return spikes | spiky(part, velocity, HARDEST / 2.0 * (before + after))


def spiky(part: Stretch, columns: slice, least: Numbers) -> Flags:
    """Say which samples are single and far off.

    Args:
        part: Numbers over time.
        columns: Which of them count.
        least: Distance from the neighbours' line that is never an outlier, (M,).
    """
    spikes = np.zeros(len(part.times), bool)
    for _ in range(ROUNDS):
        rows = np.flatnonzero(~spikes)
        if len(rows) < 5:
            break
        off = _off(part.times[rows], part.values[rows, columns])
        bound = np.maximum(least[rows], OUTLYING * np.percentile(off, 95))
        around = np.maximum(np.roll(off, 1), np.roll(off, -1))
        around[[0, -1]] = off[[1, -2]]
        found = (off > bound) & (off > PEAKED * around)
        if not found.any():
            break
        spikes[rows[found]] = True
    return spikes


def _off(times: NDArray[np.int64], values: Numbers) -> Numbers:
    """Return how far each sample is from the line through its neighbours, (M,).

    At both ends the line is that of the next two.
    """
    index = np.arange(len(times))
    first = np.clip(index - 1, 0, None)
    second = np.clip(index + 1, None, len(times) - 1)
    first[0], second[0] = 1, 2
    first[-1], second[-1] = len(times) - 3, len(times) - 2
    span = (times[second] - times[first]).astype(float)
    share = np.divide(times - times[first], span, out=np.full(len(times), 0.5), where=span > 0)
    line = values[first] + share[:, None] * (values[second] - values[first])
    return np.sqrt(((values - line) ** 2).sum(axis=1))


def _steps(part: Stretch) -> tuple[Numbers, Numbers] | None:
    """Return the times [s] from the sample before and to the next one; None for too few."""
    if len(part.times) < 5:
        return None
    steps = np.diff(part.times) * NS
    typical = np.full(1, np.median(steps))
    steps = np.maximum(steps, typical)
    return np.concatenate([steps[:1], steps]), np.concatenate([steps, steps[-1:]])


def _jumps(part: Stretch, position: slice) -> list[str]:
    """Report the largest of the jumps after which the path goes on elsewhere."""
    steps = _steps(part)
    if steps is None:
        return []
    step = steps[1][:-1]
    way = np.sqrt((np.diff(part.values[:, position], axis=0) ** 2).sum(axis=1))
    bound = np.maximum(FASTEST * step, OUTLYING * np.percentile(way, 99))
    jumps = np.flatnonzero(way > bound)
    if not len(jumps):
        return []
    largest = jumps[way[jumps].argmax()]
    where = f'{part.times[largest] * NS:.3f} s of its clock'
    return [f'{len(jumps)} jumps of position, the largest by {way[largest]:.2f} m at {where}']


def _kept(part: Stretch, sound: Flags) -> Stretch:
    if sound.all():
        return part
    return part._replace(times=part.times[sound], values=part.values[sound])
