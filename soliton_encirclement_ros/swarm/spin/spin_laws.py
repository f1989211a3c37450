"""The family of spin laws by name, and over rows of numbers."""

import functools
from collections.abc import Callable

import numpy as np

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.swarm.memory import FINE, Floats
from soliton_encirclement_ros.swarm.spin.rate_limited_spin import RATE_LIMITED_SPIN
from soliton_encirclement_ros.swarm.spin.soliton_v1_spin import SOLITON_V1_SPIN
from soliton_encirclement_ros.swarm.spin.spin_law import SpinGains, SpinLaw
from soliton_encirclement_ros.swarm.spin.two_channel_spin import TWO_CHANNEL_SPIN

SPIN_LAWS: dict[str, SpinLaw] = {
    'v1': SOLITON_V1_SPIN,
    'v3': TWO_CHANNEL_SPIN,
    'filtered': RATE_LIMITED_SPIN,
}

GAINS = SpinGains(*[1.0] * len(SpinGains._fields))


def spin_memory(name: str, gains: SpinGains) -> Floats:
    """Return the memory before the first error, with room for the rate."""
    rest = SPIN_LAWS[name].rest(gains)
    found = packing(rest)
    row = np.zeros(found.size + 1)
    found.pack(rest, row)
    return row


@functools.cache
def spinning(name: str) -> Callable[..., int]:
    """Return the step of a spin law over a row; the same every time, so that it is found."""
    law = SPIN_LAWS[name]
    step, (size, pack, unpack) = law.step, packing(law.rest(GAINS))

    def spin_row(memory: Floats, now: float, err: float, known: bool, gains: SpinGains) -> int:
        """Advance by one period, in place."""
        after, omega = step(unpack(memory), now, err, known, gains)
        pack(after, memory)
        memory[size] = omega
        return FINE

    return spin_row
