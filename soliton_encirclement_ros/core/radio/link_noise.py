"""Random numbers of links: a hash of sender, receiver and message count.

Every directed link has its own stream for every purpose. A number depends on the seed of the run,
the two members, the count of the message and the purpose alone: there is no state, and changing
one link, a rate or a delay shifts no other number. The entries take ``int()`` of what they get:
interpreted, it may be NumPy's ``uint64``, which NumPy 1 refuses to mix with ``int``.
"""

import numpy as np
from velocity_mobility_ros.core.random_numbers import mix, unit_number

LOSS, JITTER, OFFSET_X, OFFSET_Y = map(np.uint64, (1, 2, 3, 4))
"""Purposes of the numbers."""


def message_key(seed: int, sender: int, count: int, purpose: int) -> int:
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


def link_noise(seed: int, sender: int, receiver: int, count: int, purpose: int) -> float:
    """Return the number in [0, 1) of one message on one directed link."""
    return receiver_noise(message_key(seed, sender, count, purpose), receiver)
