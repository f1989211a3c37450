"""Smallest separation of agents, and collisions of all bodies."""

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
"""Upper limit of distances computed at once; bounds the memory."""

END_TIME = 1.0
"""A collision ends when two bodies stay apart for longer than this [s]."""


class SeparationSeries(NamedTuple):
    """Smallest separation of two agents, smallest of each agent by name, and collisions."""

    closest: Separation | None
    smallest: Mapping[str, float]
    collisions: tuple[Collision, ...]


NO_SEPARATIONS = SeparationSeries(None, {}, ())


class Near(NamedTuple):
    """Two bodies by index, first and last sample of an encounter, its smallest distance [m]."""

    first: int
    second: int
    begin: int
    end: int
    distance: float
    sample: int


def find_separations(
    participants: Participants, at: Floats, timeout: float, too_near: float
) -> SeparationSeries:
    """Return separations and collisions in three dimensions.

    Separations are between agents, including failed ones; collisions also count target and
    adversary.

    Args:
        participants: Members with a role.
        at: (S,) times of the samples [s].
        timeout: Age of the last state [s] above which an agent without telemetry counts as lost.
        too_near: Distance [m] below which two bodies collide.
    """
    names, places = _bodies(participants, at, timeout)
    agents = len(participants.members)
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


def _bodies(
    participants: Participants, at: Floats, timeout: float
) -> tuple[list[str], list[Floats]]:
    """Return names and positions (S, 3) of all bodies, agents first; NaN where unknown.

    Telemetry gives the position of an agent even while it is down; states only until the timeout.
    A vehicle that stands on the ground is in nobody's way: for this purpose it is nowhere.
    """
    names, places = [], []
    for k, name in participants.names.items():
        telemetry, body = participants.telemetry.get(k), participants.agents.get(k)
        names.append(name)
        if telemetry is not None:
            places.append(zero_order_hold(telemetry.time, telemetry.position, at))
        elif body is not None:
            places.append(zero_order_hold(body.time, body.position, at, timeout))
        else:
            places.append(np.full((len(at), 3), math.nan))
    for name, body in (
        (participants.target_name, participants.target),
        (ADVERSARY, participants.adversary),
    ):
        if body is not None:
            names.append(name)
            places.append(zero_order_hold(body.time, body.position, at, timeout))
    for name, place in zip(names, places, strict=True):
        place[participants.stands(name, at)] = math.nan
    return names, places


def _distances(places: Sequence[Floats]) -> Iterator[tuple[int, int, Floats]]:
    """Iterate over body index, first sample and distances (B, later bodies); unknown is inf."""
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
    """Iterate over the encounters of a body with later bodies in one block."""
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
    """Return whether two samples belong to different collisions."""
    return (after - before > 1) & (at[after] - at[before] > END_TIME)


def _collisions(near: list[Near], names: Sequence[str], at: Floats) -> list[Collision]:
    """Return the collisions in order of their begin; joins those that a block boundary cut."""
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
