"""The figures of one agent after the other, and how often the filter changed a command."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.findings.message_replay import filtered_share
from soliton_encirclement_ros.analysis.recording import Telemetry
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    BEYOND, CHANGE, NOT_FINITE
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.chunks import lively
from support.recorded.recordings import (
    body, note_flight, recording_from, recording_of, recording_with, without
)

CHANGES = {
    'run': {'num_agents': 3, 'sim_duration': 10.0, 'seed': 6},
    'failure': {'failure_enable': False, 'failure_schedule': '2..4: 2; 6..7: 2; 8..: 3'},
}


@pytest.fixture(scope='module')
def noted():
    return note_flight(Scenario('agents').with_changes(CHANGES, 'test'))


@pytest.fixture(scope='module')
def agents(noted):
    return find(recording_from(noted)).agents


def test_health_is_that_of_the_flight(agents):
    assert [agent.failures for agent in agents] == [0, 2, 1]
    assert [agent.recoveries for agent in agents] == [0, 2, 0]
    assert agents[1].outages == ((2.0, 4.0), (6.0, 7.0)) and agents[2].outages == ((8.0, None),)
    assert [agent.time_down for agent in agents] == pytest.approx([0.0, 3.0, 2.0])


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
    findings = find(recording_from(noted))
    least = sorted(agent.separation for agent in findings.agents)
    assert least[0] == least[1] == findings.min_separation.distance


def test_words_tell_the_way_where_nothing_else_does(noted):
    found = find(without(recording_from(noted), 'track', 'telemetry')).agents[0]
    assert found.distance > 1.0 and found.failures is found.outages is found.switches is None


def test_what_is_not_recorded_is_unknown():
    members = (body('uav_1', [0.0, 1.0], (1.0, 0.0, 0.0)), body('target', [0.0], (0.0,) * 3))
    (one,) = find(recording_with(*members)).agents
    unknown = ('tracking_rms', 'tracking_p95', 'saturation', 'effort', 'effort_total', 'switches')
    assert {getattr(one, name) for name in unknown} == {None} and one.failures == 0
    assert (one.distance, one.mean_speed, one.separation) == (0.0, 0.0, None)


def test_commands_without_odometry_still_tell_what_was_asked():
    told = body('uav_1', [0.0, 0.5, 1.0], (1.0, 0.0, 0.0), commanded=np.eye(3))
    (one,) = find(recording_with(told._replace(track=None))).agents
    assert one.tracking_rms is None and one.effort == pytest.approx(2.0 * math.sqrt(2.0))
    assert one.distance is None and one.radial_error is None


AT = np.array([0.0, 1.0, 2.0, 3.0])


def told(failed: list[bool], reasons: list[float] | None) -> Telemetry:
    """Return the telemetry of an agent at 1, 2 and 3 s."""
    none, rest = np.zeros((3, 3)), np.zeros(3)
    values = {} if reasons is None else {'filter_reason': np.array(reasons)}
    return Telemetry(AT[1:], none, none, np.array(failed), rest, rest, values)


def test_the_share_is_of_those_that_fly():
    one, other = told([False] * 3, [0.0, 1.0, 6.0]), told([False, True, True], [5.0, 0.0, 0.0])
    found = filtered_share({1: one, 2: other, 3: told([False] * 3, None)}, AT)
    np.testing.assert_array_equal(found, [np.nan, 0.5, 1.0, 1.0])


def test_it_is_unknown_if_nobody_tells():
    assert np.isnan(filtered_share({1: told([False] * 3, None)}, AT)).all()


@pytest.fixture(scope='module')
def crowded():
    """Return a flight on a narrow ring."""
    return recording_of(lively(swarm={'encirclement_radius': 4.0}))


def test_the_mean_over_time_is_the_share_of_all_commands(crowded):
    findings = find(crowded)
    up = np.array([~member.telemetry.failed for name, member in crowded.members.items()
                   if name.startswith('uav')])  # fmt: skip
    weighed = np.nansum(findings.series['filtered'] * up.sum(axis=0)) / up.sum()
    assert weighed == pytest.approx(findings.summary['filtered_share'], abs=1e-12)
    assert weighed > 0.02
    assert findings.summary['filtered_pairs'][0]['count'] > 0


def test_commands_out_of_bounds_are_counted_by_what_was_sent(crowded):
    commands = crowded.members['uav_2'].commands
    wild = commands.velocity.copy()
    wild[3], wild[5], wild[7] = (10.1, 0.0, 0.0), (np.nan, 0.0, 0.0), (0.0, 0.0, np.inf)
    agent = crowded.members['uav_2']._replace(commands=commands._replace(velocity=wild))
    faulty = crowded._replace(members={**crowded.members, 'uav_2': agent})
    assert find(crowded).summary[CHANGE] < find(faulty).summary[CHANGE] < np.inf
    assert (find(crowded).summary[BEYOND], find(crowded).summary[NOT_FINITE]) == (0, 0)
    assert (find(faulty).summary[BEYOND], find(faulty).summary[NOT_FINITE]) == (2, 2)
