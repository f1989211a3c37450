"""The dispersive layer, and what a constant error does to it."""

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.kdv import KDV, KdvState
from support.ring import Ring

GAINS = KDV.gains(PropagationParameters())


def test_the_field_is_clipped() -> None:
    """No neighbour and no error lifts q beyond q_max."""
    loud = KdvState(1e6, -1e6)
    after, _ = KDV.step(KdvState(1.0, 0.0), 1.0, 0.05, loud, KdvState(-1e6, 1e6), GAINS)
    assert abs(after.q) == 5.0


@pytest.mark.as_original
def test_w6_a_constant_error_drives_the_neighbours_the_wrong_way_as_original() -> None:
    """W6, as the original: one agent at 0.8 ends in clamped neighbours of opposite sign."""
    ring = Ring('kdv', 6, 0.05)
    for _ in range(2000):
        ring.tick([0.8, 0.0, 0.0, 0.0, 0.0, 0.0])
    values = [said['q'] for said in ring.values()]
    pairs = list(zip(values, [*values[1:], values[0]], strict=True))
    assert any(abs(a) == abs(b) == 5.0 and a * b < 0.0 for a, b in pairs)
    assert min(values) == -5.0
