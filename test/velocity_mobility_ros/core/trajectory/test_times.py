"""Arrival times: what is needed at least."""

import pytest
from hypothesis import given, strategies as st

from support.polyline.runs import line
from velocity_mobility_ros.core.trajectory.polyline import (
    first_shortfall, needed_time, polyline, shortest_time
)
from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings, SpeedLimits

ROAD = SpeedLimits(50.0, 10.0, 3.0, 10.0, 3.0)
SETTINGS = FollowSettings(ROAD)


@pytest.mark.parametrize(
    ('length', 'limits', 'expected'),
    [
        (20.0, ROAD, 5.976),
        (0.0, ROAD, 0.0),
        (100.0, SpeedLimits(5.0, 2.0, 4.0, 2.0, 4.0), 23.0),
        (6.0, SpeedLimits(50.0, 2.0, 8.0, 2.0, 8.0), 3.723),
    ],
)
def test_shortest_times(length, limits, expected):
    assert shortest_time(length, limits) == pytest.approx(expected, abs=0.02)


LIMIT = st.floats(0.5, 12.0)
LIMITS = st.builds(SpeedLimits, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT)


@given(LIMITS, st.floats(0.0, 200.0))
def test_more_length_needs_more_time_and_no_jump_is_between_the_cases(limits, length):
    here, further = shortest_time(length, limits), shortest_time(length + 1e-4, limits)
    assert here < further < here + 0.2
    assert here >= length / limits.max_speed


def test_what_cannot_be_met_is_named_with_time_and_shortfall():
    path = polyline(line((0, 0, 0), (20, 0, 0, 8.0), (60, 0, 0), (120, 0, 0, 10.0)))
    found = first_shortfall(path, SETTINGS, 0.0)
    assert (found.vertex, found.time, found.available) == (3, 10.0, 2.0)
    assert found.length == pytest.approx(100.0)
    assert str(found) == (
        'vertex 3 at 10 s: 100 m from the one before need 10.9 s, there are 2 s, 8.88 s too few; '
        'give it more time or raise the limits'
    )


def test_what_can_be_met_has_no_shortfall():
    path = polyline(line((0, 0, 0), (20, 0, 0, 8.0), (30, 0, 0)))
    assert first_shortfall(path, SETTINGS, 0.0) is None
    assert first_shortfall(path, SETTINGS, 3.0).vertex == 1


def test_relative_times_count_from_the_vertex_before():
    path = polyline(line((0, 0, 0), (20, 0, 0, 8.0), (40, 0, 0, 3.0)), base_time=5.0)
    found = first_shortfall(path, SETTINGS, 5.0)
    assert (found.vertex, found.available) == (2, 3.0)


def test_a_reserve_is_kept():
    assert needed_time(20.0, SETTINGS) == pytest.approx(shortest_time(20.0, ROAD) * 1.05 + 0.15)
