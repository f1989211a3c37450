"""Tracking, saturation and effort of drives whose answers are known."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.analysis.findings.agent_figures import (
    effort, is_up, rms_of_known, saturation, tracking
)
from soliton_encirclement_ros.analysis.recording import Commands, Telemetry, Track

COLUMN = st.lists(st.integers(-50, 50).map(lambda v: v / 10.0), min_size=3, max_size=3)


def track(time, velocity):
    time = np.asarray(time, float)
    still = np.zeros((len(time), 3))
    return Track(time, still, still + velocity, still[:, 0])


def commands(time, velocity):
    time = np.asarray(time, float)
    return Commands(time, np.zeros((len(time), 3)) + velocity, np.zeros(len(time)))


def always(part):
    return np.ones(len(part.time), bool)


def followed(flown, told):
    return tracking(flown, told, always(flown), always(told))


def test_a_command_counts_from_the_next_sample_on():
    told = commands([0.0, 0.1], [(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    assert followed(track([0.1], (0.0, 0.0, 0.0)), told) == (0.0, 0.0)
    assert followed(track([0.11], (0.0, 0.0, 0.0)), told) == (9.0, 9.0)


def test_time_in_which_the_agent_is_down_does_not_count():
    time = np.arange(6.0) * 0.1
    velocity = np.zeros((6, 3))
    velocity[3:, 0] = 5.0
    up = time < 0.25
    flown, told = track(time, (0.0, 0.0, 0.0)), commands(time, velocity)
    assert tracking(flown, told, up, up) == (0.0, 0.0)
    assert effort(told, up)[1] == 0.0 and effort(told, always(told))[1] == 5.0
    assert saturation(told, up, 5.0, None) == 0.0


@given(st.lists(st.tuples(st.integers(1, 30), COLUMN), min_size=1, max_size=20),
       st.lists(st.tuples(st.integers(1, 30), COLUMN), min_size=1, max_size=20))  # fmt: skip
def test_tracking_is_that_of_a_search_one_by_one(flown, told):
    flight = track(np.cumsum([step / 10.0 for step, _ in flown]), [v for _, v in flown])
    wanted = commands(np.cumsum([step / 10.0 for step, _ in told]), [v for _, v in told])
    errors = []
    for t, v in zip(flight.time, flight.velocity, strict=True):
        before = [i for i, c in enumerate(wanted.time) if c < t]
        if before and t - wanted.time[before[-1]] <= 1.0:
            errors.append(math.dist(v, wanted.velocity[before[-1]]))
    found = followed(flight, wanted)
    if not errors:
        assert found is None
        return
    assert found[0] == pytest.approx(math.sqrt(np.mean(np.square(errors))))
    assert found[1] == pytest.approx(np.percentile(errors, 95.0))


def test_saturation_is_the_share_of_commands_at_a_limit():
    told = commands(
        range(5), [(6.0, 8.0, 0.0), (9.995, 0.0, 0.0), (9.9, 0.0, 0.0), (0.0, 0.0, -5.0), (0,) * 3]
    )
    assert saturation(told, always(told), 10.0, 5.0) == 0.6
    assert saturation(told, always(told), 10.0, None) == 0.4
    assert saturation(told, always(told), None, None) is None


def test_commands_of_one_time_count_once():
    told = commands([0.0, 0.0, 0.0, 1.0], [(0.0,) * 3, (0.0,) * 3, (10.0, 0.0, 0.0), (0.0,) * 3])
    assert saturation(told, always(told), 10.0, None) == 0.5


def test_effort_of_a_ramp_is_its_slope_whatever_the_rate():
    for step in (0.02, 0.1):
        time = np.arange(0.0, 2.0 + step / 2.0, step)
        found = effort(told := commands(time, np.outer(time, (0.0, 3.0, 4.0))), always(told))
        assert found == pytest.approx((5.0, 10.0))


def test_effort_does_not_depend_on_jitter_of_the_clock():
    time = np.arange(0.0, 20.0, 0.05)
    velocity = np.random.default_rng(4).normal(size=(len(time), 3))
    late = time + np.random.default_rng(5).uniform(0.0, 0.049, len(time))
    exact, jittered = commands(time, velocity), commands(late, velocity)
    wanted = effort(exact, always(exact))
    assert effort(jittered, always(jittered)) == pytest.approx(wanted, rel=0.005)


def test_effort_leaves_gaps_and_repeated_times_out():
    told = commands([0.0, 0.0, 0.5, 2.0], np.outer([0.0, 1.0, 2.0, 9.0], (1.0, 0.0, 0.0)))
    assert effort(told, always(told)) == pytest.approx((2.0, 1.0))


@pytest.mark.parametrize('time', [[], [1.0], [1.0, 5.0]])
def test_no_change_that_counts_is_no_effort(time):
    told = commands(time, (1.0, 0.0, 0.0))
    assert effort(told, always(told)) is None


def test_rms_of_what_is_known():
    assert rms_of_known(np.array([3.0, math.nan, -3.0])) == 3.0
    assert rms_of_known(np.array([math.nan])) is None


def test_an_agent_is_up_until_its_telemetry_says_otherwise():
    time = np.array([1.0, 2.0])
    told = Telemetry(time, *[np.zeros((2, 3))] * 2, np.array([True, False]), time, time, {})
    assert is_up(told, np.array([0.5, 1.0, 1.5, 2.0])).tolist() == [True, False, False, True]
    assert is_up(None, time).all()
