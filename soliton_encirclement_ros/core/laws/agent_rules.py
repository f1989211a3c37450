"""What an agent does around its law, whichever that is."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_ns, to_seconds

GIVE_UP, WAIT, FLY = range(3)
"""What there is to do: forget everything and stop, stop, or follow the law."""


def what_to_do(has_heard: bool, target_age: float, target_hold: float) -> int:
    """Return what an agent does at a tick by what it knows of the target.

    Args:
        has_heard: Whether it has heard the target.
        target_age: How old what it knows of the target is [s]; infinite: it knows nothing.
        target_hold: How long it goes on after the target is lost [s]. Afterwards what it knew is
            worth nothing.
    """
    if target_age > target_hold:
        return GIVE_UP
    return FLY if has_heard else WAIT


class OwnWords(NamedTuple):
    """What an agent last told of itself.

    Attributes:
        told: Whether it has told anything.
        at: When [s].
        position: Where it was [m, map].
        velocity: How it moved [m/s, map].
    """

    told: bool
    at: float
    position: Vector
    velocity: Vector


NO_WORDS = OwnWords(False, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class OldPose(NamedTuple):
    """Where somebody was [m, map], how it moved [m/s, map], and how long ago that was [s]."""

    position: Vector
    velocity: Vector
    age: float


def as_others_see(words: OwnWords, now: float, position: Vector, velocity: Vector) -> OldPose:
    """Return by what the others find an agent's place: its last words, else where it is.

    All agents then sort the same numbers, so they agree on the order, down to equal angles.

    Args:
        words: What it last told of itself.
        now: Time [s].
        position: Where it is [m, map].
        velocity: How it moves [m/s, map].
    """
    if not words.told:
        return OldPose(position, velocity, 0.0)
    return OldPose(words.position, words.velocity, to_seconds(to_ns(now - words.at)))
