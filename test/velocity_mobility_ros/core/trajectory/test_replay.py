"""Replay of a track: exact at its poses, linear between them, still outside."""

import math

import pytest
from velocity_mobility_ros.core.coordinate_frames import yaw_from_quaternion
from velocity_mobility_ros.core.trajectory.leader_track import replay_step, slerp, start_of, track
from velocity_mobility_ros.core.trajectory.polyline_geometry import attitude_along
from velocity_mobility_ros.core.trajectory.polyline_records import PolylineError

ROWS = [(0.0, 0.0, 0.0, 1.0), (4.0, 0.0, 0.0, 3.0), (4.0, 3.0, 0.0, 4.0)]
TRACK = track(ROWS)
NORTH = attitude_along((0.0, 1.0, 0.0))


def replayed(time: float, before: float = 0.0):
    begin = start_of(TRACK.vertices, TRACK.attitudes, before)
    return replay_step(TRACK.vertices, TRACK.attitudes, begin, time)


@pytest.mark.parametrize('row', ROWS)
def test_it_is_exact_at_the_poses(row):
    assert replayed(row[3]).position == row[:3]


@pytest.mark.parametrize(
    ('time', 'position', 'speed'),
    [
        (0.5, (0.0, 0.0, 0.0), 0.0),
        (2.0, (2.0, 0.0, 0.0), 2.0),
        (3.5, (4.0, 1.5, 0.0), 3.0),
        (4.0, (4.0, 3.0, 0.0), 0.0),
        (9.0, (4.0, 3.0, 0.0), 0.0),
    ],
)
def test_it_is_linear_between_them_and_holds_outside(time, position, speed):
    found = replayed(time)
    assert found.position == pytest.approx(position, abs=1e-12)
    assert found.speed == speed


def test_its_attitude_turns_evenly():
    turned = track(ROWS, [attitude_along((1.0, 0.0, 0.0)), NORTH, NORTH])
    begin = start_of(turned.vertices, turned.attitudes, 0.0)
    found = replay_step(turned.vertices, turned.attitudes, begin, 1.5)
    assert yaw_from_quaternion(*found.attitude) == pytest.approx(math.pi / 8.0)
    assert found.yaw_rate == pytest.approx(math.pi / 4.0)


def test_without_attitudes_it_looks_along_the_track():
    assert yaw_from_quaternion(*replayed(3.9).attitude) == pytest.approx(math.pi / 2.0)


def test_acceleration_and_jerk_are_new_minus_old():
    one = replayed(1.1, 1.0)
    assert one.acceleration == pytest.approx(20.0)
    assert one.jerk == pytest.approx(200.0)
    after = replay_step(TRACK.vertices, TRACK.attitudes, one, 1.2)
    assert after.acceleration == 0.0
    assert after.jerk == pytest.approx(-200.0)


def test_the_shortest_turn_is_taken():
    p, q = attitude_along((1.0, 0.0, 0.0)), tuple(-part for part in NORTH)
    half = slerp(p, q, 0.5)
    assert yaw_from_quaternion(*half) == pytest.approx(math.pi / 4.0)
    assert slerp(p, p, 0.3) == pytest.approx(p)


@pytest.mark.parametrize(
    ('rows', 'attitudes', 'code', 'text'),
    [
        ([(0, 0, 0, 1.0)], (), 'TOO_FEW_VERTICES', '1 given'),
        ([(0, 0, 0, 1.0), (1, 0, 0, math.nan)], (), 'NOT_A_REPLAY', 'vertex 1'),
        ([(0, 0, 0, 2.0), (1, 0, 0, 1.0)], (), 'NOT_A_REPLAY', '1 s after 2 s'),
        ([(0, 0, 0, 1.0), (1, 0, 0, 2.0), (2, 0, 0, 2.0)], (), 'TIMES_NOT_INCREASING', '2 s'),
        ([(0, 0, 0, 1.0), (1, 0, 0, 2.0)], (NORTH,), 'NOT_A_REPLAY', '1 attitudes, 2 positions'),
    ],
)
def test_what_is_no_track_is_refused(rows, attitudes, code, text):
    with pytest.raises(PolylineError) as caught:
        track(rows, attitudes, 'target')
    assert caught.value.code == code
    assert text in str(caught.value)
