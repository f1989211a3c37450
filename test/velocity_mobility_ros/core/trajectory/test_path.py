"""What is a polyline, which ones are refused, and a step along one for Python."""

import math

import numpy as np
import pytest

from support.polyline.runs import line
from velocity_mobility_ros.core.trajectory.polyline import polyline
from velocity_mobility_ros.core.trajectory.polyline_follower import check_settings, followed
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FINISHED, FollowSettings, PolylineError, SpeedLimits, start_state
)

NAN, INF = math.nan, math.inf


def test_it_is_kept_read_only():
    rows = np.array([[0.0, 0.0, 0.0, NAN], [1.0, 2.0, 3.0, 4.0]])
    path = polyline(rows)
    assert np.array_equal(path.vertices, rows, equal_nan=True)
    with pytest.raises(ValueError, match='read-only'):
        path.vertices[0, 0] = 1.0
    rows[1, 0] = 9.0
    assert path.vertices[1, 0] == 1.0


@pytest.mark.parametrize(
    ('rows', 'more', 'code', 'vertex', 'text'),
    [
        ([], {}, 'TOO_FEW_VERTICES', None, '0 given'),
        ([(0, 0, 0, NAN)], {}, 'TOO_FEW_VERTICES', None, '1 given'),
        ([(0, 0, 0), (1, 1, 1)], {}, 'NOT_A_POLYLINE', None, 'shape (2, 3)'),
        ([(0, 0, 0, 0), (1, 1)], {}, 'NOT_A_POLYLINE', None, 'inhomogeneous'),
        ([('a', 0, 0, 0), (1, 1, 0, 0)], {}, 'NOT_A_POLYLINE', None, "'a'"),
        ([(0, NAN, 0, NAN), (1, 1, 1, NAN)], {}, 'NON_FINITE_VERTEX', 0, 'nan'),
        ([(0, 0, 0, NAN)] * 3 + [(1, 1, INF, NAN)], {}, 'NON_FINITE_VERTEX', 3, 'inf'),
        ([(0, 0, 0, NAN), (2e9, 1, 0, NAN)], {}, 'NON_FINITE_VERTEX', 1, '1e+09 m (2e+09'),
        ([(0, 0, 0, NAN), (1, 1, 0, INF)], {}, 'NON_FINITE_VERTEX', 1, 'its time'),
        (
            [(0, 0, 0, 9), (1, 0, 0, 5), (2, 0, 0, NAN), (3, 0, 0, 5)], {},
            'TIMES_NOT_INCREASING', 3, '5 s, 5 s before',
        ),
        (
            [(0, 0, 0, NAN), (1, 0, 0, 5), (3, 0, 0, 4)], {}, 'TIMES_NOT_INCREASING', 2,
            '4 s, 5 s before',
        ),
        (
            [(0, 0, 0, NAN), (1, 0, 0, 5), (3, 0, 0, 0)], {'base_time': 0.0},
            'TIMES_NOT_INCREASING', 2, '0 s after it',
        ),
        ([(0, 0, 0, NAN), (1, 0, 0, NAN)], {'closed': True}, 'CLOSED_TOO_SHORT', None, '2 given'),
        ([(1, 2, 3, NAN)] * 4, {'closed': True}, 'ENDLESS_ADVANCE', 0, 'one place'),
        (
            [(0, 0, 0, NAN), (1, 0, 0, 5), (3, 0, 0, NAN)], {'closed': True},
            'CLOSED_WITHOUT_BASE', 1, 'base time',
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused_in_one_line(rows, more, code, vertex, text):
    with pytest.raises(PolylineError) as caught:
        polyline(rows, entity='target', **more)
    assert (caught.value.code, caught.value.vertex) == (code, vertex)
    assert str(caught.value).startswith('target: ')
    assert text in str(caught.value)
    assert '\n' not in str(caught.value)


def test_the_time_of_the_first_vertex_does_not_matter():
    assert polyline([(0, 0, 0, 7.0), (1, 0, 0, 5.0)]).start.left == 2


BENT = polyline(line((0, 0, 0), (5, 0, 0, 4.0), (5, 5, 2)))
SETTINGS = FollowSettings(cruise_speed=3.0)
START = start_state(0.0, (0.0, 0.0, 0.0), BENT.start)


def test_a_path_is_followed_to_its_end():
    found, steps = followed(BENT, START, SETTINGS, 'target'), 1
    while found.code != FINISHED:
        found, steps = followed(BENT, found.state, SETTINGS, 'target'), steps + 1
    state = found.state
    assert math.dist(state.position, (5.0, 5.0, 2.0)) <= 0.1
    assert 100 < steps < 200


@pytest.mark.parametrize(
    ('path', 'state', 'settings', 'code', 'text'),
    [
        (None, START, SETTINGS, 'NO_TRAJECTORY', 'target: there is no polyline'),
        (BENT, START._replace(time=math.nan), SETTINGS, 'TIME_UNKNOWN', 'nan s'),
        (BENT, START._replace(speed=math.nan), SETTINGS, 'NON_FINITE_STATE', 'at 0.000 s'),
        (
            BENT, START._replace(time=9.0, speed=1.0), SETTINGS._replace(strict=True),
            'ARRIVAL_TIME_MISSED', 'target: vertex 1: the arrival time has passed (at 9.000 s)',
        ),
        (
            BENT, START, SETTINGS._replace(limits=SpeedLimits(max_speed=0.0)), 'INVALID_LIMIT',
            'max_speed = 0',
        ),
        (
            BENT, START, SETTINGS._replace(limits=SpeedLimits(deceleration_rate=math.inf)),
            'INVALID_LIMIT', 'deceleration_rate = inf',
        ),
        (BENT, START, SETTINGS._replace(dt=0.0), 'INVALID_STEP', '0 s'),
        (BENT, START, SETTINGS._replace(dt=-0.1), 'INVALID_STEP', '-0.1 s'),
        (BENT, START, SETTINGS._replace(cruise_speed=-1.0), 'INVALID_LIMIT', '-1 m/s'),
        (BENT, START, SETTINGS._replace(cruise_speed=math.inf), 'INVALID_LIMIT', 'inf m/s'),
    ],
)  # fmt: skip
def test_an_error_names_code_entity_and_vertex(path, state, settings, code, text):
    with pytest.raises(PolylineError) as caught:
        followed(path, state, settings, 'target')
    assert (caught.value.code, caught.value.entity) == (code, 'target')
    assert text in str(caught.value)


def test_a_missing_cruise_speed_is_the_largest_speed():
    check_settings(FollowSettings())
    state = START
    for _ in range(30):
        state = followed(BENT, state, FollowSettings(SpeedLimits(max_speed=1.0))).state
    assert state.speed == pytest.approx(1.0)
