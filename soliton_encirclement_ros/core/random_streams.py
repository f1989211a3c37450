"""Named random streams: one run seed, one independent stream per purpose.

Changing or adding one consumer never shifts the draws of another, because a stream depends on the
seed and on its own name alone.
"""

import hashlib

import numpy as np


def random_stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator of one purpose, for example ``failures/uav_3``."""
    digest = hashlib.sha256(name.encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], 'little') for i in range(0, 16, 4)]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))


def failure_stream(seed: int, agent_id: int) -> np.random.Generator:
    """Return the generator of one agent's failures."""
    return random_stream(seed, f'failures/uav_{agent_id}')
