"""The excitable layer, and its unstable step."""

import itertools

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation.excitable import (
    EXCITABLE, NO_MESSAGE, REST, ExcitableMessage
)
from support.ring import Ring

GAINS = EXCITABLE.gains(PropagationParameters())


def test_bounds_hold_whatever_the_neighbours_say() -> None:
    """V and W are clipped to 3, the signal to 1."""
    loud = ExcitableMessage(1e9)
    after, heard = EXCITABLE.step(REST, 1.0, 0.05, loud, loud, GAINS)
    assert after.v + GAINS.v_rest == pytest.approx(3.0)
    assert heard == 1.0
    assert EXCITABLE.step(REST, 0.0, 0.05, NO_MESSAGE, NO_MESSAGE, GAINS)[1] == 0.0


def disturbed(dt: float) -> Ring:
    """Return an even ring at rest with one cell moved by 1e-3, two seconds later."""
    ring = Ring('excitable', 6, dt)
    ring.step(0, 0.0, ExcitableMessage(1e-3 / (30.0 * dt)), NO_MESSAGE)
    ring.broadcast()
    for _ in range(round(2.0 / dt)):
        ring.tick([0.0] * 6)
    return ring


@pytest.mark.as_original
def test_w5_a_tiny_disturbance_becomes_a_checkerboard_as_original() -> None:
    """W5, invariant 14 as the original breaks it: at 0.05 s 1e-3 grows until the clamps hold."""
    ring = disturbed(0.05)
    values = [said['v'] for said in ring.values()]
    assert all(abs(value) > 1.0 for value in values)
    assert all(a * b < 0.0 for a, b in itertools.pairwise(values))
    assert all(abs(signal) > 0.9 for signal in ring.neighbour_signals)


def test_below_the_bound_the_same_disturbance_fades() -> None:
    """4 D_v dt < 2 by a margin: at 0.01 s nothing is left of it."""
    assert disturbed(0.01).size < 1e-4
