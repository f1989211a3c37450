"""The layer that propagates nothing."""

from soliton_encirclement_ros.propagation.baseline import BASELINE, NOTHING


def test_nothing_in_nothing_out() -> None:
    """Its state has no fields and its signals are 0."""
    assert BASELINE.rest == ()
    assert BASELINE.step(NOTHING, 1.0, 0.05, NOTHING, NOTHING, NOTHING) == (NOTHING, 0.0)
    assert BASELINE.message(NOTHING) == BASELINE.on_neighbour_change(NOTHING) == NOTHING
    assert BASELINE.signal(NOTHING, NOTHING) == 0.0
