"""Resampling by linear interpolation and zero-order hold, and intervals without messages.

Times are in seconds, ascending. Unknown values are NaN. Silent is everybody, since something was
suspended, or one body.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soliton_encirclement_ros.analysis.recording import PARTS, Floats, Member
from velocity_mobility_ros.core.user_errors import counted

NEVER = -1
"""Index before the first sample."""

MAX_GAP = 1.0
"""A longer time [s] between two samples is a gap, unless the usual step is long."""

SLOW_SAMPLES = 5.0
"""A gap is also at least this many usual steps long."""

SAME = 1e-9
"""Times that differ by less than this [s] are equal."""


def latest(time: Floats, at: Floats, strictly: bool = False) -> NDArray[np.int64]:
    """Return the index of the latest of (K,) samples at (S,) times, ``NEVER`` before the first.

    With ``strictly`` a sample at exactly the requested time does not count.
    """
    return np.searchsorted(time, at, 'left' if strictly else 'right') - 1


def zero_order_hold(
    time: Floats,
    values: ArrayLike,
    at: Floats,
    longest: float = math.inf,
    missing: float = math.nan,
) -> Floats:
    """Return the latest of values (K,) or (K, N) of samples at (K,) times, at some times (S,).

    ``missing`` stands where there is none, or only one that is older than the longest time [s].
    """
    values = np.asarray(values)
    if not len(time):
        return np.full((len(at), *values.shape[1:]), missing, dtype=float)
    index = latest(time, at)
    held = values[np.maximum(index, 0)].astype(float)
    held[(index == NEVER) | (at - time[np.maximum(index, 0)] > longest)] = missing
    return held


def usual_step(time: Floats) -> float:
    """Return the median time between two samples [s], 0 for fewer than two."""
    return float(np.median(np.diff(time))) if len(time) > 1 else 0.0


def longest_gap(time: Floats) -> float:
    """Return the time [s] between two samples above which there is a gap."""
    return max(MAX_GAP, SLOW_SAMPLES * usual_step(time))


def with_gaps(time: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return a curve, (K,) or (K, N), with a NaN in every gap, so that no line is drawn across it.

    It stands a usual step after the last sample, which holds for so long.
    """
    holes = np.flatnonzero(np.diff(time) > longest_gap(time)) + 1
    ends = time[holes - 1] + usual_step(time)
    return np.insert(time, holes, ends), np.insert(values, holes, np.nan, axis=0)


def interpolated(
    time: Floats,
    values: ArrayLike,
    at: Floats,
    *,
    longest: float | None = None,
    reach: float = 0.0,
    steps: bool = False,
) -> Floats:
    """Return values on the straight line between samples; NaN in gaps and outside of the samples.

    A time within ``SAME`` of a sample gets this sample as it is.

    Args:
        time: (K,) when samples were taken [s].
        values: (K,) or (K, N).
        at: (S,) times asked for [s].
        longest: Longest time between two samples that is no gap [s]; None for ``longest_gap``.
        reach: How long the first sample counts before its time, and the last after it [s].
        steps: Whether values stay until the next sample, instead of a straight line.
    """
    values = np.asarray(values, float)
    if not len(time):
        return np.full((len(at), *values.shape[1:]), np.nan)
    after = np.clip(np.searchsorted(time, at - SAME), 0, len(time) - 1)
    before = np.where(time[after] <= at + SAME, after, np.maximum(after - 1, 0))
    step = time[after] - time[before]
    result = values[before]
    if not steps:
        share = np.divide(at - time[before], step, np.zeros(len(at)), where=step > 0.0)
        share = share.reshape(-1, *[1] * (values.ndim - 1))
        with np.errstate(invalid='ignore'):  # where both are infinite
            result = np.where(share > 0.0, result + share * (values[after] - result), result)
    ends = max(reach, SAME)
    longest = longest_gap(time) if longest is None else longest
    result[(step > longest) | (at < time[0] - ends) | (at > time[-1] + ends)] = np.nan
    return result


SHORTEST = 3.0
"""Gaps below this [s] are not reported: networks and disks stall for a second or two."""

MISSED = 10.0
"""Minimum gap of a slow sender, in its usual steps."""

Spell = tuple[float, float]
"""Begin and end [s]."""


SUSPENDED = 'the clock jumped, or the recorder or all of the swarm was suspended'


def silences(members: Iterable[Member], cause: str = SUSPENDED) -> list[str]:
    """Return a line about the longest time without any recorded message, none without any."""
    spells = active_spells(members)
    gaps = [(later[0] - earlier[1], earlier[1]) for earlier, later in pairwise(spells)]
    if not gaps:
        return []
    longest, begin = max(gaps)
    more = f', and {counted(len(gaps) - 1, "more time")}' if len(gaps) > 1 else ''
    return [
        f'nothing was recorded for {longest:.1f} s from {begin:.2f} s on{more}: {cause}; '
        '--between A..B looks at one part'
    ]


def active_spells(members: Iterable[Member]) -> list[Spell]:
    """Return the times between which anything was recorded without a gap to be reported."""
    series = [getattr(member, name) for member in members for name in PARTS]
    return merge_spells(series_of.time for series_of in series if series_of is not None)


def merge_spells(times: Iterable[Floats]) -> list[Spell]:
    """Return the times between which any of several senders was heard; see ``active_spells``."""
    spells = sorted(spell for time in times for spell in _spells(time))
    merged: list[Spell] = []
    for begin, end in spells:
        if merged and begin - merged[-1][1] <= SHORTEST:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((begin, end))
    return merged


def silent_spells(time: Floats, others: Sequence[Spell]) -> list[tuple[float, float | None]]:
    """Return when a body was silent while something else was heard for as long as a gap takes.

    Given are (K,) times of its messages [s], and the ``active_spells`` of all.

    Returns:
        From the first message that is missing to the next one; None if none came any more.
    """
    own, limit, step = list(_spells(time)), _longest(time), usual_step(time)
    returns = [*(begin for begin, _ in own[1:]), None]
    return [
        (end + step, back)
        for (_, end), back in zip(own, returns[: len(own)], strict=True)
        if _heard_between(others, end, math.inf if back is None else back) > limit
    ]


def _heard_between(spells: Iterable[Spell], begin: float, end: float) -> float:
    """Return how long anything was heard between two times [s]."""
    return math.fsum(max(0.0, min(end, last) - max(begin, first)) for first, last in spells)


def _spells(time: Floats) -> Iterator[Spell]:
    """Iterate over the times [s] between which a topic came without a long gap."""
    if not len(time):
        return
    cuts = np.flatnonzero(np.diff(time) > _longest(time))
    begins, ends = time[np.append(0, cuts + 1)], time[np.append(cuts, len(time) - 1)]
    yield from zip(begins.tolist(), ends.tolist(), strict=True)


def _longest(time: Floats) -> float:
    """Return the time [s] between two messages of a topic above which there is a gap."""
    return max(SHORTEST, MISSED * usual_step(time))
