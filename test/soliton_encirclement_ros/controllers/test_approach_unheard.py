"""An agent that does not hear its target comes closer, and goes back slowly."""

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.encirclement import (
    CLOSEST, NONE_YET, ApproachUnheard, HeldRadius, held_radius
)

RULE = ApproachUnheard(20.0, 0.75, 0.01)


@pytest.mark.parametrize(('before', 'is_heard', 'distance', 'expected'), [
    (NONE_YET, True, 35.0, (20.0, 35.0)),
    (NONE_YET, False, 35.0, (20.0, 0.0)),
    ((20.0, 20.0), True, 15.0, (20.0, 15.0)),
    ((20.0, 15.0), False, 15.5, (11.625, 15.0)),
    ((11.0, 15.0), False, 15.0, (11.0, 15.0)),
    ((20.0, 40.0), False, 40.0, (20.0, 40.0)),
    ((12.0, 15.0), False, 3.0, (10.0, 15.0)),
    ((11.0, 15.0), True, 14.5, (12.75, 14.5)),
    ((14.0, 14.2), True, 14.1, (14.01, 14.1)),
    ((19.995, 20.0), True, 20.0, (20.0, 20.0)),
])  # fmt: skip
def test_the_radius(before, is_heard, distance, expected):
    found = held_radius(HeldRadius(*before), is_heard, distance, RULE)
    assert found == pytest.approx(expected)


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 1e3)), max_size=50))
def test_it_is_never_more_than_the_ring_s_nor_less_than_half_of_it(ticks):
    kept = NONE_YET
    for is_heard, distance in ticks:
        kept = held_radius(kept, is_heard, distance, RULE)
        assert CLOSEST * RULE.radius <= kept.radius <= RULE.radius


def test_with_a_share_of_one_it_stays():
    kept = held_radius(HeldRadius(20.0, 15.0), False, 15.0, RULE._replace(share=1.0))
    assert kept.radius == 20.0
