"""The observer is shown everything in the order of the monitor."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.findings import replay as module
from soliton_encirclement_ros.analysis.findings.participants import participants_of
from soliton_encirclement_ros.analysis.findings.replay import clear_metrics, replay
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, note_flight, recording_from, recording_with, without

CHANGES = {
    'run': {'num_agents': 4, 'sim_duration': 12.0, 'seed': 5},
    'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 1.0},
    'target': {'protection_angle_deg': 270.0},
}


@pytest.fixture(scope='module')
def noted():
    return note_flight(Scenario('replayed').with_changes(CHANGES, 'test'))


@pytest.mark.parametrize('block', [1, 7, 240, 10_000])
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
    participants = participants_of(recording_with(*members), 'target')
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
