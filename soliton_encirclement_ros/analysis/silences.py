"""Intervals without messages: of everybody, since something was suspended, or of one body."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.analysis.recording import PARTS, Floats, Member
from soliton_encirclement_ros.analysis.resampling import usual_step

SHORTEST = 3.0
"""Gaps below this [s] are not reported: networks and disks stall for a second or two."""

MISSED = 10.0
"""Minimum gap of a slow sender, in its usual steps."""

Spell = tuple[float, float]
"""Begin and end [s]."""


def silences(members: Iterable[Member]) -> list[str]:
    """Return a line about the longest time without any recorded message, none without any."""
    spells = heard(members)
    gaps = [(later[0] - one[1], one[1]) for one, later in pairwise(spells)]
    if not gaps:
        return []
    longest, begin = max(gaps)
    more = f', and {counted(len(gaps) - 1, "more time")}' if len(gaps) > 1 else ''
    return [
        f'nothing was recorded for {longest:.1f} s from {begin:.2f} s on{more}: the clock jumped, '
        'or the recorder or all of the swarm was suspended; --between A..B looks at one part'
    ]


def heard(members: Iterable[Member]) -> list[Spell]:
    """Return the times between which anything was recorded without a gap to be reported."""
    parts = [getattr(member, name) for member in members for name in PARTS]
    return spells_of(part.time for part in parts if part is not None)


def spells_of(times: Iterable[Floats]) -> list[Spell]:
    """Return the times between which any of several senders was heard, as ``heard`` does."""
    spells = sorted(spell for time in times for spell in _spells(time))
    found: list[Spell] = []
    for begin, end in spells:
        if found and begin - found[-1][1] <= SHORTEST:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


def silent_spells(time: Floats, others: Sequence[Spell]) -> list[tuple[float, float | None]]:
    """Return when a body was silent while something else was heard for as long as a gap takes.

    Args:
        time: (K,) times of its messages [s].
        others: When anything was heard, as ``heard`` returns it.

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
