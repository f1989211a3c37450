"""The cone keeps a distance that is known up to an error, for every true place in the ball."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.safety.pair_barrier import direction_cone
from support.safety.draws import stream

D = 2.0


def demands(cone):
    """Return directions and least rates (gamma 1) of a cone along east."""
    yield 1.0, 0.0, -cone.gap
    if cone.sine > 0.0:
        yield cone.cosine, cone.sine, -cone.side_gap
        yield cone.cosine, -cone.sine, -cone.side_gap


def shortfall(size, e, motion):
    """Return by how much a motion is too fast for the worst true place [m/s]."""
    worst = 0.0
    for radius in np.linspace(0.0, e, 8):
        for angle in np.linspace(0.0, 2.0 * math.pi, 48):
            x, y = size + radius * math.cos(angle), radius * math.sin(angle)
            gap = math.hypot(x, y)
            if gap < D:
                continue
            rate = (x * motion[0] + y * motion[1]) / gap
            worst = max(worst, -(gap - D) - rate)
    return worst


def test_what_the_cone_allows_is_safe_for_all_places():
    draw, met = stream(8), 0
    for _ in range(400):
        size, e = draw.uniform(2.0, 6.0), draw.uniform(0.01, 1.5)
        cone = direction_cone(size, D, e, False)
        motion = draw.uniform(-4.0, 4.0, 2)
        if any(x * motion[0] + y * motion[1] < rate for x, y, rate in demands(cone)):
            continue
        met += 1
        assert shortfall(size, e, motion) < 0.25
    assert met > 50


def test_standing_still_is_allowed_wherever_the_distance_may_be_kept():
    draw = stream(9)
    for _ in range(300):
        cone = direction_cone(draw.uniform(D, 8.0), D, draw.uniform(0.0, 4.0), False)
        assert all(rate <= 0.0 for _, _, rate in demands(cone))


def test_a_distance_below_d_has_to_grow():
    assert direction_cone(1.5, D, 0.0, False).gap == pytest.approx(-0.5)
    assert direction_cone(1.5, D, 0.3, False).gap == pytest.approx(-0.5)


@pytest.mark.parametrize('e', [0.0, 5e-324, 1e-200, 1e-12])
def test_two_at_one_place_that_are_known_well_have_a_cone(e):
    cone = direction_cone(0.0, D, e, False)
    assert cone.gap == -D
    assert cone.side_gap == 0.0


def test_a_lasting_error_is_left_behind():
    assert direction_cone(2.5, D, 1.0, False).gap == 0.0
    assert direction_cone(2.5, D, 1.0, True).gap == pytest.approx(-0.5)


@pytest.mark.parametrize('size', [0.0, 1.9, 50.0])
@pytest.mark.parametrize('e', [0.0, 0.4, 1e3])
def test_it_is_always_a_cone(size, e):
    cone = direction_cone(size, D, e, False)
    assert all(map(math.isfinite, cone))
    assert cone.cosine**2 + cone.sine**2 == pytest.approx(1.0)
    assert cone.cosine > 0.05
