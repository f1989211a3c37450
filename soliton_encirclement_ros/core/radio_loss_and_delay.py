"""Loss, delay and reach of the links of the simulated radio; partitions; clocks of both ends.

A message is received by members that are in range (squared 3-D distance at the time of sending)
and not separated by a partition then, unless it is lost at random. It takes the delay, and a
jitter that is uniform from 0 to its bound. Every directed link has one seeded random stream for
losses and one for jitter: see ``link_noise``.

Noise of a link (``link_noise``) is a hash of sender, receiver and message count.

Every directed link has its own stream for every purpose. A number depends on the seed of the run,
the two members, the count of the message and the purpose alone: there is no state, and changing
one link, a rate or a delay shifts no other number. The entries take ``int()`` of what they get:
interpreted, it may be NumPy's ``uint64``, which NumPy 1 refuses to mix with ``int``.

Partitions are texts such as ``20..40: 1 2 target | 3 4``.

Members that are not named form one more group. If windows overlap, members receive each other
only if they share a group in every open one.

Clocks may be wrong.

A sender stamps its states by its own clock, a receiver judges their age by its own: it takes them
for older by as much as its clock is ahead of the sender's, but never for younger than what they
are made of.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.schedules import BAR, Window, parse_windows, refusal, to_member
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav_id
from velocity_mobility_ros.core.random_numbers import (
    hashed, mix, named_seed, normal_pair, unit_number
)
from velocity_mobility_ros.core.step_time import to_ns

LOSS, JITTER, OFFSET_X, OFFSET_Y = map(np.uint64, (1, 2, 3, 4))
"""Purposes of the numbers."""


def message_key(seed: int, sender: int, count: int, purpose: int | np.uint64) -> int:
    """Return the key that all receivers of one message share.

    Args:
        seed: Seed of the run.
        sender: Number of the sender.
        count: Which message of the sender it is.
        purpose: Purpose of the numbers, for example ``LOSS`` or ``JITTER``.
    """
    key = mix(mix(int(seed)) ^ int(purpose))
    return mix(mix(key ^ int(sender)) ^ int(count))


def receiver_noise(key: int, receiver: int) -> float:
    """Return the number in [0, 1) of one receiver of a message."""
    return unit_number(mix(int(key) ^ int(receiver)))


def link_noise(
    seed: int, sender: int, receiver: int, count: int, purpose: int | np.uint64
) -> float:
    """Return the number in [0, 1) of one message on one directed link."""
    return receiver_noise(message_key(seed, sender, count, purpose), receiver)


NAME = 'radio.partitions'
REST = 0
"""The group of the members that are not named."""


class Split(NamedTuple):
    """One window and the group of every member."""

    window: Window
    groups: dict[str, int]


def splits_of(text: str, members: Sequence[str]) -> list[Split]:
    """Return the windows of a text with their groups.

    Args:
        text: The schedule.
        members: Names of all members.

    Raises:
        ScenarioError: The text is not a schedule, or names an unknown member or one twice.
    """
    windows = parse_windows(text, NAME)
    return [Split(window, _groups(window, members)) for window in windows]


def open_groups(splits: Sequence[Split], now: float) -> list[dict[str, int]]:
    """Return the group of every member in each window that is open at a time [s]."""
    return [split.groups for split in splits if split.window.is_open(now)]


def _groups(window: Window, members: Sequence[str]) -> dict[str, int]:
    groups: dict[str, int] = {}
    number = REST + 1
    for word in window.words:
        if word == BAR:
            number += 1
            continue
        member = to_member(word, members, NAME)
        if member in groups:
            raise refusal(NAME, ' '.join(window.words), f'names {word} twice')
        groups[member] = number
    return {member: groups.get(member, REST) for member in members}


def link_number(member: str) -> int:
    """Return a member's number on the radio: target 0, adversary 1, ``uav_k`` k + 1."""
    agent_id = uav_id(member)
    if agent_id is not None:
        return agent_id + 1
    return 0 if member == TARGET else 1


def in_reach(dx: float, dy: float, dz: float, range_sq: float) -> bool:
    """Return whether an offset [m] is within a range given by its square [m^2]."""
    return dx * dx + dy * dy + dz * dz <= range_sq


def drawn_reach(
    dx: float, dy: float, dz: float, range_sq: float, rate: float, stream: np.random.Generator
) -> bool:
    """Return whether a message reaches a receiver, with one generator of chance for all links.

    Args:
        dx: Offset of the receiver to the east [m].
        dy: The same to the north [m].
        dz: The same upwards [m].
        range_sq: Square of the range [m^2].
        rate: Share of messages that are lost; where there is one, everybody draws, near or not.
        stream: Where is drawn from.
    """
    near = in_reach(dx, dy, dz, range_sq)
    if rate > 0.0:
        arrives = stream.random() > rate
        return arrives and near
    return near


def is_lost(rate: float, key: int, receiver: int) -> bool:
    """Return whether a message is lost at random for one receiver.

    Args:
        rate: Share of messages that are lost.
        key: ``message_key`` of the message for losses.
        receiver: Number of the receiver.
    """
    return rate > 0.0 and receiver_noise(key, receiver) < rate


def jitter_ns(jitter: float, key: int, receiver: int) -> int:
    """Return the jitter of a message on top of its delay [ns].

    Args:
        jitter: Largest jitter [s].
        key: ``message_key`` of the message for jitter.
        receiver: Number of the receiver.
    """
    return to_ns(jitter * receiver_noise(key, receiver)) if jitter > 0.0 else 0


def clock_errors_ns(deviation: float, seed: int, members: Sequence[str]) -> dict[str, int]:
    """Return how far the clock of every member is ahead of the true time [ns], the same for ever.

    Args:
        deviation: Standard deviation [s].
        seed: Seed of the run; a member's error depends on it and on the member's name alone.
        members: Names of the members.
    """
    keys = {member: hashed(named_seed(f'{seed}/clock/{member}'), 0) for member in members}
    return {member: to_ns(deviation * normal_pair(key, 0)[0]) for member, key in keys.items()}


def apparent_age_ns(travelled_ns: int, sender_ns: int, receiver_ns: int) -> int:
    """Return for how long a message has travelled by the clocks of both ends [ns], at least 0.

    Args:
        travelled_ns: Its true time on the way [ns].
        sender_ns: How far the clock of the sender is ahead of the true time [ns].
        receiver_ns: The same of the receiver's.
    """
    return max(0, travelled_ns + receiver_ns - sender_ns)
