"""Random streams: one run seed, one independent stream per purpose.

Changing or adding one consumer does not change the draws of another, because a stream depends
only on the seed and its own name.

``reference`` selects the numbers of the original experiment: one Mersenne Twister for placement,
then target and adversary in the order of their calls, and one for the failures of each agent. They
equal those of CPython's ``random.Random`` bit for bit.
"""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET
from velocity_mobility_ros.core.random_numbers import named_seed

PLACEMENT = 'placement'
STREAMS = 'streams'
REFERENCE = 'reference'
FAILURE_SEED = 0xF00DCAFE
"""The original's failure seed, to which it adds the number of a node."""

FIRST_NODE = 2
"""The original's number of ``uav_1``, after target and adversary."""


@dataclass(frozen=True)
class RunStreams:
    """The generators of a run; ``failures`` returns a new one for an agent's number.

    ``radio`` is None if every link has its own generator: see ``link_noise``.
    """

    placement: np.random.Generator
    target: np.random.Generator
    adversary: np.random.Generator
    radio: np.random.Generator | None
    failures: Callable[[int], np.random.Generator]


def run_streams(rng: str, seed: int) -> RunStreams:
    """Return the new generators of a run.

    Args:
        rng: ``streams`` or ``reference``.
        seed: Seed of the run; the original uses 0.
    """
    if rng == REFERENCE:
        shared = mersenne_twister(seed)
        return RunStreams(
            shared, shared, shared, shared,
            lambda k: mersenne_twister(FAILURE_SEED + FIRST_NODE + k - 1 + (seed << 32)),
        )  # fmt: skip
    return RunStreams(
        random_stream(seed, PLACEMENT),
        random_stream(seed, TARGET),
        random_stream(seed, ADVERSARY),
        None,
        lambda k: failure_stream(seed, k),
    )


def random_stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator of one purpose, for example ``failures/uav_3``."""
    digest = hashlib.sha256(name.encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], 'little') for i in range(0, 16, 4)]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))


def body_seed(seed: int, member: str) -> int:
    """Return the seed of the random numbers of a member's vehicle, from 0 to 2^53 - 1."""
    return named_seed(f'{seed}/vehicles/{member}')


def sensor_seed(seed: int, member: str) -> int:
    """Return the seed of the random numbers of a member's sensor, from 0 to 2^53 - 1."""
    return named_seed(f'{seed}/sensors/{member}')


def camera_seed(seed: int, member: str) -> int:
    """Return the seed of the random numbers of a member's camera, from 0 to 2^53 - 1."""
    return named_seed(f'{seed}/cameras/{member}')


def failure_stream(seed: int, agent_id: int) -> np.random.Generator:
    """Return the generator of one agent's failures."""
    return random_stream(seed, f'failures/uav_{agent_id}')


def mersenne_twister(seed: int) -> np.random.Generator:
    """Return a generator with the numbers of ``random.Random(seed)``."""
    _, state, _ = random.Random(seed).getstate()
    bits = np.random.MT19937()
    bits.state = {
        'bit_generator': 'MT19937',
        'state': {'key': np.array(state[:-1], dtype=np.uint64), 'pos': state[-1]},
    }
    return np.random.Generator(bits)
