"""How near bodies came to each other: the smallest separation, whose, and collisions."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.findings.finding_records import Collision, Separation
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import zero_order_hold
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY

Indices = int | NDArray[np.int64]

MAX_DISTANCES = 1 << 20
"""So many distances are computed at once."""

APART = 1.0
"""A collision is over when two bodies have not been too near for this long [s]."""


class SeparationSeries(NamedTuple):
    """The smallest separation of two agents, the smallest of each by name, and collisions."""

    closest: Separation | None
    smallest: Mapping[str, float]
    collisions: tuple[Collision, ...]


class Near(NamedTuple):
    """Two bodies by index, the first and last sample of a stretch, its smallest distance [m]."""

    first: int
    second: int
    begin: int
    end: int
    distance: float
    sample: int


def find_separations(
    cast: Participants, at: Floats, timeout: float, too_near: float
) -> SeparationSeries:
    """Return how near bodies came to each other in three dimensions.

    Separations are between agents, those that are down included; target and adversary can
    collide as well.

    Args:
        cast: Who takes part.
        at: (S,) times at which to look [s].
        timeout: Age [s] at which an agent without telemetry counts as gone.
        too_near: Distance [m] below which two bodies collide.
    """
    names, places = _bodies(cast, at, timeout)
    agents = len(cast.members)
    smallest = np.full(len(names), math.inf)
    closest: Near | None = None
    near: list[Near] = []
    for i, start, distances in _distances(places):
        near += _too_near(i, start, distances, too_near, at)
        among = distances[:, : max(0, agents - 1 - i)]
        if not among.size:
            continue
        least = among.min(axis=0)
        smallest[i] = min(smallest[i], least.min())
        smallest[i + 1 : agents] = np.minimum(smallest[i + 1 : agents], least)
        row, j = np.unravel_index(among.argmin(), among.shape)
        sample = start + int(row)
        found = Near(i, i + 1 + int(j), sample, sample, float(among[row, j]), sample)
        if math.isfinite(found.distance) and (closest is None or _rank(found) < _rank(closest)):
            closest = found
    return SeparationSeries(
        None if closest is None else _separation(closest, names, at),
        {name: float(smallest[i]) for i, name in enumerate(names[:agents])},
        tuple(_collisions(near, names, at)),
    )


def _rank(near: Near) -> tuple[float, int]:
    return near.distance, near.sample


def _separation(near: Near, names: Sequence[str], at: Floats) -> Separation:
    time = float(at[near.sample])
    return Separation(near.distance, time, names[near.first], names[near.second])


def _bodies(cast: Participants, at: Floats, timeout: float) -> tuple[list[str], list[Floats]]:
    """Return names and places (S, 3) of all bodies, agents first; NaN where unknown.

    Telemetry has the position of an agent even while it is down; states only while fresh.
    """
    names, places = [], []
    for k, name in cast.names.items():
        told, sight = cast.telemetry.get(k), cast.agents.get(k)
        names.append(name)
        if told is not None:
            places.append(zero_order_hold(told.time, told.position, at))
        elif sight is not None:
            places.append(zero_order_hold(sight.time, sight.position, at, timeout))
        else:
            places.append(np.full((len(at), 3), math.nan))
    for name, sight in ((cast.target_name, cast.target), (ADVERSARY, cast.adversary)):
        if sight is not None:
            names.append(name)
            places.append(zero_order_hold(sight.time, sight.position, at, timeout))
    return names, places


def _distances(places: Sequence[Floats]) -> Iterator[tuple[int, int, Floats]]:
    """Return index of a body, first sample, and distances (B, later bodies); unknown is inf."""
    if len(places) < 2:
        return
    block = max(1, MAX_DISTANCES // len(places))
    for start in range(0, len(places[0]), block):
        part = np.stack([place[start : start + block] for place in places], axis=1)
        for i in range(len(places) - 1):
            dx, dy, dz = np.moveaxis(part[:, i + 1 :] - part[:, i : i + 1], 2, 0)
            distances = np.sqrt(dx * dx + dy * dy + dz * dz)
            yield i, start, np.where(np.isnan(distances), math.inf, distances)


def _too_near(
    i: int, start: int, distances: Floats, too_near: float, at: Floats
) -> Iterator[Near]:
    """Iterate over the stretches of one block in which a body was too near to a later one."""
    near = distances < too_near
    columns, rows = np.nonzero(near.T)
    if not len(rows):
        return
    samples, found = start + rows, distances[rows, columns]
    parted = (np.diff(columns) != 0) | _is_apart(samples[:-1], samples[1:], at)
    edges = [0, *(np.flatnonzero(parted) + 1).tolist(), len(rows)]
    for first, end in pairwise(edges):
        nearest = first + int(found[first:end].argmin())
        pair, stretch = (i, i + 1 + int(columns[first])), (samples[first], samples[end - 1])
        yield Near(*pair, *map(int, stretch), float(found[nearest]), int(samples[nearest]))


def _is_apart(before: Indices, after: Indices, at: Floats) -> NDArray[np.bool_]:
    """Return whether two samples of too near belong to different collisions."""
    return (after - before > 1) & (at[after] - at[before] > APART)


def _collisions(near: list[Near], names: Sequence[str], at: Floats) -> list[Collision]:
    """Return the collisions in order of their begin; blocks may have cut them."""
    whole: list[Near] = []
    for one in sorted(near):
        last = whole[-1] if whole else None
        if last is not None and one[:2] == last[:2] and not _is_apart(last.end, one.begin, at):
            nearest = min(last, one, key=_rank)
            whole[-1] = nearest._replace(begin=last.begin, end=one.end)
        else:
            whole.append(one)
    found = [
        Collision(names[one.first], names[one.second], float(at[one.begin]), float(at[one.end]),
                  one.distance, float(at[one.sample]))
        for one in whole
    ]  # fmt: skip
    return sorted(found, key=lambda one: (one.begin, one.first, one.second))
