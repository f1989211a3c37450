"""Wrong clocks: how far those of the members are from the true time.

A sender stamps its states by its own clock, a receiver judges their age by its own: it takes them
for older by as much as its clock is ahead of the sender's, but never for younger than what they
are made of.
"""

from collections.abc import Sequence

from velocity_mobility_ros.core.random_numbers import hashed, named_seed, normal_pair
from velocity_mobility_ros.core.step_time import to_ns


def clock_errors_ns(deviation: float, seed: int, members: Sequence[str]) -> dict[str, int]:
    """Return how far the clock of every member is ahead of the true time [ns], the same for ever.

    Args:
        deviation: Standard deviation [s].
        seed: Seed of the run; a member's error depends on it and on the member's name alone.
        members: Names of the members.
    """
    keys = {member: hashed(named_seed(f'{seed}/clock/{member}'), 0) for member in members}
    return {member: to_ns(deviation * normal_pair(key, 0)[0]) for member, key in keys.items()}


def judged_ns(travelled_ns: int, sender_ns: int, receiver_ns: int) -> int:
    """Return for how long a message has travelled by the clocks of both ends [ns], at least 0.

    Args:
        travelled_ns: Its true time on the way [ns].
        sender_ns: How far the clock of the sender is ahead of the true time [ns].
        receiver_ns: The same of the receiver's.
    """
    return max(0, travelled_ns + receiver_ns - sender_ns)
