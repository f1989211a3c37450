"""Paths for pictures where no telemetry tells them."""

import numpy as np
from soliton_encirclement_ros.analysis.findings import default_settings, find
from support.recorded.recordings import body, recording_with

TIME = np.arange(0.0, 2.0, 0.05)
PATH = np.outer(TIME, (1.0, 2.0, 0.0))


def test_odometry_makes_a_trail_of_few_points_up_to_the_last():
    members = (body('drone', TIME, PATH), body('target', TIME, (0.0,) * 3))
    trails = find(recording_with(*members)).observer.trails
    assert set(trails) == {'uav_1', 'target'}
    trail = trails['uav_1']
    assert trail.time[0] == 0.0 and trail.time[-1] == TIME[-1] and 10 <= len(trail.time) <= 12
    assert trail.x == trail.time and trail.failed == [False] * len(trail.time)
    np.testing.assert_allclose(trail.y, 2.0 * np.array(trail.time))


def test_no_target_has_no_trail_and_a_fixed_point_has_one():
    recording = recording_with(body('uav_2', TIME, PATH))
    assert set(find(recording).observer.trails) == {'uav_2'}
    fixed = find(recording, default_settings(recording, (3.0, 4.0, 0.0))).observer.trails
    assert set(fixed['target'].x) == {3.0} and set(fixed['target'].y) == {4.0}
