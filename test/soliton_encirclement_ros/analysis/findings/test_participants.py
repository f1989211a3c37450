"""Who plays which part, and by what everybody is known."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings.participants import (
    nonempty, number_agents, observed_body, participants_of
)
from soliton_encirclement_ros.analysis.recording import StateSeries
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, note_flight, recording_from, recording_with, without

TIME = [0.0, 1.0]


@pytest.fixture(scope='module')
def recording():
    changes = {
        'run': {'num_agents': 3, 'sim_duration': 3.0},
        'failure': {'failure_enable': False, 'failure_schedule': '1..2: 2'},
    }
    return recording_from(note_flight(Scenario('participants').with_changes(changes, 'test')))


def test_agents_keep_the_number_of_their_name_and_others_get_the_next_that_is_free():
    names = ('zoe', 'uav_2', 'adam', 'target', 'adversary')
    found = number_agents(recording_with(*(body(name, TIME, (0.0,) * 3) for name in names)), None)
    assert {k: one.name for k, one in found.items()} == {1: 'zoe', 2: 'uav_2', 3: 'adam'}
    assert [*found] == [1, 2, 3]


@pytest.mark.parametrize(
    ('names', 'numbers'),
    [
        (('uav_00', 'uav_01', 'uav_09', 'uav_10'), [0, 1, 9, 10]),
        (('drone_0', 'drone_1', 'rover'), [0, 1, 2]),
        (('cf5', 'cf231'), [5, 231]),
        (('drone1', 'ugv1'), [1, 2]),
        (('uav_01', 'uav_1', 'log_20231107123000'), [2, 1, 3]),
    ],
)
def test_the_number_at_the_end_of_a_name_is_kept_if_it_is_the_only_one(names, numbers):
    found = number_agents(recording_with(*(body(name, TIME, (0.0,) * 3) for name in names)), None)
    whose = {one.name: k for k, one in found.items()}
    assert [whose[name] for name in names] == numbers


def test_words_count_as_soon_as_one_agent_has_spoken(recording):
    participants = participants_of(without(recording, 'states', of=['uav_1']), 'target')
    assert [*participants.agents] == [2, 3] and participants.uses_states
    assert [*participants.members] == [1, 2, 3]


def test_without_words_odometry_counts_while_the_agent_is_up(recording):
    participants = participants_of(without(recording, 'states'), 'target')
    assert [*participants.agents] == [1, 2, 3] and not participants.uses_states
    down = recording.members['uav_2'].telemetry
    assert set(down.time[down.failed]).isdisjoint(participants.agents[2].time)
    assert len(participants.agents[2].time) == len(down.time) - down.failed.sum()


def test_an_agent_without_words_and_odometry_is_known_by_its_telemetry(recording):
    participants = participants_of(without(recording, 'states', 'track'), None)
    own = recording.members['uav_1'].telemetry
    assert np.array_equal(participants.agents[1].position, own.position)


def test_an_adversary_that_is_the_target_is_no_adversary(recording):
    participants = participants_of(recording, 'adversary')
    assert participants.adversary is None and participants.target_name == 'adversary'
    assert participants.names == {1: 'uav_1', 2: 'uav_2', 3: 'uav_3'}


def test_a_fixed_point_is_seen_nowhere(recording):
    participants = participants_of(recording, (1.0, 2.0, 0.0))
    assert participants.target is None and participants.target_name is None


def test_a_part_without_a_sample_is_none():
    empty = StateSeries(np.empty(0), np.empty(0), np.empty((0, 3)), np.empty((0, 3)), {})
    member = body('uav_1', TIME, (1.0, 0.0, 0.0))._replace(states=empty)
    assert nonempty(empty) is None and nonempty(None) is None
    assert not observed_body(member).from_states
    assert observed_body(member._replace(track=None)) is None
