"""The layer of masses and springs."""

import itertools
import math

import pytest
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.wave import WAVE, WaveState
from support.ring import Ring

GAINS = WAVE.gains(PropagationParameters())


def test_undamped_modes_swing_at_the_frequency_of_the_chain() -> None:
    """The shortest wave of an even ring turns at sqrt(alpha_q + 4 c_sq)."""
    ring = Ring('wave', 4, 0.001, wave_gamma=0.0)
    ring.tick([0.5, -0.5, 0.5, -0.5])
    signs = []
    for _ in range(6253):
        ring.tick([0.0] * 4)
        signs.append(ring.values()[0]['q'] > 0.0)
    turns = sum(a != b for a, b in itertools.pairwise(signs))
    assert turns == pytest.approx(6.253 * math.sqrt(101.0) / math.pi, abs=1)


@pytest.mark.as_original
def test_w24_the_rate_never_reaches_the_neighbours_as_original() -> None:
    """W24, as the original: k_p counts in the own signal, which no controller reads."""
    state = WaveState(0.3, -0.6)
    assert WAVE.signal(state, GAINS) == pytest.approx(0.3 - 0.18)
    assert WAVE.message(state) == (0.3,)
