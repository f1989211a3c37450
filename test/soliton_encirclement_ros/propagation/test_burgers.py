"""The viscous layer that carries itself."""

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.burgers import (
    BURGERS, BurgersFields, BurgersGains, speed
)
from support.ring import Ring

GAINS = BURGERS.gains(PropagationParameters())


def test_the_fields_are_clipped() -> None:
    """No neighbour lifts a field beyond q_clamp."""
    loud = BurgersFields(1e9, -1e9)
    after, _ = BURGERS.step(BurgersFields(0.0, 0.0), 1.0, 0.05, loud, loud, GAINS)
    assert after == (5.0, -5.0)


def test_the_transport_saturates() -> None:
    """Small values move at alpha_nl q, large ones at alpha_nl q_max; a scale of 0 never does."""
    free = BurgersGains(3.0, 5.0, 0.8, 0.0, 5.0, 2.0, 3.0)
    assert speed(0.01, GAINS) == pytest.approx(0.03, rel=1e-4)
    assert speed(100.0, GAINS) == 6.0
    assert speed(100.0, free) == 300.0


def thinly(e_tau: float) -> float:
    """Return how far neighbours end apart under an error, almost without viscosity."""
    ring = Ring('burgers', 6, 0.05, burgers_nu=0.05)
    for _ in range(200):
        ring.tick([e_tau, 0.9 * e_tau, e_tau, 0.9 * e_tau, e_tau, 0.9 * e_tau])
    field = [said['q_fwd'] for said in ring.values()]
    return max(field) - min(field)


@pytest.mark.as_original
def test_w24_negative_values_lean_on_viscosity_as_original() -> None:
    """W24, as the original: the differences look upstream only for positive values."""
    assert thinly(0.8) < 0.1
    assert thinly(-0.8) > 4.0
