"""The original's bounds of the acceleration: unit vectors, and its two contradictions."""

import pytest
from support.polyline.runs import limits_of
from velocity_mobility_ros.core.polyline.codes import NAMES
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.original_bounds import (
    original_bounds,
    original_jerk_limited,
)

ROAD = limits_of((10, 3, 10, 3, 50))


def test_jerk_limited_acceleration_is_that_of_the_tables(reference):
    for one in reference('polyline.json')['unit_vectors']['jerk_limited_acceleration']:
        found = original_jerk_limited(one['speed'], one['target'], one['jerk'], one['dt'])
        assert found == pytest.approx(one['a'], rel=0.0, abs=1e-12)


def test_bounds_are_those_of_the_tables(reference):
    for one in reference('polyline.json')['unit_vectors']['acceleration_limits']:
        limits = limits_of(one['limits'])
        target = limits.max_speed if one['target_speed'] is None else one['target_speed']
        task = SpeedTask(target, limits, one['dt'], original=True)
        found = original_bounds(task, one['speed'], one['accel'])
        if 'error_code' in one:
            assert NAMES[found.code] == one['error_code']
        else:
            assert found == pytest.approx((one['lo'], one['hi'], 0), rel=0.0, abs=1e-12)


def test_contradictory_limits():
    task = SpeedTask(5.0, ROAD, 0.05, original=True)
    assert NAMES[original_bounds(task, 4.9, 0.9).code] == 'CONTRADICTORY_LIMITS'


def test_incorrect_limits():
    """Too slow to reach speed 0 forward in this step."""
    task = SpeedTask(5.0, ROAD, 0.05, original=True)
    assert NAMES[original_bounds(task, -0.1, 0.6).code] == 'INCORRECT_LIMITS'
