"""The way of a leader in advance, its limits, and the commands of a vehicle that follows it."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.compiled_motion import (
    fly_compiled, flying, load_leader
)
from velocity_mobility_ros.core.trajectory.leader_track import (
    LeaderTrack, RecordedTrack, fly_rows, places_at, track
)
from velocity_mobility_ros.core.trajectory.polyline import Polyline, polyline
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FINISHED, FollowSettings, PolylineError, SpeedLimits
)
from velocity_mobility_ros.core.trajectory.pursuit import TrackGuidance, pursue
from velocity_mobility_ros.core.trajectory.virtual_leader import (
    AxisLimits, followable, limits_along
)
from velocity_mobility_ros.core.velocity_model import Limits, Vector, step

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
    """It is the steepest one here."""
    rows = [[0, 0, 0, NONE], [30, 0, 3, NONE], [1, 0, 6, NONE]]
    there, back = (limits_along(polyline(rows, closed=one), XY, Z) for one in (False, True))
    assert 8.0 <= there.max_speed < 8.1
    assert back.max_speed == pytest.approx(2.0 * math.hypot(1.0, 6.0) / 6.0)


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


@pytest.mark.parametrize(
    ('time', 'place'),
    [(0.0, [0, 0, 0]), (1.0, [0, 0, 0]), (1.5, [2, 0, 0]), (4.0, [4, 3, 0]), (9.0, [4, 3, 0])],
)
def test_it_is_linear_between_poses_and_holds_outside(time, place):
    found = track([[0, 0, 0, 1.0], [4, 0, 0, 2.0], [4, 3, 0, 4.0]])
    assert places_at(found.vertices, np.array([time])).tolist() == [place]


@pytest.mark.parametrize(
    ('rows', 'code', 'text'),
    [
        ([(0, 0, 0, 1.0)], 'TOO_FEW_VERTICES', '1 given'),
        ([(0, 0, 0, 1.0), (1, 0, 0, NONE)], 'NOT_A_REPLAY', 'vertex 1'),
        ([(0, 0, 0, 2.0), (1, 0, 0, 1.0)], 'NOT_A_REPLAY', 'the first one, 2 s (1 s)'),
        ([(0, 0, 0, 1.0), (1, 0, 0, 2.0), (2, 0, 0, 2.0)], 'TIMES_NOT_INCREASING', '2 s'),
    ],
)
def test_what_is_no_recording_is_refused(rows, code, text):
    with pytest.raises(PolylineError, match='target: ') as caught:
        track(rows, 'target')
    assert caught.value.code == code and text in str(caught.value)


DT, UPDATES = 0.05, 5
REST: Vector = (0.0, 0.0, 0.0)


def limits(tau: float) -> Limits:
    """Return the limits of a vehicle with a lag [s]."""
    return 10.0, 5.0, 4.0, 5.0, tau, tau


def arrival(length: float, time: float, tau: float) -> tuple[float, float]:
    """Return distances [m] of a vehicle from the end of a straight path.

    One is at the stated time, the other the farthest after it, within 5 s.
    """
    path = polyline([[0, 0, 0, math.nan], [length, 0, 0, time]])
    axis = followable(10.0, 4.0, tau)
    how = FollowSettings(limits_along(path, axis, axis), dt=DT)
    track = LeaderTrack(path, how, fly_compiled)
    track.reach(100_000)
    guidance, row, p, v = TrackGuidance(1.0, 2.0, tau, tau, DT), 0, REST, REST
    away = []
    for _ in range(round((time + 5.0) / DT)):
        row, command = pursue(track.rows, row, p, guidance)
        for _ in range(UPDATES):
            p, v = step(p, v, command, DT / UPDATES, limits(tau))
        away.append(abs(length - p[0]))
    due = round(time / DT)
    return away[due], max(away[due:])


@given(st.floats(2.0, 150.0), st.floats(1.0, 3.0), st.sampled_from([0.2, 1.0]))
def test_a_vehicle_with_a_lag_is_there_in_time(length, slack, tau):
    """Within 0.3 m at the step after the stated time, lag or not, and it stays there."""
    axis = followable(10.0, 4.0, tau)
    shortest = length / axis.speed + 2.0 * axis.speed / axis.acceleration + 2.0
    at_time, later = arrival(length, slack * shortest, tau)
    assert at_time < 0.3
    assert later < 0.35


def test_without_the_lag_made_up_for_it_is_late():
    """The feed-forward is what brings it there: the negative control."""
    rows = [[0.0, 0.0, 0.0, 5.0, 0.0, 0.0], [0.25, 0.0, 0.0, 5.5, 0.0, 0.0]]
    rows = [*rows, [0.5, 0.0, 0.0, 6.0, 0.0, 0.0]]
    _, plain = pursue(rows, 0, (0.25, 0.0, 0.0), TrackGuidance(1.0, 2.0, 0.0, 0.0, DT))
    _, led = pursue(rows, 0, (0.25, 0.0, 0.0), TrackGuidance(1.0, 2.0, 0.4, 0.0, DT))
    assert plain == pytest.approx((6.0, 0.0, 0.0))
    assert led == pytest.approx((6.0 + 0.4 * 0.5 / DT, 0.0, 0.0))


def test_beyond_the_leash_the_leader_waits():
    rows = [[float(k), 0.0, 0.0, 20.0, 0.0, 0.0] for k in range(5)]
    how = TrackGuidance(0.5, 2.0, 1.0, 1.0, DT)
    row, command = pursue(rows, 1, (-1.5, 0.0, 0.0), how)
    assert row == 1 and command == pytest.approx((1.25, 0.0, 0.0))
    row, _ = pursue(rows, 1, (-0.5, 0.0, 0.0), how)
    assert row == 2


def test_at_the_end_the_vehicle_is_held():
    rows = [[0.0] * 6, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    row, command = pursue(rows, 1, (1.5, 0.0, 0.0), TrackGuidance(2.0, 2.0, 1.0, 1.0, DT))
    assert row == 1 and command == pytest.approx((-1.0, 0.0, 0.0))
