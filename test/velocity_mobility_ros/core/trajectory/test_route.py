"""Polylines from a vehicle's place along waypoints."""

import math

import pytest
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.trajectory.route import Waypoint, route

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
