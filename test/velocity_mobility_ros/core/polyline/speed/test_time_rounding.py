"""Times in whole steps are those of the tables."""

import math

import pytest
from velocity_mobility_ros.core.polyline.codes import NAMES
from velocity_mobility_ros.core.polyline.speed.time_rounding import rounded_down


def test_rounded_times_are_those_of_the_tables(reference):
    for one in reference('polyline.json')['unit_vectors']['round_time_to_steps']:
        found = rounded_down(one['t'], one['dt'])
        assert found.code == 0
        assert found.value == pytest.approx(one['rounded'], rel=0.0, abs=1e-12)


@pytest.mark.parametrize('time', [math.nan, math.inf, -math.inf, 1e20])
def test_a_time_that_has_no_whole_steps_is_an_error(time):
    assert NAMES[rounded_down(time, 0.05).code] == 'TIME_NOT_ROUNDABLE'


def test_a_negative_time_is_no_step():
    assert rounded_down(-3.0, 0.05).value == 1e-6
