"""The observer is shown everything in the order of the monitor, at the right times."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.analysis.findings import (
    default_settings, find, message_replay as module
)
from soliton_encirclement_ros.analysis.findings.finding_settings import (
    ring_distances, sample_times, target_positions
)
from soliton_encirclement_ros.analysis.findings.message_replay import clear_metrics, replay
from soliton_encirclement_ros.analysis.findings.participants import participants_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, note_flight, recording_from, recording_with, without
from velocity_mobility_ros.core.step_time import step_ns, to_seconds

CHANGES = {
    'run': {'num_agents': 4, 'sim_duration': 12.0, 'seed': 5},
    'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 1.0},
    'target': {'protection_angle_deg': 270.0},
}


@pytest.fixture(scope='module')
def noted():
    return note_flight(Scenario('replayed').with_changes(CHANGES, 'test'))


@pytest.mark.parametrize('block', [1, 7, 240])
def test_the_size_of_a_block_changes_nothing(noted, block, monkeypatch):
    monkeypatch.setattr(module, 'BLOCK', block)
    recording = recording_from(noted)
    participants = participants_of(recording, 'target')
    found = replay(participants, participants.target, recording.scenario)
    live = noted.observer
    assert found.observer.series == live.series and found.observer.trails == live.trails
    assert found.observer.events == live.events
    assert live.series['E_wgap'] != live.series['E_gap']
    assert found.observer.telemetry.keys() == live.telemetry.keys()
    assert found.observer.down == live.down


def test_progress_is_told_in_samples(noted, monkeypatch):
    monkeypatch.setattr(module, 'BLOCK', 100)
    told = []
    find(recording_from(noted), progress=lambda *counts: told.append(counts))
    assert told == [(0, 240), (100, 240), (200, 240)]


def test_switches_are_counted_by_agent(noted):
    recording = recording_from(noted)
    participants = participants_of(recording, 'target')
    found = replay(participants, participants.target, recording.scenario)
    assert found.observer.switches == noted.observer.switches > 0
    assert np.sum([*found.switches.values()]) == found.observer.switches
    assert set(found.switches) == {1, 2, 3, 4}


def test_what_comes_after_the_last_sample_is_seen_as_well(noted):
    recording = recording_from(noted)
    members = dict(recording.members)
    words = members['target'].states
    cut = words._replace(**{
        name: getattr(words, name)[:100] for name in ('time', 'seq', 'position', 'velocity')
    })  # fmt: skip
    members['target'] = members['target']._replace(states=cut)
    participants = participants_of(recording._replace(members=members), 'target')
    found = replay(participants, participants.target, recording.scenario).observer
    assert found.events == noted.observer.events and len(found.series['time']) == 100


def test_odometry_between_two_samples_is_replaced_by_the_last():
    times = np.arange(0.0, 1.0, 0.01)
    path = np.outer(times + 10.0, (1.0, 0.0, 0.0))
    members = (body('uav_1', times, path), body('target', [0.105, 0.505], (0.0,) * 3))
    participants = participants_of(recording_with(*members), 'target')._replace(is_foreign=False)
    wide = Scenario().with_changes({'swarm': {'encirclement_radius': 10.0}}, 'test')
    found = replay(participants, participants.target, wide).observer
    assert found.series['E_r'].tolist() == pytest.approx([0.01, 0.05])


def test_forgotten_metrics_are_nan(noted):
    recording = without(recording_from(noted), 'telemetry')
    participants = participants_of(recording, 'target')
    observer = replay(participants, participants.target, recording.scenario).observer
    clear_metrics(observer, ['E_r'])
    assert np.isnan(observer.series['E_r']).all() and len(observer.series['E_r']) == 240
    assert observer.series['E_gap'] == noted.observer.series['E_gap']


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
    members = (body('uav_1', [0.0, 1.0, 1e9], POINT), body('uav_2', [0.0, 0.25, 1.75], POINT))
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


TIME = np.arange(0.0, 2.0, 0.05)
PATH = np.outer(TIME, (1.0, 2.0, 0.0))


def test_odometry_makes_a_trail_of_few_points_up_to_the_last():
    members = (body('drone', TIME, PATH), body('target', TIME, (0.0,) * 3))
    trails = find(recording_with(*members)).observer.trails
    assert set(trails) == {'uav_1', 'target'}
    trail = trails['uav_1']
    assert trail.time[0] == 0.0 and trail.time[-1] == TIME[-1] and 10 <= len(trail.time) <= 12
    assert trail.x == trail.time and trail.failed == [False] * len(trail.time)
    np.testing.assert_allclose(trail.y, 2.0 * np.array(trail.time))


def test_no_target_has_no_trail_and_a_fixed_point_has_one():
    recording = recording_with(body('uav_2', TIME, PATH))
    assert set(find(recording).observer.trails) == {'uav_2'}
    fixed = find(recording, default_settings(recording, (3.0, 4.0, 0.0))).observer.trails
    assert set(fixed['target'].x) == {3.0} and set(fixed['target'].y) == {4.0}
