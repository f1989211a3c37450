"""The radio between the members: which members receive a message, and after which delay.

A message is received by members that are in range (squared 3-D distance at the time of sending)
and not separated by a partition then, unless it is lost at random. It takes the delay, and a
jitter that is uniform from 0 to its bound. Every directed link has one seeded random stream for
losses and one for jitter: see ``link_noise``.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.velocity_model import Vector

from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.radio.link_noise import (
    JITTER,
    LOSS,
    message_key,
    receiver_noise,
)
from soliton_encirclement_ros.core.radio.partitions import Partitions
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, uav_id


def link_number(member: str) -> int:
    """Return a member's number on the radio: target 0, adversary 1, ``uav_k`` k + 1."""
    agent_id = uav_id(member)
    if agent_id is not None:
        return agent_id + 1
    return 0 if member == TARGET else 1


class Radio:
    """A pure function of message, time and positions; it keeps no state between messages."""

    def __init__(self, parameters: RadioParameters, seed: int, members: Sequence[str]) -> None:
        """Set up the links between some members.

        Args:
            parameters: Parameters of the radio.
            seed: Seed of the run.
            members: Names of all members.

        Raises:
            ScenarioError: The partitions are refused.
        """
        self._parameters = parameters
        self._seed = seed
        self._numbers = {member: link_number(member) for member in members}
        self._partitions = Partitions(parameters.partitions, members)
        distance = parameters.communication_transmission_range
        self._range_sq = distance * distance
        self._delay_ns = to_ns(parameters.communication_delay)

    def is_reception_uniform(self, now: float, positions: Sequence[Vector]) -> bool:
        """Return whether all members receive all messages sent at a time [s] without delay.

        Args:
            now: The time.
            positions: Where the members are [m]. A box around all of them whose diagonal is in
                range is sufficient; it avoids a check of every pair.
        """
        if not self._parameters.is_prompt or self._partitions.open(now):
            return False
        dx, dy, dz = (max(axis) - min(axis) for axis in zip(*positions, strict=True))
        return in_reach(dx, dy, dz, self._range_sq)

    def receivers(
        self, sender: str, count: int, now: float, positions: Mapping[str, Vector]
    ) -> Iterator[tuple[str, int]]:
        """Iterate over the receivers of a message and their delays [ns].

        Args:
            sender: The sender.
            count: Which message of the sender it is.
            now: When it is sent [s].
            positions: Position of every member at that time [m].
        """
        number = self._numbers[sender]
        loss = message_key(self._seed, number, count, LOSS)
        jitter = message_key(self._seed, number, count, JITTER)
        for receiver in self._in_reach(sender, now, positions):
            if not self._is_lost(loss, self._numbers[receiver]):
                yield receiver, self._delay_ns + self._jitter_ns(jitter, self._numbers[receiver])

    def _in_reach(self, sender: str, now: float, positions: Mapping[str, Vector]) -> Iterator[str]:
        x, y, z = positions[sender]
        splits = self._partitions.open(now)
        for receiver, (px, py, pz) in positions.items():
            dx, dy, dz = px - x, py - y, pz - z
            near = in_reach(dx, dy, dz, self._range_sq)
            if near and receiver != sender and _are_together(sender, receiver, splits):
                yield receiver

    def _is_lost(self, key: int, receiver: int) -> bool:
        return is_lost(self._parameters.communication_failure_rate, key, receiver)

    def _jitter_ns(self, key: int, receiver: int) -> int:
        return jitter_ns(self._parameters.communication_jitter, key, receiver)


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
        kept = stream.random() > rate
        return kept and near
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


def _are_together(one: str, other: str, splits: Sequence[Mapping[str, int]]) -> bool:
    return all(groups[one] == groups[other] for groups in splits)
