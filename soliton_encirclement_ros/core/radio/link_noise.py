"""Random numbers of links: a hash of sender, receiver and message count.

Every directed link has its own stream for every purpose. A number depends on the seed of the run,
the two members, the count of the message and the purpose alone: there is no state, and changing
one link, a rate or a delay shifts no other number. Plain integers masked to 64 bit, so that a
compiler with unsigned 64-bit integers gives the same numbers. The entries take ``int()`` of what
they get: interpreted, it may be NumPy's ``uint64``, which NumPy 1 refuses to mix with ``int``.
"""

import numpy as np

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
UNIT = 1.0 / 9007199254740992.0
"""2^-53, the distance between two numbers."""

LOSS, JITTER, OFFSET_X, OFFSET_Y = map(np.uint64, (1, 2, 3, 4))
"""Purposes of the numbers."""


def mix(z: int) -> int:
    """Return a well-mixed 64-bit number: one step of splitmix64 with its finaliser."""
    z = (z + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * FIRST) & MASK
    z = ((z ^ (z >> 27)) * SECOND) & MASK
    return z ^ (z >> 31)


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
    return float(mix(int(key) ^ int(receiver)) >> 11) * UNIT


def link_noise(seed: int, sender: int, receiver: int, count: int, purpose: int) -> float:
    """Return the number in [0, 1) of one message on one directed link."""
    return receiver_noise(message_key(seed, sender, count, purpose), receiver)
