"""Stamps of orders: with whatever clocks, an order that is given now counts."""

from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.stop.stop_order import (
    CLOCK_TOLERANCE_NS,
    EVERYBODY,
    StopOrder,
    is_premature,
    next_stamp_ns,
    overrules,
)

STAMPS = st.integers(1, 10 * CLOCK_TOLERANCE_NS)


@given(STAMPS, STAMPS, st.booleans(), st.booleans())
def test_an_order_given_after_one_that_is_known_counts(known_ns, now_ns, was_stop, stop) -> None:
    """A slow clock loses no order, and none of a clock that runs ahead is refused for it."""
    before = StopOrder(EVERYBODY, was_stop, known_ns, 'ann')
    stamp_ns = next_stamp_ns({EVERYBODY: before}, EVERYBODY, now_ns)
    order = StopOrder(EVERYBODY, stop, stamp_ns, 'bob')
    assert overrules(order, before)
    assert not is_premature(order, before, now_ns)


def test_a_release_from_the_future_is_premature_and_a_stop_never() -> None:
    ahead = StopOrder(EVERYBODY, False, 100 + CLOCK_TOLERANCE_NS + 1, 'ann')
    assert is_premature(ahead, None, 100)
    assert is_premature(ahead, StopOrder(EVERYBODY, True, 50, 'bob'), 100)
    assert not is_premature(ahead, StopOrder(EVERYBODY, True, 101, 'bob'), 100)
    assert not is_premature(ahead._replace(stop=True), None, 100)
