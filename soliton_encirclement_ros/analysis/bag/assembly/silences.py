"""Intervals without any recorded message: something was suspended, or a clock jumped."""

from collections.abc import Iterable, Iterator

import numpy as np

from soliton_encirclement_ros.analysis.recording import PARTS, Floats, Member

SHORTEST = 3.0
"""Gaps below this [s] are not reported."""

MISSED = 10.0
"""Minimum gap of a slow sender, in its usual steps."""


def silences(members: Iterable[Member]) -> list[str]:
    """Return a line about the longest time without any recorded message, none without any."""
    parts = [getattr(member, name) for member in members for name in PARTS]
    spells = sorted(spell for part in parts if part is not None for spell in _spells(part.time))
    gaps, last = [], np.inf
    for begin, end in spells:
        if begin - last > SHORTEST:
            gaps.append((begin - last, last))
        last = end if last == np.inf else max(last, end)
    if not gaps:
        return []
    longest, begin = max(gaps)
    more = f', and {len(gaps) - 1} more times' if len(gaps) > 1 else ''
    return [
        f'nothing was recorded for {longest:.1f} s from {begin:.2f} s on{more}: the clock jumped, '
        'or the recorder or all of the swarm was suspended; --between A..B looks at one part'
    ]


def _spells(time: Floats) -> Iterator[tuple[float, float]]:
    """Iterate over the times [s] between which a topic came without a long gap."""
    if not len(time):
        return
    steps = np.diff(time)
    longest = max(SHORTEST, MISSED * float(np.median(steps))) if len(steps) else SHORTEST
    cuts = np.flatnonzero(steps > longest)
    begins, ends = time[np.append(0, cuts + 1)], time[np.append(cuts, len(time) - 1)]
    yield from zip(begins.tolist(), ends.tolist(), strict=True)
