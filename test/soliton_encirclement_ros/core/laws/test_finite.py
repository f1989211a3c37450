"""Numbers that may be none."""

import math

import pytest
from soliton_encirclement_ros.core.laws.finite import finite_or_zero


@pytest.mark.parametrize('value', [0.0, -3.5, 1e308, 5e-324])
def test_numbers_stay(value: float) -> None:
    """Whatever is finite comes back as it is."""
    assert finite_or_zero(value) == value


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_the_rest_is_zero(value: float) -> None:
    """NaN and the infinities become 0."""
    assert finite_or_zero(value) == 0.0
