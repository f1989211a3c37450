"""Smallest separation of agents, and collisions of all bodies."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Collision, Separation
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import zero_order_hold
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY

MAX_DISTANCES = 1 << 20
"""Upper limit of distances computed at once, more than those of one pair; bounds the memory."""

END_TIME = 1.0
"""A collision ends when two bodies stay apart for longer than this [s]."""


class SeparationSeries(NamedTuple):
    """Smallest separation of two agents, smallest of each agent by name, and collisions."""

    closest: Separation | None
    smallest: Mapping[str, float]
    collisions: tuple[Collision, ...]


NO_SEPARATIONS = SeparationSeries(None, {}, ())


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
    agents = names[: len(participants.members)]
    smallest, collisions = dict.fromkeys(agents, math.inf), []
    closest, first_sample = None, len(at)
    for first, second, distances in _distances(names, places):
        collisions += _collisions(first, second, distances, too_near, at)
        if second not in smallest or not len(at):
            continue
        sample = int(distances.argmin())
        least = float(distances[sample])
        for name in (first, second):
            smallest[name] = min(smallest[name], least)
        nearest = math.inf if closest is None else closest.distance
        if least < nearest or (least == nearest < math.inf and sample < first_sample):
            closest, first_sample = Separation(least, float(at[sample]), first, second), sample
    collisions.sort(key=lambda one: (one.begin, one.first, one.second))
    return SeparationSeries(closest, smallest, tuple(collisions))


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


def _distances(
    names: Sequence[str], places: Sequence[Floats]
) -> Iterator[tuple[str, str, Floats]]:
    """Iterate over all pairs of bodies and their distances (S,) [m]; unknown is inf."""
    for i, place in enumerate(places):
        group = max(1, MAX_DISTANCES // max(1, len(place)))
        for start in range(i + 1, len(places), group):
            dx, dy, dz = np.moveaxis(np.stack(places[start : start + group]) - place, 2, 0)
            distances = np.sqrt(dx * dx + dy * dy + dz * dz)
            distances[np.isnan(distances)] = math.inf
            for name, one in zip(names[start:], distances, strict=False):
                yield names[i], name, one


def _collisions(
    first: str, second: str, distances: Floats, too_near: float, at: Floats
) -> Iterator[Collision]:
    """Iterate over the collisions of two bodies."""
    near = np.flatnonzero(distances < too_near)
    apart = (np.diff(near) > 1) & (np.diff(at[near]) > END_TIME)
    for part in np.split(near, np.flatnonzero(apart) + 1) if len(near) else ():
        nearest = part[distances[part].argmin()]
        begin, end, time = at[[part[0], part[-1], nearest]].tolist()
        yield Collision(first, second, begin, end, float(distances[nearest]), time)
