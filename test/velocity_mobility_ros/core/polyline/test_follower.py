"""A step along a polyline for Python: errors are raised, the end is None."""

import math

import pytest
from support.polyline.runs import line
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.follower import check_settings, next_state
from velocity_mobility_ros.core.polyline.path import polyline
from velocity_mobility_ros.core.polyline.records import (
    FollowSettings,
    SpeedLimits,
    start_state,
)

PATH = polyline(line((0, 0, 0), (5, 0, 0, 4.0), (5, 5, 2)))
SETTINGS = FollowSettings(cruise_speed=3.0)
START = start_state(0.0, (0.0, 0.0, 0.0), PATH.start)


def test_a_path_is_followed_to_its_end():
    state, steps = START, 0
    while (after := next_state(PATH, state, SETTINGS, 'target')) is not None:
        state, steps = after, steps + 1
    assert math.dist(state.position, (5.0, 5.0, 2.0)) <= 0.1
    assert 100 < steps < 200


@pytest.mark.parametrize(
    ('path', 'state', 'settings', 'code', 'text'),
    [
        (None, START, SETTINGS, 'NO_TRAJECTORY', 'target: there is no polyline'),
        (PATH, START._replace(time=math.nan), SETTINGS, 'TIME_UNKNOWN', 'nan s'),
        (PATH, START._replace(speed=math.nan), SETTINGS, 'NON_FINITE_STATE', 'at 0.000 s'),
        (
            PATH, START._replace(time=9.0, speed=1.0), SETTINGS._replace(strict=True),
            'ARRIVAL_TIME_MISSED', 'target: vertex 1: the arrival time has passed (at 9.000 s)',
        ),
        (
            PATH, START, SETTINGS._replace(limits=SpeedLimits(max_speed=0.0)), 'INVALID_LIMIT',
            'max_speed = 0',
        ),
        (
            PATH, START, SETTINGS._replace(limits=SpeedLimits(deceleration_rate=math.inf)),
            'INVALID_LIMIT', 'deceleration_rate = inf',
        ),
        (PATH, START, SETTINGS._replace(dt=0.0), 'INVALID_STEP', '0 s'),
        (PATH, START, SETTINGS._replace(dt=-0.1), 'INVALID_STEP', '-0.1 s'),
        (PATH, START, SETTINGS._replace(cruise_speed=-1.0), 'INVALID_LIMIT', '-1 m/s'),
        (PATH, START, SETTINGS._replace(cruise_speed=math.inf), 'INVALID_LIMIT', 'inf m/s'),
    ],
)  # fmt: skip
def test_an_error_names_code_entity_and_vertex(path, state, settings, code, text):
    with pytest.raises(PolylineError) as caught:
        next_state(path, state, settings, 'target')
    assert (caught.value.code, caught.value.entity) == (code, 'target')
    assert text in str(caught.value)


def test_a_missing_cruise_speed_is_the_largest_speed():
    check_settings(FollowSettings())
    state = START
    for _ in range(30):
        state = next_state(PATH, state, FollowSettings(SpeedLimits(max_speed=1.0)))
    assert state.speed == pytest.approx(1.0)
