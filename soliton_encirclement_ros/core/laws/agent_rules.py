"""What an agent does around its law, whichever that is."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_ns, to_seconds

from soliton_encirclement_ros.core.laws.law import Law
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters

GIVE_UP, WAIT, FLY = range(3)
"""What there is to do: forget everything and stop, stop, or follow the law."""


def what_to_do(has_received: bool, target_age: float, target_hold: float) -> int:
    """Return what an agent does at a tick by its data of the target.

    Args:
        has_received: Whether it has received the target.
        target_age: Age of its data of the target [s]; infinite: it has none.
        target_hold: How long it goes on after the target is lost [s]. Afterwards what it knew is
            worth nothing.
    """
    if target_age > target_hold:
        return GIVE_UP
    return FLY if has_received else WAIT


def relays_target(law: Law, control: ControlParameters) -> bool:
    """Return whether agents pass on reports of a target that broadcasts its state.

    Args:
        law: Their law.
        control: Its parameters.
    """
    return law.relays_target and control.target_relay


class SentPose(NamedTuple):
    """The pose in an agent's last message.

    Attributes:
        valid: Whether it has sent any.
        at: When [s].
        position: Where it was [m, map].
        velocity: How it moved [m/s, map].
    """

    valid: bool
    at: float
    position: Vector
    velocity: Vector


NOT_SENT = SentPose(False, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class OldPose(NamedTuple):
    """Where somebody was [m, map], how it moved [m/s, map], and how long ago that was [s]."""

    position: Vector
    velocity: Vector
    age: float


def as_others_see(sent: SentPose, now: float, position: Vector, velocity: Vector) -> OldPose:
    """Return by what the others find an agent's place: its last message, else where it is.

    All agents then sort the same numbers, so they agree on the order, down to equal angles.

    Args:
        sent: The pose in its last message.
        now: Time [s].
        position: Where it is [m, map].
        velocity: How it moves [m/s, map].
    """
    if not sent.valid:
        return OldPose(position, velocity, 0.0)
    return OldPose(sent.position, sent.velocity, to_seconds(to_ns(now - sent.at)))
