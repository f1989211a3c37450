"""Which moment is time 0, and at which times curves of different rates are compared."""

from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.comparison_records import Side, start_of_motion, zero_of
from soliton_encirclement_ros.analysis.recording import Member, Track
from soliton_encirclement_ros.analysis.recording_comparison import common_times
from soliton_encirclement_ros.core.errors import RunError

TIME = 0.1 * np.arange(100)


def side(**changes):
    usual = Side(
        'flight', Path('flight'), 'header', 10.0, 4, {'time': TIME + 2.0}, {}, 3.5, 6.0, None, ()
    )
    return usual._replace(**changes)


def test_who_creeps_or_jumps_once_does_not_move():
    rng = np.random.default_rng(2)
    speed = np.abs(rng.normal(0.0, 0.1, 100))
    speed[20] = 30.0
    assert start_of_motion(TIME, speed) is None
    speed[39], speed[40:] = 0.0, 2.0
    assert start_of_motion(TIME, speed) == pytest.approx(3.925)


def test_the_rate_of_the_samples_hardly_matters():
    found = []
    for step in (0.01, 0.05, 0.2):
        time = step * np.arange(round(5.0 / step))
        found.append(start_of_motion(time, np.clip(2.0 * (time - 1.03), 0.0, 3.0)))
    assert max(found) - min(found) < 0.05 and abs(found[0] - 1.28) < 1e-9


def test_a_motion_that_lasts_just_long_enough_counts():
    speed = np.where((TIME > 3.95) & (TIME < 4.55), 1.0, 0.0)
    assert start_of_motion(TIME, speed) == pytest.approx(3.95)
    assert start_of_motion(TIME, np.where((TIME > 3.95) & (TIME < 4.35), 1.0, 0.0)) is None


def test_who_moves_from_the_first_sample_on_starts_there():
    assert start_of_motion(TIME, np.ones(100)) == 0.0
    assert start_of_motion(np.empty(0), np.empty(0)) is None


def test_climbing_is_motion_and_silence_is_not():
    velocity = np.zeros((100, 3))
    velocity[50:, 2] = 1.0
    track = Track(TIME, np.zeros((100, 3)), velocity, np.zeros(100))
    assert Member('uav_1', track).motion is track and Member('uav_1').motion is None
    assert start_of_motion(TIME, np.linalg.norm(velocity, axis=1)) == pytest.approx(4.95)


@pytest.mark.parametrize(
    ('align', 'expected'),
    [
        ('motion', 'flight: no agent moved faster than 0.5 m/s for 0.5 s; use'),
        ('failure', 'flight: no failure of an agent was recorded; use --align start'),
    ],
)
def test_a_moment_that_never_came_is_said(align, expected):
    with pytest.raises(RunError, match=expected):
        zero_of(flight := side(moved_at=None, failed_at=None), align, flight)


def test_the_base_is_what_all_cover_at_the_longest_step():
    fine, coarse = np.arange(1.0, 9.0, 0.05), np.arange(2.03, 20.0, 0.5)
    base = common_times([fine, coarse])
    assert base[0] == 2.03 and base[-1] <= 8.95 and np.allclose(np.diff(base), 0.5)


def test_equal_times_stay_as_they_are_up_to_the_shortest():
    time = 0.05 * np.arange(1, 100)
    assert np.array_equal(common_times([time, time[:50]]), time[:50])


@pytest.mark.parametrize('times', [[np.arange(3.0), np.arange(5.0, 8.0)], [np.arange(3.0), []]])
def test_without_time_in_common_it_is_said(times):
    with pytest.raises(RunError, match='aligned recordings have no time in common'):
        common_times(list(map(np.asarray, times)))


def test_one_sample_is_a_base_of_one():
    assert common_times([np.array([2.0]), np.array([2.0])]).tolist() == [2.0]
