"""The times at which a recording is looked at."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.findings.participants import participants_of
from soliton_encirclement_ros.analysis.findings.sampling import (
    ring_distances,
    sample_times,
    target_positions,
)
from support.recorded.recordings import body, recording_with
from velocity_mobility_ros.core.time import step_ns, to_seconds

POINT = (1.0, 2.0, 0.0)


def test_the_target_gives_the_times():
    times = [0.5, 1.5, 2.0]
    members = (body('uav_1', [0.0, 9.0], POINT), body('target', times, POINT))
    assert sample_times(participants_of(recording_with(*members), 'target'), 0.1).tolist() == times


@given(st.integers(1, 200), st.integers(0, 500), st.sampled_from([0.05, 0.02, 0.1]))
def test_even_steps_fall_on_the_stamps_of_ticks(first, count, period):
    ticks = [to_seconds(step_ns(k, period)) for k in range(first, first + count + 1)]
    participants = participants_of(recording_with(body('uav_1', ticks, POINT)), None)
    assert sample_times(participants, period).tolist() == ticks


def test_even_steps_span_all_agents_and_leave_silence_out():
    members = (body('uav_1', [1.0, 1e9], POINT), body('uav_2', [0.0, 0.25, 1.75], POINT))
    times = sample_times(participants_of(recording_with(*members), None), 0.5)
    assert times.tolist() == [0.0, 0.5, 1.0, 2.0, 1e9]
    assert not len(sample_times(participants_of(recording_with(), None), 0.5))


def test_a_target_is_where_it_was_last_a_point_always_nobody_nowhere():
    at = np.array([0.0, 1.0, 5.0])
    participants = participants_of(recording_with(body('target', [1.0], POINT)), 'target')
    assert np.isnan(target_positions(participants, 'target', at)[0]).all()
    assert target_positions(participants, 'target', at)[1:].tolist() == [[*POINT]] * 2
    nobody = participants_of(recording_with(), None)
    assert target_positions(nobody, POINT, at).tolist() == [[*POINT]] * 3
    assert np.isnan(target_positions(nobody, None, at)).all()


def test_distances_are_horizontal_and_end_when_the_agent_is_gone():
    participants = participants_of(
        recording_with(body('uav_4', [0.0, 0.5], (3.0, 4.0, 99.0))), None
    )
    far = ring_distances(participants, np.zeros((3, 3)), np.array([0.0, 0.6, 1.0]), 0.25)
    assert far[4][:2].tolist() == [5.0, 5.0] and np.isnan(far[4][2])
