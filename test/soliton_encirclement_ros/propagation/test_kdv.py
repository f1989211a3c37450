"""The dispersive layer, and what a constant error does to it."""

import math

import pytest
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.kdv import KDV, KdvState
from support.ring import Ring

GAINS = KDV.gains(PropagationParameters())


def test_one_step_by_the_book() -> None:
    """Steepening, dispersion of the curvatures told, decay, injection; the new curvature."""
    state, pred, succ = KdvState(0.4, 9.0), KdvState(0.1, 0.6), KdvState(-0.3, -0.2)
    after, heard = KDV.step(state, 0.5, 0.05, pred, succ, GAINS)
    rate = -2.0 * 0.4 * -0.2 - 0.5 * -0.4 - 1.5 * 0.4 + 5.0 * math.tanh(0.5)
    assert after == pytest.approx((0.4 + 0.05 * rate, -0.3 - 0.8 + 0.1), rel=1e-12)
    assert heard == pytest.approx(-0.1)


def test_the_field_is_clipped() -> None:
    """No neighbour and no error lifts q beyond q_max."""
    loud = KdvState(1e6, -1e6)
    after, _ = KDV.step(KdvState(1.0, 0.0), 1.0, 0.05, loud, KdvState(-1e6, 1e6), GAINS)
    assert abs(after.q) == 5.0


def test_an_even_error_moves_all_alike() -> None:
    """Without differences only decay and injection are left: S tanh(e) / gamma."""
    ring = Ring('kdv', 5, 0.05)
    for _ in range(300):
        found = ring.tick([0.3] * 5)
    assert found == pytest.approx([5.0 * math.tanh(0.3) / 1.5] * 5, rel=1e-6)


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
