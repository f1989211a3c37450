"""An agent that does not hear its target comes closer, and goes back slowly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers.terms.approach_unheard import (
    CLOSEST,
    NONE_YET,
    ApproachUnheard,
    kept_radius,
)

RULE = ApproachUnheard(20.0, 0.8, 0.015)


@pytest.mark.parametrize(('before', 'is_heard', 'distance', 'radius'), [
    (NONE_YET, True, 35.0, 20.0),
    (20.0, True, 15.0, 20.0),
    (20.0, False, 15.0, 12.0),
    (12.0, False, 15.0, 12.0),
    (20.0, False, 40.0, 20.0),
    (12.0, False, 3.0, 10.0),
    (12.0, True, 15.0, 12.015),
    (19.99, True, 15.0, 20.0),
])  # fmt: skip
def test_the_radius(before: float, is_heard: bool, distance: float, radius: float):
    assert kept_radius(before, is_heard, distance, RULE) == pytest.approx(radius)


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 1e3)), max_size=50))
def test_it_is_never_more_than_the_ring_s_nor_less_than_half_of_it(ticks):
    radius = NONE_YET
    for is_heard, distance in ticks:
        radius = kept_radius(radius, is_heard, distance, RULE)
        assert CLOSEST * RULE.radius <= radius <= RULE.radius


def test_with_a_share_of_one_it_stays():
    assert kept_radius(20.0, False, 15.0, RULE._replace(share=1.0)) == 20.0
