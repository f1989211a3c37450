"""Gaps in proportion to the weights of the arcs, and an order that is kept."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.core import TargetState
from soliton_encirclement_ros.core.ring.spacing_correction import TURN
from support.laws import flight
from support.ready import NO_HURRY, laws
from support.ring_scene import ORIGIN, R, command_on_even_ring, known, made, turning
from velocity_mobility_ros.core.model import Vector

__all__ = ['laws']

pytestmark = NO_HURRY


@pytest.mark.parametrize('count', [1, 2, 5, 10])
@pytest.mark.parametrize('velocity', [ORIGIN, (3.0, -2.0, 0.5)])
def test_an_even_ring_is_a_fixed_point(count: int, velocity: Vector) -> None:
    """With equal weights, round a target that flies straight on, the command is its velocity."""
    _, _, command = command_on_even_ring('wang_xie_cao', count, 0.0, velocity)
    assert command == pytest.approx(velocity, abs=1e-9)


def test_gaps_in_proportion_to_their_weights_are_a_fixed_point() -> None:
    """Weights 1 and 3 of the arcs behind and ahead: gaps of 0.5 and 1.5 rad are right."""
    said = TargetState(1, ORIGIN, ORIGIN, ((1, 3.0), (2, 1.0), (3, 2.0)))
    controller = made('wang_xie_cao')
    command = controller.step(known(1, turning(0.0), {2: turning(-0.5), 3: turning(1.5)}, said))
    assert command == pytest.approx(ORIGIN, abs=1e-9)


def test_the_turn_is_that_of_the_paper() -> None:
    """(d_p g_s - d_s g_p) / (d_s + d_p) with d_p = 1, d_s = 3, g_p = 1.0, g_s = 1.4, times k."""
    said = TargetState(1, ORIGIN, ORIGIN, ((1, 3.0), (2, 1.0), (3, 2.0)))
    controller = made('wang_xie_cao', k_turn=0.5)
    controller.step(known(1, turning(0.0), {2: turning(-1.0), 3: turning(1.4)}, said))
    assert controller.broadcast().u == pytest.approx(0.5 * (1.4 - 3.0) / 4.0)


def test_an_open_arc_is_as_wide_as_asked() -> None:
    """Ten agents share 180 degrees evenly: the weights of the target are all that tells them."""
    flown = flight('wang_xie_cao', {'target': {'protection_angle_deg': 180.0}}, 240.0)
    x, y, *_ = flown.chunk.target[-1]
    thetas = sorted(math.atan2(py - y, px - x) for px, py, _ in flown.positions[-1])
    arcs = sorted(b - a for a, b in zip(thetas, [*thetas[1:], thetas[0] + TURN], strict=True))
    assert arcs[-1] == pytest.approx(math.pi, abs=0.03)
    assert arcs[:-1] == pytest.approx([math.pi / 9.0] * 9, abs=0.03)


def test_the_order_on_the_circle_is_kept() -> None:
    """The published property: from a crowd on a tenth of the circle nobody overtakes anybody."""

    def start(agent: int) -> tuple[Vector, Vector]:
        theta = 0.1 * agent
        return (R * math.cos(theta), R * math.sin(theta), 0.0), ORIGIN

    flown = flight('wang_xie_cao', {'run': {'num_agents': 6}}, 60.0, start)
    theta = np.unwrap(np.arctan2(flown.positions[:, :, 1], flown.positions[:, :, 0]), axis=0)
    gaps = np.diff(theta, axis=1, append=theta[:, :1] + TURN)
    assert gaps.min() > 0.09
    assert flown.metrics.E_gap < 1e-3


def test_with_equal_weights_it_is_the_law_of_franchi() -> None:
    """The middle between the neighbours is what equal weights ask for: one flight, two names."""
    changes = {'run': {'num_agents': 5}, 'control': {'k_turn': 1.0, 'k_radius': 1.0}}
    one, other = flight('wang_xie_cao', changes, 20.0), flight('franchi', changes, 20.0)
    assert np.abs(one.positions - other.positions).max() < 1e-9
