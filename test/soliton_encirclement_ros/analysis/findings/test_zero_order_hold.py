"""The latest value at some times, against a search one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.findings.zero_order_hold import (
    NEVER,
    latest,
    zero_order_hold,
)

TIMES = st.lists(st.integers(0, 20).map(float), max_size=12).map(sorted).map(np.array)


@given(TIMES, TIMES, st.booleans())
def test_the_latest_is_the_last_that_was_taken_by_then(time, at, strictly):
    expected = [
        max([i for i, t in enumerate(time) if t < look or (t == look and not strictly)],
            default=NEVER)
        for look in at
    ]  # fmt: skip
    assert latest(time, at, strictly).tolist() == expected


@given(TIMES, TIMES, st.integers(0, 5).map(float))
def test_a_value_is_held_until_it_is_too_old(time, at, longest):
    held = zero_order_hold(time, time * 10.0, at, longest)
    for look, value in zip(at, held, strict=True):
        taken = [t for t in time if t <= look]
        fresh = taken and look - taken[-1] <= longest
        assert value == taken[-1] * 10.0 if fresh else math.isnan(value)


@pytest.mark.parametrize('shape', [(0,), (0, 3)])
def test_nothing_known_is_nan(shape):
    held = zero_order_hold(np.empty(0), np.empty(shape), np.array([1.0, 2.0]))
    assert held.shape == (2, *shape[1:]) and np.isnan(held).all()
