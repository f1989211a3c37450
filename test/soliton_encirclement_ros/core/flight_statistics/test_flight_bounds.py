"""Bounds of commands and positions."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    EVERYWHERE, is_broken, is_outside, is_unlimited, space_bounds
)
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters

FENCED = SafetyParameters(
    fence='-5 -5, 5 -5, 5 5, -5 5; -1 -1, 1 -1, 1 1, -1 1', lowest_height=2.0, highest_height=9.0
)


@pytest.mark.parametrize(
    ('place', 'outside'),
    [((3, 0, 5), False), ((6, 0, 5), True), ((0, 0, 5), True), ((3, 0, 1.9), True),
     ((3, 0, 9.1), True), ((3, 0, 9.0), False)],
)  # fmt: skip
def test_outside_are_holes_and_what_is_too_high_or_low(place, outside):
    assert is_outside(*place, *space_bounds(FENCED, True)) is outside


def test_unfiltered_agents_may_be_everywhere():
    assert space_bounds(FENCED, False) == EVERYWHERE
    assert not is_outside(1e9, 0.0, -1e9, *EVERYWHERE)


def test_a_command_at_the_limit_is_within_it():
    along = (10.0 / math.sqrt(2.0), 10.0 / math.sqrt(2.0), -4.0)
    assert not is_unlimited(along, 10.0, 4.0)
    assert is_unlimited((10.0, 0.1, 0.0), 10.0, 4.0)
    assert is_unlimited((0.0, 0.0, -4.1), 10.0, 4.0)


def test_arrays_give_what_numbers_give():
    rows = np.array(
        [(1.0, 2.0, 3.0), (11.0, 0.0, 0.0), (math.nan, 0.0, 0.0), (0.0, 0.0, math.inf)]
    )
    with np.errstate(invalid='ignore'):
        broken, found = is_broken(rows.T).tolist(), is_unlimited(rows.T, 10.0, 4.0).tolist()
    assert broken == [bool(is_broken(row)) for row in rows.tolist()] == [False, False, True, True]
    assert found == [bool(is_unlimited(row, 10.0, 4.0)) for row in rows.tolist()]
