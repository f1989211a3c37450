"""Polylines from a vehicle's place along waypoints, and in stages: one stops where it waits."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.sim.compilation.compiled_motion import fly_compiled
from velocity_mobility_ros.core.trajectory.leader_track import LeaderTrack
from velocity_mobility_ros.core.trajectory.polyline import polyline
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FollowSettings, PolylineError, SpeedLimits
)
from velocity_mobility_ros.core.trajectory.pursuit import Waypoint, route
from velocity_mobility_ros.core.trajectory.virtual_leader import Stage, stages

NONE = math.nan
HOME = (0.0, 0.0, 0.0)


def test_the_place_of_the_vehicle_comes_first():
    path = route([Waypoint((5.0, 0.0, 0.0), 3.0)], HOME, loop=False)
    assert path.vertices[:, :3].tolist() == [[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]]
    assert path.vertices[1, 3] == 3.0 and math.isnan(path.base_time)


def test_unless_the_first_waypoint_is_there():
    points = [Waypoint((0.05, 0.0, 0.0), 9.0), Waypoint((5.0, 0.0, 0.0), 3.0)]
    assert len(route(points, HOME, loop=False).vertices) == 2
    assert len(route(points[:1], HOME, loop=False).vertices) == 2


def test_a_loop_begins_at_the_vehicle_and_does_not_come_back_to_it():
    points = [Waypoint((5.0, 0.0, 0.0), 3.0), Waypoint((5.0, 5.0, 0.0), NONE),
              Waypoint((0.0, 5.0, 0.0), 8.0)]  # fmt: skip
    path = route(points, (-9.0, 0.0, 0.0), loop=True)
    assert path.closed and path.base_time == 0.0
    assert path.vertices[:, :3].tolist() == [[0, 5, 0], [5, 0, 0], [5, 5, 0]]
    assert path.vertices[:, 3].tolist() == pytest.approx([5.0, 3.0, NONE], nan_ok=True)


@pytest.mark.parametrize('points', [[], [Waypoint((1.0, 0.0, 0.0), NONE)] * 2])
def test_too_few_waypoints_are_no_loop(points):
    with pytest.raises(PolylineError):
        route(points, HOME, loop=True)


HOW = FollowSettings(SpeedLimits(5.0, 2.0, 4.0, 2.0, 4.0))
WAITING = [[0, 0, 0, 0.0], [0, 0, 0, 2.0], [9, 0, 0, 8.0], [9, 0, 0, 11.0], [9, 5, 0, 16.0]]


def test_a_path_without_waits_has_one_stage():
    path = polyline([[0, 0, 0, NONE], [9, 0, 0, 5.0], [9, 9, 0, NONE]])
    ((_, only),) = stages(path)
    assert np.array_equal(only.vertices, path.vertices, equal_nan=True)
    closed = polyline([[0, 0, 0, NONE], [9, 0, 0, NONE], [9, 9, 0, NONE]], closed=True)
    assert stages(closed) == (Stage(0, closed),)


def test_waits_are_stages_of_their_own():
    found = [one.path.vertices[:, [0, 1, 3]].tolist() for one in stages(polyline(WAITING))]
    assert found == [
        [[0, 0, 0], [0, 0, 2]],
        [[0, 0, 2], [9, 0, 8]],
        [[9, 0, 8], [9, 0, 11]],
        [[9, 0, 11], [9, 5, 16]],
    ]


def test_a_leader_stands_where_it_waits_and_comes_and_goes_in_time():
    track = LeaderTrack(polyline(WAITING), HOW, fly_compiled)
    track.reach(10_000)
    assert track.ended and abs((len(track.rows) - 1) * HOW.dt - 16.0) <= HOW.dt / 2.0 + 1e-9
    times = np.arange(len(track.rows)) * HOW.dt
    for begin, end, x in ((0.0, 2.0, 0.0), (8.05, 11.0, 9.0)):
        rows = track.rows[(times >= begin) & (times <= end)]
        assert np.abs(rows[:, 0] - x).max() < 0.1 and np.abs(rows[:, 3:]).max() < 1e-9
    assert track.rows[:, 0].max() < 9.1, 'it does not pass the place to return'
    steps = np.linalg.norm(np.diff(track.rows[:, :3], axis=0), axis=1)
    assert steps.max() == pytest.approx(
        np.linalg.norm(track.rows[:, 3:], axis=1).max() * 0.05, rel=0.1
    )
