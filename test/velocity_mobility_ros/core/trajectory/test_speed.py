"""Speeds along a polyline: the tables of the original, and bounds that hold for ever."""


import pytest
from hypothesis import given, strategies as st

from support.polyline.runs import limits_of, name_of, number
from velocity_mobility_ros.core.trajectory.acceleration_bounds import (
    original_bounds, robust_bounds
)
from velocity_mobility_ros.core.trajectory.polyline_records import NAMES, SpeedLimits, SpeedTask
from velocity_mobility_ros.core.trajectory.speed_control import chosen_acceleration, rounded_down

ROAD = limits_of((10, 3, 10, 3, 50))


def test_a_negative_time_is_no_step():
    assert rounded_down(-3.0, 0.05).value == 1e-6


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


def test_incorrect_limits():
    """Too slow to reach speed 0 forward in this step."""
    task = SpeedTask(5.0, ROAD, 0.05, original=True)
    assert NAMES[original_bounds(task, -0.1, 0.6).code] == 'INCORRECT_LIMITS'


def test_the_controller_is_that_of_the_tables(reference):
    seen = set()
    for one in reference('polyline.json')['unit_vectors']['controller_acceleration']:
        limits = limits_of(one['limits'])
        target = limits.max_speed if one['target_speed'] is None else one['target_speed']
        found = chosen_acceleration(
            SpeedTask(target, limits, one['dt'], original=True), one['speed'], one['accel'],
            number(one['remaining_time']), one['remaining_distance'], one['with_braking'],
        )  # fmt: skip
        if 'error_code' in one:
            assert name_of(found.code) == one['error_code']
            seen.add(one['error_code'])
        else:
            assert found.code == 0
            assert abs(found.value - one['a']) < 1e-12
    assert seen == {
        'NO_ACCELERATION_FOUND', 'NO_TIME_TO_ZERO_ACCELERATION',
        'SPEED_NOT_ZERO_IN_PENULTIMATE_STEP',
    }  # fmt: skip


def test_the_robust_controller_answers_them_all(reference):
    """Where the original fails it brakes, or takes the answer without a time."""
    for one in reference('polyline.json')['unit_vectors']['controller_acceleration']:
        limits = limits_of(one['limits'])
        target = limits.max_speed if one['target_speed'] is None else one['target_speed']
        found = chosen_acceleration(
            SpeedTask(target, limits, one['dt'], original=False), one['speed'], one['accel'],
            number(one['remaining_time']), one['remaining_distance'], one['with_braking'],
        )  # fmt: skip
        assert found.code == 0
        change = (found.value - one['accel']) / one['dt']
        assert -limits.deceleration_rate - 1e-9 <= change <= limits.acceleration_rate + 1e-9


LIMIT = st.floats(0.5, 12.0)
LIMITS = st.builds(SpeedLimits, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT)
STEP = st.sampled_from((0.01, 0.02, 1.0 / 30.0, 0.05, 0.1))


@given(LIMITS, STEP, st.floats(0.0, 1.0), st.data())
def test_speed_jerk_and_acceleration_hold_whatever_is_chosen(limits, dt, share, data):
    target = limits.max_speed * share
    task, speed, acceleration = SpeedTask(target, limits, dt, original=False), 0.0, 0.0
    for _ in range(120):
        low, high, code = robust_bounds(task, speed, acceleration)
        assert code == 0 and low <= high
        chosen = data.draw(st.sampled_from((low, high, 0.5 * (low + high))))
        assert chosen <= acceleration + limits.acceleration_rate * dt + 1e-9
        assert chosen >= acceleration - limits.deceleration_rate * dt - 1e-9
        assert -limits.max_deceleration - 1e-9 <= chosen <= limits.max_acceleration + 1e-9
        speed, acceleration = speed + chosen * dt, chosen
        assert -1e-9 <= speed <= target + 1e-9
