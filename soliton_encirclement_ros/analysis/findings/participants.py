"""The participants in a recording, their roles, and the data of their positions."""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Point
from soliton_encirclement_ros.analysis.recording import (
    Commands,
    Floats,
    Member,
    Recording,
    StateSeries,
    Telemetry,
    Track,
)
from soliton_encirclement_ros.analysis.resampling import zero_order_hold
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav_id

Part = TypeVar('Part', Track, Commands, StateSeries, Telemetry)


class ObservedBody(NamedTuple):
    """One body as observed: (K,) ``time`` [s] and ``seq``, (K, 3) position and velocity.

    ``said`` is whether these are its own states, else its odometry.
    """

    time: Floats
    seq: Floats
    position: Floats
    velocity: Floats
    said: bool


class Participants(NamedTuple):
    """All participants with a role.

    Attributes:
        members: Agents by number, without the one that serves as target.
        agents: What is seen of them, without those of whom nothing is.
        telemetry: What they tell of themselves, without those that do not.
        target: What is seen of the target; None for a fixed point, or without any.
        target_name: Its name, None where it has none.
        adversary: What is seen of the adversary.
    """

    members: Mapping[int, Member]
    agents: Mapping[int, ObservedBody]
    telemetry: Mapping[int, Telemetry]
    target: ObservedBody | None
    target_name: str | None
    adversary: ObservedBody | None

    @property
    def names(self) -> dict[int, str]:
        """Names of the agents by number."""
        return {k: member.name for k, member in self.members.items()}

    @property
    def spoken(self) -> bool:
        """Whether agents are observed by their states."""
        return any(sight.said for sight in self.agents.values())


def participants_of(recording: Recording, target: str | Point | None) -> Participants:
    """Return who plays which part.

    As soon as one agent has spoken, agents are known by their words alone, as to a live monitor;
    else by their odometry, as long as they are not down.

    Args:
        recording: What was recorded.
        target: Name of the member that is surrounded, a fixed point [m], or None.
    """
    name = target if isinstance(target, str) else None
    members = numbered(recording, name)
    spoken = any(some(member.words) is not None for member in members.values())
    agents = {k: _words(member) if spoken else _seen(member) for k, member in members.items()}
    telemetry = {k: some(member.telemetry) for k, member in members.items()}
    other = ADVERSARY if ADVERSARY in recording.members and name != ADVERSARY else None
    return Participants(
        members,
        {k: sight for k, sight in agents.items() if sight is not None},
        {k: told for k, told in telemetry.items() if told is not None},
        None if name is None else observed_body(recording.members[name]),
        name,
        None if other is None else observed_body(recording.members[other]),
    )


def numbered(recording: Recording, target: str | None) -> dict[int, Member]:
    """Return the agents by number: k of ``uav_k``, for foreign names the next that is free."""
    agents = [
        member for name, member in recording.members.items()
        if name not in (TARGET, ADVERSARY, target)
    ]  # fmt: skip
    taken = {uav_id(member.name): member for member in agents}
    found = {k: member for k, member in taken.items() if k is not None}
    for member in agents:
        if uav_id(member.name) is None:
            found[next(k for k in range(1, len(agents) + 1) if k not in found)] = member
    return dict(sorted(found.items()))


def observed_body(member: Member) -> ObservedBody | None:
    """Return the data of a member: its states, odometry or telemetry; None without any."""
    return _words(member) or _track(member)


def some(part: Part | None) -> Part | None:
    """Return a part of a member; None for one without a single sample."""
    return part if part is not None and len(part.time) else None


def _words(member: Member) -> ObservedBody | None:
    words = some(member.words)
    if words is None:
        return None
    return ObservedBody(words.time, words.seq, words.position, words.velocity, True)


def _track(member: Member) -> ObservedBody | None:
    track = some(member.track) or some(member.telemetry)
    if track is None:
        return None
    seq = np.arange(1.0, len(track.time) + 1)
    return ObservedBody(track.time, seq, track.position, track.velocity, False)


def _seen(member: Member) -> ObservedBody | None:
    """Return the track of an agent without the time in which it is known to be down."""
    sight, told = _track(member), some(member.telemetry)
    if sight is None or told is None:
        return sight
    up = zero_order_hold(told.time, told.failed, sight.time) != 1.0
    return ObservedBody(*(column[up] for column in sight[:4]), sight.said) if up.any() else None
