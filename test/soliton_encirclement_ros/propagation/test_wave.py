"""The layer of masses and springs."""

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.wave import WAVE, WaveState

GAINS = WAVE.gains(PropagationParameters())


@pytest.mark.as_original
def test_w24_the_rate_never_reaches_the_neighbours_as_original() -> None:
    """W24, as the original: k_p counts in the own signal, which no controller reads."""
    state = WaveState(0.3, -0.6)
    assert WAVE.signal(state, GAINS) == pytest.approx(0.3 - 0.18)
    assert WAVE.message(state) == (0.3,)
