"""The figures of one agent after the other."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, note_flight, recording_from, recording_with, without

CHANGES = {
    'run': {'num_agents': 3, 'sim_duration': 10.0, 'seed': 6},
    'failure': {'failure_enable': False, 'failure_schedule': '2..4: 2; 8..: 3'},
}


@pytest.fixture(scope='module')
def noted():
    return note_flight(Scenario('agents').with_changes(CHANGES, 'test'))


@pytest.fixture(scope='module')
def agents(noted):
    return find(recording_from(noted)).agents


def test_health_is_that_of_the_flight(agents):
    assert [one.failures for one in agents] == [0, 1, 1]
    assert [one.recoveries for one in agents] == [0, 1, 0]
    assert agents[1].outages == ((2.0, 4.0),) and agents[2].outages == ((8.0, None),)
    assert [one.time_down for one in agents] == pytest.approx([0.0, 2.0, 2.0])


def test_the_ring_error_is_the_rms_of_the_distance_from_the_ring(noted, agents):
    errors = []
    for words, target in zip(noted.states['uav_1'], noted.states['target'], strict=True):
        offset = np.subtract(words[1].position, target[1].position)
        errors.append(math.hypot(*offset[:2]) - 20.0)
    assert agents[0].radial_error == pytest.approx(math.sqrt(np.mean(np.square(errors))))


def test_the_way_is_that_of_the_odometry(noted, agents):
    path = np.array([row[1:4] for row in noted.tracks['uav_3']])
    assert agents[2].distance == pytest.approx(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    assert agents[2].mean_speed == pytest.approx(agents[2].distance / 9.95)


def test_the_nearest_separation_is_shared_by_the_pair_that_had_it(noted):
    found = find(recording_from(noted))
    least = sorted(one.separation for one in found.agents)
    assert least[0] == least[1] == found.min_separation.distance


def test_a_vehicle_with_a_lag_has_a_tracking_error(agents):
    assert all(0.0 < one.tracking_rms <= one.tracking_p95 < 20.0 for one in agents)
    assert all(0.0 < one.saturation < 1.0 and one.effort > 0.0 for one in agents)


def test_words_tell_the_way_where_nothing_else_does(noted):
    found = find(without(recording_from(noted), 'track', 'telemetry')).agents[0]
    assert found.distance > 1.0 and found.failures is found.outages is found.switches is None


def test_what_is_not_recorded_is_unknown():
    members = (body('uav_1', [0.0, 1.0], (1.0, 0.0, 0.0)), body('target', [0.0], (0.0,) * 3))
    (one,) = find(recording_with(*members)).agents
    unknown = ('tracking_rms', 'tracking_p95', 'saturation', 'effort', 'effort_total', 'failures')
    assert {getattr(one, name) for name in unknown} == {None}
    assert (one.distance, one.mean_speed, one.separation) == (0.0, 0.0, None)


def test_commands_without_odometry_still_tell_what_was_asked():
    told = body('uav_1', [0.0, 0.5, 1.0], (1.0, 0.0, 0.0), commanded=np.eye(3))
    (one,) = find(recording_with(told._replace(track=None))).agents
    assert one.tracking_rms is None and one.effort == pytest.approx(2.0 * math.sqrt(2.0))
    assert one.distance is None and one.radial_error is None
