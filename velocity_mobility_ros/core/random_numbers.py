"""Random numbers as a hash: a number depends on its key and its count alone, so there is no state.

splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) in
plain integers masked to 64 bit, so that a compiler with unsigned 64-bit integers gives the same
numbers. Numbers that come from a record are signed when compiled, therefore the conversions to
``uint64`` in ``hashed``; interpreted, NumPy 1 refuses to mix ``uint64`` with ``int``.
"""

import hashlib
import math

import numpy as np

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
UNIT = 1.0 / 9007199254740992.0
"""2^-53, the distance between two numbers."""

LARGEST_SEED = 9007199254740992
"""2^53: a double represents integers exactly up to here; JSON and rows of records use doubles."""


def named_seed(name: str) -> int:
    """Return the seed of a purpose, such as ``7/sensors/uav_3``, from 0 to 2^53 - 1."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], 'little') >> 11


def mix(z: int) -> int:
    """Return a well-mixed 64-bit number: one step of splitmix64 with its finaliser."""
    z = (z + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * FIRST) & MASK
    z = ((z ^ (z >> 27)) * SECOND) & MASK
    return z ^ (z >> 31)


def unit_number(bits: int) -> float:
    """Return the number in [0, 1) of 64 well-mixed bits."""
    return float(bits >> 11) * UNIT


def hashed(key: int, number: int) -> int:
    """Return the 64 well-mixed bits of a key and a number, both from 0 to 2^64 - 1."""
    return mix(int(np.uint64(key)) ^ int(np.uint64(number)))


def normal_pair(key: int, count: int) -> tuple[float, float]:
    """Return two independent numbers from the standard normal distribution.

    Source: Box, Muller: A note on the generation of random normal deviates, Ann. Math. Stat. 29
    (1958).

    Args:
        key: Well-mixed bits of the stream, see ``hashed``.
        count: Which pair of the stream it is, below 2^52.
    """
    u = unit_number(hashed(key, 2 * count))
    angle = 2.0 * math.pi * unit_number(hashed(key, 2 * count + 1))
    radius = math.sqrt(-2.0 * math.log(1.0 - u))
    return radius * math.cos(angle), radius * math.sin(angle)
