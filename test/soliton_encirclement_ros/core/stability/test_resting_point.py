"""The rest of an excitable cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.stability.resting_point import resting_point


def test_golden_of_spec_part_7() -> None:
    """The specification's values for a = 0.7, b = 0.8."""
    expected = (-1.199408035244035, -0.6242600440550439)
    assert resting_point(0.7, 0.8) == pytest.approx(expected, rel=1e-15)


@given(st.floats(0.5, 1.5), st.floats(0.2, 0.95))
def test_nothing_moves_there(a: float, b: float) -> None:
    """Both derivatives vanish."""
    v, w = resting_point(a, b)
    assert v - v**3 / 3.0 - w == pytest.approx(0.0, abs=1e-12)
    assert v + a - b * w == pytest.approx(0.0, abs=1e-12)
