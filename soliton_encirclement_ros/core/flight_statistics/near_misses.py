"""Near misses: encounters of two agents, counted once each, and their smallest distance.

An encounter begins when the distance of a pair falls below a threshold, and ends when it exceeds
the threshold by more than ``HYSTERESIS``. Observers call ``closest_pair`` once a sample, compiled
by the engine. Here records hold lists or arrays, and positions are rows of at least x, y, z [m].
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

THRESHOLDS = (2.0, 1.0, 0.5)
"""Distances [m] of near misses, descending; the first is the wanted separation."""

HYSTERESIS = 0.1
"""Share of a threshold by which the distance must exceed it before an encounter ends."""

BEGIN_SQ = tuple(distance * distance for distance in THRESHOLDS)
END_SQ = tuple((1.0 + HYSTERESIS) * (1.0 + HYSTERESIS) * begin for begin in BEGIN_SQ)
LEVELS = len(THRESHOLDS)

RATES = tuple(f'near_misses_below_{distance:g}m_per_min' for distance in THRESHOLDS)
"""Keys of the rates in a summary, by threshold."""

MOST = 2048
"""Encounters at one time that are tracked: every pair of 64 agents. Beyond that the swarm is
packed more densely than the thresholds, and near misses are not counted any more."""

OPEN, CROWDED, COUNTS = range(3)
"""Places in ``Encounters.tally``; the counts of all thresholds stand from ``COUNTS`` on."""

TALLY = COUNTS + LEVELS

NONE = -1
"""Index of no encounter, and number of no agent."""


class Encounters(NamedTuple):
    """The encounters in progress, and how many there have been.

    Attributes:
        first: (MOST,) the smaller number of each pair.
        second: (MOST,) the larger number.
        depth: (MOST,) below how many thresholds the pair is, 1 to ``LEVELS``.
        following: (MOST,) index of the next encounter with the same ``first``, or ``NONE``.
        head: By agent: index of its first encounter, or ``NONE``.
        tally: ``OPEN`` encounters, whether there were too many (``CROWDED``), and the encounters
            begun so far by threshold.
    """

    first: Any
    second: Any
    depth: Any
    following: Any
    head: Any
    tally: Any


class Closest(NamedTuple):
    """The smallest distance [m] of two agents and their numbers; infinite without two."""

    distance: float
    first: int
    second: int


def no_encounters() -> Encounters:
    """Return the memory of an observer that is not compiled; agents may have any number."""
    a, b, c, d = ([0] * MOST for _ in range(4))
    return Encounters(a, b, c, d, defaultdict(_none), [0] * TALLY)


def _none() -> int:
    return NONE


def closest_pair(places: Any, present: Any, count: int, encounters: Encounters) -> Closest:
    """Update the encounters by a sample; return the two agents that are closest.

    In the order of x only those pairs are checked that are near in x alone.

    Args:
        places: Positions [m] by agent, of all agents that have an encounter or are present.
        present: Numbers of the agents that are seen, in the order of x, then of number.
        count: How many these are.
        encounters: The encounters, in place.
    """
    update_encounters(places, encounters)
    reach = 0.0 if encounters.tally[CROWDED] else BEGIN_SQ[0]
    smallest, first, second = math.inf, NONE, NONE
    for p in range(count):
        a = places[present[p]]
        for q in range(p + 1, count):
            b = places[present[q]]
            dx = b[0] - a[0]
            if dx * dx >= smallest and dx * dx >= reach:
                break
            distance_sq = squared_distance(a, b)
            if distance_sq < smallest:
                smallest, first, second = distance_sq, present[p], present[q]
            if distance_sq < reach and not start_encounter(
                encounters, present[p], present[q], distance_sq
            ):
                reach = 0.0
    return Closest(math.sqrt(smallest), min(first, second), max(first, second))


def squared_distance(a: Any, b: Any) -> float:
    """Return the squared distance of two positions [m^2]."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    return dx * dx + dy * dy + dz * dz


def depth_after(depth: int, distance_sq: float) -> int:
    """Return below how many thresholds a pair is, by its squared distance [m^2] and its past."""
    while depth > 0 and distance_sq > END_SQ[depth - 1]:
        depth -= 1
    while depth < LEVELS and distance_sq < BEGIN_SQ[depth]:
        depth += 1
    return depth


def update_encounters(places: Any, encounters: Encounters) -> None:
    """Update the encounters in progress, and drop those that have ended."""
    open_count, remaining = encounters.tally[OPEN], 0
    for e in range(open_count):
        encounters.head[encounters.first[e]] = NONE
    for e in range(open_count):
        first, second = encounters.first[e], encounters.second[e]
        distance_sq = squared_distance(places[first], places[second])
        depth = depth_after(encounters.depth[e], distance_sq)
        count_begun(encounters, encounters.depth[e], depth)
        if depth > 0:
            insert_encounter(encounters, remaining, first, second, depth)
            remaining += 1
    encounters.tally[OPEN] = remaining


def start_encounter(encounters: Encounters, agent: int, other: int, distance_sq: float) -> bool:
    """Begin the encounter of a near pair unless it is in progress; False: there are too many."""
    first, second = min(agent, other), max(agent, other)
    e = encounters.head[first]
    while e != NONE:
        if encounters.second[e] == second:
            return True
        e = encounters.following[e]
    open_count = encounters.tally[OPEN]
    if open_count == MOST:
        encounters.tally[OPEN], encounters.tally[CROWDED] = 0, 1
        return False
    depth = depth_after(0, distance_sq)
    count_begun(encounters, 0, depth)
    insert_encounter(encounters, open_count, first, second, depth)
    encounters.tally[OPEN] = open_count + 1
    return True


def insert_encounter(encounters: Encounters, e: int, first: int, second: int, depth: int) -> None:
    """Put an encounter into the list, and into that of its first agent."""
    encounters.first[e], encounters.second[e], encounters.depth[e] = first, second, depth
    encounters.following[e] = encounters.head[first]
    encounters.head[first] = e


def count_begun(encounters: Encounters, before: int, after: int) -> None:
    """Count the thresholds that a pair has fallen below."""
    for level in range(before, after):
        encounters.tally[COUNTS + level] += 1


def counts_of(encounters: Encounters) -> tuple[int, ...] | None:
    """Return the encounters begun so far by threshold; None if there were too many at a time."""
    if encounters.tally[CROWDED]:
        return None
    return tuple(int(count) for count in encounters.tally[COUNTS:TALLY])


def closest_text(summary: Mapping[str, Any]) -> str:
    """Return the smallest separation of two agents, with pair and time if they are known."""
    separation, pair = summary['min_separation_m'], summary.get('min_separation_pair')
    if separation is None:
        return 'never two agents at once'
    text = f'smallest separation {separation:.2f} m'
    if not pair:
        return text
    return f'{text} ({" and ".join(pair)} at {summary["min_separation_time_s"]:.2f} s)'


def near_miss_text(summary: Mapping[str, Any]) -> str:
    """Return the near misses per minute, empty where they are unknown."""
    rates = [summary.get(key) for key in RATES]
    known = [
        f'{rate:.1f} below {distance:g} m'
        for rate, distance in zip(rates, THRESHOLDS, strict=True) if rate is not None
    ]  # fmt: skip
    return f'near misses per min: {", ".join(known)}' if known else ''
