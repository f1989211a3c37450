"""Sums are the same on every Python."""

from soliton_encirclement_ros.core.stability.ordered_sum import total


def test_left_to_right_without_compensation() -> None:
    """What a compensated sum would rescue is lost here, on every version."""
    assert total([1e16, 1.0, 1.0, -1e16]) == 0.0
    assert total([0.1] * 10) == 0.9999999999999999
    assert total([]) == 0.0
