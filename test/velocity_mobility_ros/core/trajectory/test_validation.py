"""Every error before and in a step, by its name, with the message for people."""

import math
from typing import Any

import pytest

from support.polyline.runs import at, line, name_of
from velocity_mobility_ros.core.trajectory import polyline_records, polyline_step
from velocity_mobility_ros.core.trajectory.acceleration_bounds import Bounded
from velocity_mobility_ros.core.trajectory.polyline_follower import follow_step
from velocity_mobility_ros.core.trajectory.polyline_records import (
    NAMES, TEXTS, FollowSettings, PathState, SpeedLimits, error_of
)
from velocity_mobility_ros.core.trajectory.polyline_step import moved_with

VERTICES = line((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (20.0, 0.0, 0.0))
ORIGINAL = FollowSettings(cruise_speed=5.0, original=True, strict=True)
ROBUST = FollowSettings(cruise_speed=5.0)
RULES = pytest.mark.parametrize('settings', [ORIGINAL, ROBUST], ids=['original', 'robust'])
NAN, INF = math.nan, math.inf


def fault(state: PathState, settings: FollowSettings = ROBUST, vertices=VERTICES) -> Any:
    """Return name and text of the error of a step; the body stays as it was."""
    found = follow_step(vertices, state, settings)
    assert found.state is state or found.state == state or math.isnan(sum(found.state.position))
    return NAMES[found.code], TEXTS[NAMES[found.code]]


def body(**more: Any) -> PathState:
    return at((0.0, 0.0, 0.0), VERTICES)._replace(**more)


@RULES
@pytest.mark.parametrize('value', [NAN, INF, -INF])
@pytest.mark.parametrize(
    'field', ['position', 'acceleration', 'angular_acceleration', 'speed', 'angular_velocity']
)
def test_v1_non_finite_state(settings, field, value):
    vector = isinstance(getattr(body(), field), tuple)
    state = body(**{field: (0.0, value, 0.0) if vector else value})
    assert fault(state, settings)[0] == 'NON_FINITE_STATE'


@RULES
def test_v2_too_few_vertices(settings):
    alone = line((0.0, 0.0, 0.0))
    assert fault(at((0.0, 0.0, 0.0), alone), settings, alone)[0] == 'TOO_FEW_VERTICES'


@RULES
@pytest.mark.parametrize('row', [0, 1])
@pytest.mark.parametrize('value', [NAN, INF])
def test_v3_non_finite_vertex(settings, row, value):
    vertices = VERTICES.copy()
    vertices[row, 1] = value
    assert fault(body(), settings, vertices)[0] == 'NON_FINITE_VERTEX'


@RULES
@pytest.mark.parametrize(
    'limits',
    [
        SpeedLimits(max_acceleration=INF, acceleration_rate=INF),
        SpeedLimits(max_acceleration=NAN, acceleration_rate=NAN),
        SpeedLimits(max_deceleration=INF, deceleration_rate=INF),
    ],
)
def test_v4_non_finite_acceleration_limit(settings, limits):
    name, _ = fault(body(), settings._replace(limits=limits))
    assert name == 'NON_FINITE_ACCELERATION_LIMIT'


@RULES
def test_v5_arrival_time_missed(settings):
    vertices = line((0, 0, 0), (10, 0, 0), (20, 0, 0, 4.0))
    state = at((0.0, 0.0, 0.0), vertices, speed=1.0, time=4.06)
    found = follow_step(vertices, state, settings._replace(strict=True))
    assert (name_of(found.code), found.vertex) == ('ARRIVAL_TIME_MISSED', 2)


@pytest.mark.parametrize('velocity', [(NAN, 0.0, 0.0), (0.0, INF, 0.0)])
def test_v6_non_finite_velocity(velocity):
    found = moved_with(body(), velocity, body().attitude, 1, 0.05)
    assert name_of(found.code) == 'NON_FINITE_VELOCITY'


@pytest.mark.parametrize(
    ('acceleration', 'speed'), [(NAN, 0.0), (1e308, 1e308), (1e308, 1.7e308)]
)
def test_v7_non_finite_desired(monkeypatch, acceleration, speed):
    """The controller never gives such numbers, so it is replaced here."""
    monkeypatch.setattr(polyline_step, 'chosen_acceleration', lambda *_: Bounded(acceleration, 0))
    settings = ROBUST._replace(dt=10.0)
    found = polyline_step.desired_velocity(VERTICES, body(speed=speed), settings)
    assert NAMES[found.code] == 'NON_FINITE_DESIRED'


@RULES
def test_follow_mode_unsupported(settings):
    name, _ = fault(body(), settings._replace(by_position=False))
    assert name == 'FOLLOW_MODE_UNSUPPORTED'


def test_follow_mode_does_not_matter_where_no_velocity_is_asked_for():
    near = at((19.95, 0.0, 0.0), VERTICES)
    near = near._replace(progress=near.progress._replace(first=1, left=2))
    found = follow_step(VERTICES, near, ROBUST._replace(by_position=False))
    assert name_of(found.code) == 'FINISHED'


def test_time_not_roundable():
    vertices = line((0, 0, 0), (10, 0, 0, 1e20))
    assert fault(body(), ORIGINAL, vertices)[0] == 'TIME_NOT_ROUNDABLE'
    assert name_of(follow_step(vertices, body(), ROBUST).code) == 'MOVED'


@pytest.mark.parametrize('code', sorted(NAMES))
def test_every_error_is_one_line_with_entity_and_vertex(code):
    error, name = error_of(code, 2.0, 'uav_1', 3), NAMES[code]
    assert (error.code, error.entity, error.vertex) == (name, 'uav_1', 3)
    assert str(error) == f'uav_1: vertex 3: {TEXTS[name]} (at 2.000 s) [{name}]'
    assert getattr(polyline_records, name) == code
