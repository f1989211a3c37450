"""The shift to the place between the neighbours: when it is zero, how it looks from elsewhere."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.ring.ring_geometry import (
    IN_PLACE, Shift, gap_ahead, gap_behind, spacing_correction
)
from velocity_mobility_ros.core.coordinate_frames import TURN

HOPS = st.integers(1, 8)
WEIGHT = st.floats(0.1, 10.0)


def shifts(
    thetas: Sequence[float], rates: Sequence[float], weights: Sequence[float], hops: int
) -> list[Shift]:
    """Return the shift of everybody on a ring in order."""
    return [
        spacing_correction(thetas, rates, weights, i, rates[i], hops) for i in range(len(thetas))
    ]


def from_arcs(arcs: Sequence[float]) -> list[float]:
    """Return ascending angles whose arcs are in proportion to some numbers, from -pi on."""
    scale = TURN / sum(arcs)
    return [scale * sum(arcs[:i]) - math.pi for i in range(len(arcs))]


@st.composite
def rings(draw: st.DrawFn, least: int = 2) -> tuple[list[float], list[float], list[float]]:
    """Draw angles in order (-pi .. pi), rates and weights of two to twelve agents."""
    count = draw(st.integers(least, 12))
    arcs = draw(st.lists(st.floats(0.01, 1.0), min_size=count, max_size=count))
    rates = draw(st.lists(st.floats(-1.0, 1.0), min_size=count, max_size=count))
    weights = draw(st.lists(WEIGHT, min_size=count, max_size=count))
    return from_arcs(arcs), rates, weights


@given(rings())
def test_gaps_of_one_hop_make_a_turn(ring: tuple) -> None:
    """Every arc is the next one's behind, and all together are 2 pi."""
    thetas = ring[0]
    ahead = [gap_ahead(thetas, i, 1) for i in range(len(thetas))]
    behind = [gap_behind(thetas, i, 1) for i in range(len(thetas))]
    assert behind[1:] + behind[:1] == pytest.approx(ahead)
    assert math.fsum(ahead) == pytest.approx(TURN)


@given(rings(), HOPS)
def test_arcs_in_proportion_to_their_weights_are_in_place(ring: tuple, hops: int) -> None:
    """The weighted equilibrium is one for every number of hops, also with a wide open arc."""
    _, rates, weights = ring
    turning = [rates[0]] * len(rates)
    for shift in shifts(from_arcs(weights), turning, weights, hops):
        assert shift == pytest.approx(IN_PLACE, abs=1e-9)


@given(rings(3), HOPS)
def test_the_rate_is_the_derivative_of_the_angle(ring: tuple, hops: int) -> None:
    """Let everybody move a little: the shift changes by its rate (outside the half-turn rule)."""
    thetas, rates, weights = ring
    step = 1e-6
    later = [t + step * r for t, r in zip(thetas, rates, strict=True)]
    gaps = [gap_ahead(thetas, i, h) for i in range(len(thetas)) for h in range(1, hops + 1)
            if h < len(thetas)]  # fmt: skip
    if min(abs(gap - math.pi) for gap in gaps) < 1e-5:
        return
    before, after = shifts(thetas, rates, weights, hops), shifts(later, rates, weights, hops)
    for old, new in zip(before, after, strict=True):
        assert (new.angle - old.angle) / step == pytest.approx(old.rate, abs=1e-5)


@given(rings(), HOPS)
def test_the_place_is_between_the_neighbours(ring: tuple, hops: int) -> None:
    """Nobody is sent beyond the farthest neighbour it looks at, nor beyond a turn."""
    thetas, rates, weights = ring
    farthest = max(1, min(hops, (len(thetas) - 1) // 2))
    for i, shift in enumerate(shifts(thetas, rates, weights, hops)):
        assert shift.angle <= gap_ahead(thetas, i, farthest) + 1e-12
        assert -shift.angle <= gap_behind(thetas, i, farthest) + 1e-12


@pytest.mark.parametrize('count', [2, 3, 10])
def test_at_one_angle_there_is_an_order_and_true_gaps(count: int) -> None:
    """The first sees the rest of the circle behind itself, the last ahead, the others nothing."""
    thetas, ones = [0.3] * count, [1.0] * count
    gaps = [(gap_behind(thetas, i, 1), gap_ahead(thetas, i, 1)) for i in range(count)]
    assert gaps[0] == pytest.approx((TURN, 0.0)) and gaps[-1] == pytest.approx((0.0, TURN))
    assert all(gap == (0.0, 0.0) for gap in gaps[1:-1])
    found = [shift.angle for shift in shifts(thetas, [0.0] * count, ones, 1)]
    assert found[0] == pytest.approx(-math.pi) and found[-1] == pytest.approx(math.pi)


def test_beyond_half_a_circle_only_the_nearest_count() -> None:
    """A bunch looks no farther than its neighbours across the wide gap."""
    thetas, ones = [0.0, 0.1, 0.3, 0.5, 1.2], [1.0] * 5
    near, far = shifts(thetas, ones, ones, 1), shifts(thetas, ones, ones, 2)
    assert far[0] == near[0] and far[-1] == near[-1]
    assert far[2] != near[2]


@given(HOPS)
def test_alone_everywhere_is_in_place(hops: int) -> None:
    """An agent by itself has no place to go to."""
    assert spacing_correction([1.0], [0.5], [2.0], 0, 0.5, hops) == IN_PLACE
    assert spacing_correction([], [], [], 0, 0.0, hops) == IN_PLACE


def test_arcs_without_weight_say_nothing() -> None:
    """Where the weights add to 0 there is no place; farther neighbours may still give one."""
    thetas, rates = from_arcs([1.0, 1.0, 1.0, 1.0, 1.5]), [0.1] * 5
    assert shifts(thetas, rates, [0.0] * 5, 4) == [IN_PLACE] * 5
    weights = [0.0, 0.0, 1.0, 1.0, 1.0]
    assert spacing_correction(thetas, rates, weights, 1, 0.1, 1) == IN_PLACE
    assert spacing_correction(thetas, rates, weights, 1, 0.1, 2) != IN_PLACE


@pytest.mark.parametrize('hops', [1, 2])
def test_an_arc_without_a_weight_counts_as_1(hops: int) -> None:
    """The target has not told everybody's weight yet."""
    thetas, rates = from_arcs([1.0, 1.2, 1.0, 1.5, 1.5]), [0.1, 0.2, 0.3, 0.2, 0.1]
    told, missing = [2.0, 1.0, 3.0, 1.0, 1.0], [2.0, math.nan, 3.0, 1.0, math.nan]
    assert shifts(thetas, rates, missing, hops) == shifts(thetas, rates, told, hops)
