"""A flight in advance says which vertex is late, and by how much."""

import pytest
from support.polyline.runs import at, line
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.path import polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings
from velocity_mobility_ros.core.polyline.rehearsal import rehearsal

SETTINGS = FollowSettings(dt=0.1)
START = at((0.0, 0.0, 0.0), line((0, 0, 0), (1, 0, 0), (1, 0, 0)))


def test_arrivals_in_time():
    path = polyline(line((0, 0, 0), (10, 0, 0, 5.0), (20, 0, 0, 10.0)))
    found = rehearsal(path, START, SETTINGS, 20.0)
    assert found.finished
    assert [(one.number, one.time) for one in found.arrivals] == [(1, 5.0), (2, 10.0)]
    assert found.first_late(0.1) is None


def test_a_last_leg_that_is_too_short_to_stop_in_is_found():
    """Each leg has time enough from rest to rest, but the first one ends at speed."""
    path = polyline(line((0, 0, 0), (30, 0, 0, 8.0), (30.5, 0, 0, 10.2)))
    late = rehearsal(path, START, SETTINGS, 30.0).first_late(0.1)
    assert late.number == 2
    assert str(late).startswith('vertex 2 at 10.2 s is reached ')
    assert late.lateness > 0.5


def test_it_ends_after_the_longest_time():
    path = polyline(line((0, 0, 0), (10, 0, 0), (10, 10, 0)), closed=True)
    start = START._replace(progress=path.start)
    found = rehearsal(path, start, SETTINGS, 12.0)
    assert not found.finished
    assert found.end.time == pytest.approx(12.0)


def test_what_cannot_be_followed_raises():
    path = polyline(line((0, 0, 0), (30, 0, 0, 1.0), (60, 0, 0)))
    with pytest.raises(PolylineError, match='vertex 1: the arrival time is reached'):
        rehearsal(path, START, SETTINGS._replace(strict=True), 30.0)
