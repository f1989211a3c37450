"""Polylines in stages: one stops where it waits."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.sim.compilation.compiled_leader import fly_compiled
from velocity_mobility_ros.core.polyline.path import polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings, SpeedLimits
from velocity_mobility_ros.core.trajectory.leader_track import LeaderTrack
from velocity_mobility_ros.core.trajectory.stages import stages

NONE = math.nan
HOW = FollowSettings(SpeedLimits(5.0, 2.0, 4.0, 2.0, 4.0))
WAITING = [[0, 0, 0, 0.0], [0, 0, 0, 2.0], [9, 0, 0, 8.0], [9, 0, 0, 11.0], [9, 5, 0, 16.0]]


def test_a_path_without_waits_has_one_stage():
    path = polyline([[0, 0, 0, NONE], [9, 0, 0, 5.0], [9, 9, 0, NONE]])
    (only,) = stages(path)
    assert np.array_equal(only.vertices, path.vertices, equal_nan=True)
    closed = polyline([[0, 0, 0, NONE], [9, 0, 0, NONE], [9, 9, 0, NONE]], closed=True)
    assert stages(closed) == [closed]


def test_waits_are_stages_of_their_own():
    found = [stage.vertices[:, [0, 1, 3]].tolist() for stage in stages(polyline(WAITING))]
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
