"""Commands of a vehicle that follows a leader: a lag is made up for, a leash holds the leader."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.sim.compilation.compiled_leader import fly_compiled
from velocity_mobility_ros.core.model import Limits, Vector, step
from velocity_mobility_ros.core.polyline.path import polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings
from velocity_mobility_ros.core.trajectory.leader_limits import followable, limits_along
from velocity_mobility_ros.core.trajectory.leader_track import LeaderTrack
from velocity_mobility_ros.core.trajectory.track_pursuit import TrackGuidance, pursued

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
        row, command = pursued(track.rows, row, p, guidance)
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
    _, plain = pursued(rows, 0, (0.25, 0.0, 0.0), TrackGuidance(1.0, 2.0, 0.0, 0.0, DT))
    _, led = pursued(rows, 0, (0.25, 0.0, 0.0), TrackGuidance(1.0, 2.0, 0.4, 0.0, DT))
    assert plain == pytest.approx((6.0, 0.0, 0.0))
    assert led == pytest.approx((6.0 + 0.4 * 0.5 / DT, 0.0, 0.0))


def test_beyond_the_leash_the_leader_waits():
    rows = [[float(k), 0.0, 0.0, 20.0, 0.0, 0.0] for k in range(5)]
    how = TrackGuidance(0.5, 2.0, 1.0, 1.0, DT)
    row, command = pursued(rows, 1, (-1.5, 0.0, 0.0), how)
    assert row == 1 and command == pytest.approx((1.25, 0.0, 0.0))
    row, _ = pursued(rows, 1, (-0.5, 0.0, 0.0), how)
    assert row == 2


def test_at_the_end_the_vehicle_is_held():
    rows = [[0.0] * 6, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    row, command = pursued(rows, 1, (1.5, 0.0, 0.0), TrackGuidance(2.0, 2.0, 1.0, 1.0, DT))
    assert row == 1 and command == pytest.approx((-1.0, 0.0, 0.0))
