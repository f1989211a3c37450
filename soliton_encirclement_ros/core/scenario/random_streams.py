"""Random streams: one run seed, one independent stream per purpose.

Changing or adding one consumer never shifts the draws of another, because a stream depends on the
seed and on its own name alone.

``reference`` are the numbers of the original experiment instead. There one Mersenne Twister serves
the placement, then target and adversary in the order in which they happen to ask; every agent's
failures have one of their own. Bit for bit they are those of CPython's ``random.Random``.
"""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

PLACEMENT = 'placement'
STREAMS = 'streams'
REFERENCE = 'reference'
FAILURE_SEED = 0xF00DCAFE
"""The original's seed of failures, to which it adds the number of a node."""

FIRST_NODE = 2
"""The original's number of our ``uav_1``: its target and its adversary come before."""


@dataclass(frozen=True)
class RunStreams:
    """All the generators of a run; ``failures`` gives a new one for an agent's number.

    ``radio`` is None where every link has numbers of its own: see ``link_noise``.
    """

    placement: np.random.Generator
    target: np.random.Generator
    adversary: np.random.Generator
    radio: np.random.Generator | None
    failures: Callable[[int], np.random.Generator]


def run_streams(rng: str, seed: int) -> RunStreams:
    """Return the generators of a run, of which nothing was drawn yet.

    Args:
        rng: ``streams`` or ``reference``.
        seed: Seed of the run; 0 is that of the original.
    """
    if rng == REFERENCE:
        shared = mersenne_twister(seed)
        return RunStreams(
            shared, shared, shared, shared, lambda k: reference_failure_stream(seed, k)
        )
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


def failure_stream(seed: int, agent_id: int) -> np.random.Generator:
    """Return the generator of one agent's failures."""
    return random_stream(seed, f'failures/uav_{agent_id}')


def reference_failure_stream(seed: int, agent_id: int) -> np.random.Generator:
    """Return the generator that the original has for one agent's failures."""
    node = agent_id - 1 + FIRST_NODE
    return mersenne_twister(FAILURE_SEED + node + (seed << 32))


def mersenne_twister(seed: int) -> np.random.Generator:
    """Return a generator that draws what ``random.Random(seed)`` draws."""
    _, state, _ = random.Random(seed).getstate()
    bits = np.random.MT19937()
    bits.state = {
        'bit_generator': 'MT19937',
        'state': {'key': np.array(state[:-1], dtype=np.uint64), 'pos': state[-1]},
    }
    return np.random.Generator(bits)
