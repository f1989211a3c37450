"""Limits of leaders: no command of a vehicle exceeds its own."""

import math

import pytest
from velocity_mobility_ros.core.polyline.path import polyline
from velocity_mobility_ros.core.trajectory.leader_limits import (
    AxisLimits,
    followable,
    limits_along,
)

NONE = math.nan
XY, Z = AxisLimits(8.0, 3.0), AxisLimits(2.0, 1.0)


@pytest.mark.parametrize('lag', [0.0, 0.2, 1.0, 4.0])
def test_speed_and_lag_together_stay_within_the_speed_of_the_vehicle(lag):
    found = followable(10.0, 4.0, lag)
    assert found.speed + lag * found.acceleration == pytest.approx(10.0)
    assert 0.0 < found.acceleration <= 3.6 and found.speed >= 7.5


@pytest.mark.parametrize(
    ('points', 'speed', 'acceleration'),
    [
        ([(0, 0, 0), (9, 0, 0)], 8.0, 3.0),
        ([(0, 0, 0), (0, 0, 9)], 2.0, 1.0),
        ([(0, 0, 0), (4, 0, 3)], 2.0 * 5.0 / 3.0, 5.0 / 3.0),
        ([(0, 0, 0), (9, 0, 0), (9, 0, 5)], 2.0, 1.0),
        ([(0, 0, 0), (0, 3, 0), (0, 3, 0), (9, 3, 0)], 8.0, 3.0),
    ],
)
def test_the_steepest_segment_counts(points, speed, acceleration):
    found = limits_along(polyline([[*one, NONE] for one in points]), XY, Z)
    assert found.max_speed == pytest.approx(speed)
    assert found.max_acceleration == found.max_deceleration == pytest.approx(acceleration)
    assert found.acceleration_rate == pytest.approx(2.0 * acceleration)


def test_the_way_back_of_a_closed_path_counts():
    points = [(0, 0, 0), (9, 0, 0), (9, 9, 6)]
    rows = [[*one, NONE] for one in points]
    level = [[*one[:2], 0.0, NONE] for one in points]
    assert limits_along(polyline(level, closed=True), XY, Z).max_speed == 8.0
    assert limits_along(polyline(rows, closed=True), XY, Z).max_speed < 8.0
