"""Vertices from arrays, and as polylines."""

import math

import pytest
from velocity_mobility_ros.core.path_files.path_data import (
    MAX_VERTICES,
    PathData,
    PathError,
    checked,
    path_of_arrays,
)


def test_a_recording_counts_from_its_first_stamp():
    found = path_of_arrays([1.7e9, 1.7e9 + 0.5, 1.7e9 + 2.0], [(0, 0, 0), (1, 0, 0), (1, 0, 0)])
    assert found.rows[:, 3].tolist() == [0.0, 0.5, 2.0]
    path = found.polyline(start=10.0)
    assert path.vertices[:, 3].tolist() == [10.0, 10.5, 12.0]
    assert math.isnan(path.base_time)


def test_relative_times_count_from_the_start():
    rows = path_of_arrays([0.0, 1.0, 2.0], [(0, 0, 0), (1, 0, 0), (1, 4, 0)]).rows
    assert PathData(rows, relative=True).polyline(start=10.0).base_time == 10.0


@pytest.mark.parametrize(
    ('stamps', 'positions', 'text'),
    [
        ([], [], 'stamps of shape (0,) and positions of shape (0,)'),
        ([0.0], [(0, 0, 0)], 'bag: 1 points, must be at least 2'),
        ([0.0, 1.0], [(0, 0), (1, 1)], 'positions of shape (2, 2) must be (n,) and (n, 3)'),
        ([0.0, math.nan], [(0, 0, 0), (1, 0, 0)], 'bag: point 2: stamp nan must be finite'),
        ([0.0, 1.0, 0.5], [(0, 0, 0)] * 3, 'bag: point 3: stamp 0.5 s is not after 1 s; sort'),
        ([0.0, 1.0, 1.0], [(0, 0, 0)] * 3, 'bag: point 3: stamp 1 s is not after 1 s'),
        ([0.0, 1.0], [(0, 0, 0), (math.nan, 0, 0)], 'bag: point 2: its position must be'),
    ],
)
def test_what_is_wrong_is_one_line(stamps, positions, text):
    with pytest.raises(PathError) as caught:
        path_of_arrays(stamps, positions, 'bag')
    assert text in str(caught.value)


def test_too_many_points_are_refused():
    rows = path_of_arrays([0.0, 1.0], [(0, 0, 0), (1, 0, 0)]).rows
    with pytest.raises(PathError, match='100001 points, must be at most 100000'):
        checked(PathData(rows.repeat(MAX_VERTICES, axis=0)[: MAX_VERTICES + 1]), 'bag')
