"""The chosen acceleration is that of the tables, errors included."""

from support.polyline.runs import limits_of, name_of, number
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.choosing import chosen_acceleration


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
