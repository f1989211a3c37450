"""The way of a leader in advance: plain and compiled, in blocks and at once, and a recording."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.compiled_leader import (
    fly_compiled,
    flying,
    load_leader,
)
from velocity_mobility_ros.core.polyline.codes import FINISHED
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.path import Polyline, polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings, SpeedLimits
from velocity_mobility_ros.core.polyline.replay import track
from velocity_mobility_ros.core.trajectory.leader_rows import fly_rows
from velocity_mobility_ros.core.trajectory.leader_track import LeaderTrack, RecordedTrack

NONE = math.nan
HOW = FollowSettings(SpeedLimits(5.0, 2.0, 4.0, 2.0, 4.0))
BENT = [[0, 0, 0, NONE], [10, 0, 0, 4.0], [10, 10, 3, NONE], [0, 10, 3, 12.0]]


def square(time: float = NONE) -> Polyline:
    """Return a closed way round a square of 6 m."""
    corners = [(0, 0), (6, 0), (6, 6), (0, 6)]
    base = NONE if math.isnan(time) else 0.0
    return polyline([[x, y, 0.0, time] for x, y in corners], base, closed=True)


@pytest.mark.parametrize('path', [polyline(BENT), square(), square(4.0)])
def test_compiled_rows_are_those_of_plain_python(path):
    """To the bit, in other blocks, up to the end or as far as is asked."""
    plain, fast = LeaderTrack(path, HOW), LeaderTrack(path, HOW, fly_compiled)
    plain.reach(300)
    for count in (1, 40, 41, 130, 300):
        fast.reach(count)
    assert len(plain.rows) >= 240 and plain.ended == fast.ended != path.closed
    count = min(len(plain.rows), len(fast.rows))
    assert np.array_equal(plain.rows[:count], fast.rows[:count])


def test_a_leader_rests_at_both_ends_and_is_there_in_time():
    track = LeaderTrack(polyline(BENT), HOW, fly_compiled)
    track.reach(10_000)
    first, last = track.rows[0], track.rows[-1]
    assert track.ended and first.tolist() == [0.0] * 6
    assert last[3:].tolist() == pytest.approx([0.0] * 3, abs=1e-9)
    assert last[:3] == pytest.approx([0.0, 10.0, 3.0], abs=0.1)
    assert abs((len(track.rows) - 1) * HOW.dt - 12.0) <= HOW.dt / 2.0 + 1e-9
    assert track.rows[round(4.0 / HOW.dt), :3] == pytest.approx([10.0, 0.0, 0.0], abs=0.1)


def test_nothing_is_computed_that_is_not_asked_for():
    track = LeaderTrack(square(), HOW, fly_compiled)
    assert len(track.rows) == 0
    track.reach(1)
    assert 1 <= len(track.rows) < 100


def test_a_path_that_cannot_be_followed_says_so():
    path = polyline([[0, 0, 0, NONE], [50, 0, 0, 1.0], [60, 0, 0, 20.0]])
    strict = LeaderTrack(path, HOW._replace(strict=True), fly_compiled)
    with pytest.raises(PolylineError, match='at 1'):
        strict.reach(1000)


def test_loading_ahead_loads_what_flights_need():
    """No second signature is compiled at the first tick of a node."""
    load_leader()
    before = len(compiled(flying()).signatures)
    LeaderTrack(polyline(BENT), HOW, fly_compiled).reach(100)
    assert len(compiled(flying()).signatures) == before == 1


def test_a_flight_goes_on_where_the_last_block_ended():
    rows = np.empty((30, 6))
    begin = LeaderTrack(polyline(BENT), HOW)
    found = fly_rows(polyline(BENT).vertices, begin._state, HOW, 0, rows)
    assert found.code != FINISHED and found.rows == 30
    begin.reach(31)
    assert np.array_equal(begin.rows[:30], rows)
    assert begin.rows[30, :3].tolist() == list(found.state.position)


def test_a_recording_is_repeated_at_its_times():
    rows = [[0, 0, 0, 0.0], [1, 0, 0, 1.0], [1, 2, 0, 2.0], [1, 2, 1, 2.03]]
    found = RecordedTrack(track(rows), 0.05)
    assert found.ended
    assert found.rows[[0, 20, 40], :3].tolist() == [[0, 0, 0], [1, 0, 0], [1, 2, 0]]
    assert found.rows[10] == pytest.approx([0.5, 0, 0, 1.0, 0, 0])
    assert found.rows[30] == pytest.approx([1.0, 1.0, 0, 0, 2.0, 0])
    assert found.rows[-1].tolist() == [1, 2, 1, 0, 0, 0]
