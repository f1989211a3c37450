"""Findings of whole flights: the same figures as whoever watched live."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import TARGET
from support.recorded.recordings import body, note_flight, recording_from, recording_with, without

LIVELY = {
    'run': {'num_agents': 5, 'sim_duration': 20.0, 'seed': 3},
    'failure': {'failure_mean_failures_per_min': 10.0, 'failure_off_time': 2.0},
}
CALM = {
    'run': {'num_agents': 4, 'sim_duration': 10.0},
    'failure': {'failure_enable': False},
}


def scenario(*changes):
    found = Scenario('flown')
    for change in changes:
        found = found.with_changes(change, 'test')
    return found


@pytest.fixture(scope='module')
def lively():
    return note_flight(scenario(LIVELY))


@pytest.fixture(scope='module')
def calm():
    return note_flight(scenario(CALM))


@pytest.mark.parametrize(
    'changes',
    [
        {},
        {'adversary': {'adversary_enable': False}, 'run': {'num_agents': 1}},
        {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.1},
         'control': {'controller': 'two_channel'}},
        {'failure': {'failure_off_time': 0.1}},
    ],
)  # fmt: skip
def test_what_was_seen_live_is_seen_again_to_the_last_bit(changes):
    noted = note_flight(scenario(LIVELY, changes))
    found, live = find(recording_from(noted)), noted.observer
    for name, values in live.series.items():
        np.testing.assert_array_equal(found.series[name], values, name)
    assert [*found.series['min_separation']] == [sample.min_separation for sample in noted.samples]
    assert [*found.events] == sorted(live.events)
    seen = found.observer
    assert (seen.switches, seen.uptime) == (live.switches, live.uptime)
    assert (seen.filtered, seen.outside) == (live.filtered, live.outside)
    assert seen.trails == live.trails
    assert found.summary == summarise(noted.loop.scenario, live, noted.loop.world.commands.facts)


def test_the_smallest_separation_is_that_of_the_monitor(lively):
    findings = find(recording_from(lively))
    assert findings.min_separation.distance == lively.observer.min_separation
    assert findings.min_separation.time in findings.series['time']
    at = [*findings.series['time']].index(findings.min_separation.time)
    pair = [lively.tracks[name][at] for name in findings.min_separation[2:]]
    assert math.dist(pair[0][1:4], pair[1][1:4]) == pytest.approx(findings.min_separation.distance)


def test_odometry_alone_gives_the_same_metrics_where_nobody_fails(calm):
    recording = recording_from(calm)
    heard, seen = find(recording), find(without(recording, 'states', 'telemetry'))
    for name in METRIC_NAMES:
        assert [*seen.series[name]] == [*heard.series[name]]
    assert seen.settling_time == heard.settling_time
    assert any('no agent states: odometry is used instead' in problem for problem in seen.problems)


def test_without_a_target_metrics_and_verdict_are_unknown(lively):
    recording = without(recording_from(lively), 'states', 'track', of=[TARGET])
    findings = find(recording)
    assert findings.settings.target is None and findings.encircled is None
    assert all(np.isnan(findings.series[name]).all() for name in METRIC_NAMES)
    assert findings.averages == dict.fromkeys(METRIC_NAMES)
    assert findings.settling_time is None and findings.live is None
    assert findings.min_separation.distance == pytest.approx(lively.observer.min_separation)
    assert [closing.event for closing in findings.closings] == [*findings.events] != []
    assert all(closing.time_to_close is None for closing in findings.closings)
    assert any(problem.startswith('no target') for problem in findings.problems)
    assert TARGET not in findings.observer.trails


def test_a_fixed_point_stands_for_a_target_that_rests_there():
    noted = note_flight(scenario(CALM, {'target': {'target_motion_speed_xy': 0.0}}))
    recording = recording_from(noted)
    fixed = default_settings(without(recording, 'states', 'track', of=[TARGET]), (0.0, 0.0, 0.0))
    findings = find(recording, fixed)
    live = np.array([sample.metrics for sample in noted.samples])
    for name, values in zip(METRIC_NAMES, live.T, strict=True):
        np.testing.assert_allclose(findings.series[name], values, atol=1e-12)


def test_an_agent_can_be_the_target_and_is_none_of_the_ring_then(calm):
    recording = recording_from(calm)
    findings = find(recording, default_settings(recording, 'uav_2'))
    assert [agent.name for agent in findings.agents] == ['uav_1', 'uav_3', 'uav_4']
    assert set(findings.series['alive'][1:]) == {3.0}
    assert findings.live is None
    assert not [line for line in findings.problems if line.startswith('the bag has')]


def test_foreign_names_are_numbered_and_kept():
    time = np.arange(0.0, 5.0, 0.1)
    drones = [
        body(name, time, (10.0 * math.cos(a), 10.0 * math.sin(a), 0.0))
        for name, a in (('anna', 0.0), ('uav_1', 2.0), ('berta', 4.0))
    ]
    found = find(recording_with(*drones, body('target', time, (0.0, 0.0, 0.0))))
    assert {one.agent_id: one.name for one in found.agents} == {1: 'uav_1', 2: 'anna', 3: 'berta'}
    assert found.settings.radius == 10.0 and found.settings.radius_from == 'estimated'
    assert found.averages['E_r'] == pytest.approx(0.0)
    assert found.summary['controller'] is found.summary['seed'] is None
    assert found.name_of(2) == 'anna'


def test_health_is_unknown_without_telemetry(lively):
    findings = find(without(recording_from(lively), 'telemetry'))
    assert findings.summary['failures'] is findings.summary['neighbour_switches_per_min'] is None
    assert {agent.failures for agent in findings.agents} == {None}


@pytest.mark.parametrize('members', [[], [body('target', [1.0, 2.0], (0.0, 0.0, 0.0))]])
def test_a_recording_without_agents_has_findings_all_the_same(members):
    findings = find(recording_with(*members))
    assert findings.agents == () and findings.min_separation is None and not findings.encircled
    assert 'no agents: nothing to evaluate' in findings.problems


def test_a_single_sample_is_enough():
    findings = find(recording_with(body('uav_1', [1.0], (3.0, 0.0, 0.0))))
    assert [*findings.series['alive']] == [1.0] and findings.agents[0].mean_speed is None


@pytest.mark.parametrize(
    ('agents', 'share', 'line'),
    [
        (2, 1.0, 'the bag has 4 agents, the scenario 2: '),
        (4, 1.0, None),
        (8, 0.5, 'the bag has 4 agents, the scenario 8: '),
    ],
)
def test_a_bag_with_other_agents_than_its_scenario_is_named(calm, agents, share, line):
    recording = recording_from(calm)
    other = scenario(CALM, {'run': {'num_agents': agents}})
    found = find(recording._replace(scenario=other))
    assert found.summary['alive_share_mean'] == share
    assert [one[: len(line or '')] for one in found.problems] == ([line] if line else [])
    assert found.summary['agents'] == max(agents, 4)


@pytest.mark.parametrize('time', [[0.0], [7.0] * 5])
def test_a_flight_of_no_length_has_no_verdict(time):
    ring = [
        body(f'uav_{k}', time, (9.0 * math.cos(2.1 * k), 9.0 * math.sin(2.1 * k), 0.0))
        for k in (1, 2, 3)
    ]
    findings = find(recording_with(*ring, body('target', time, (0.0, 0.0, 0.0))))
    assert findings.averages['E_gap'] < 0.1 and findings.averages['E_r'] == pytest.approx(0.0)
    assert (findings.encircled, findings.settling_time) == (None, None)
    assert findings.why == 'all samples have one time'
    assert (
        f'all samples have one time ({time[0]:.3f} s), so nothing can be evaluated; check '
        'the stamps and the clock of the recorder'
    ) in findings.problems


def test_a_radius_that_is_given_is_measured_against(calm):
    recording = recording_from(calm)
    findings = find(recording, default_settings(recording, radius=10.0))
    assert findings.settings.radius_from == 'given'
    assert findings.averages['E_r'] == pytest.approx(1.0, abs=0.2)
    assert 'E_r' not in findings.live.largest and findings.live.largest['E_gap'] == 0.0
