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
    for one in changes:
        found = found.with_changes(one, 'test')
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
    assert [*found.series['min_separation']] == [one.min_separation for one in noted.samples]
    assert [*found.events] == sorted(live.events)
    seen = found.observer
    assert (seen.switches, seen.uptime) == (live.switches, live.uptime)
    assert (seen.filtered, seen.outside) == (live.filtered, live.outside)
    assert seen.trails == live.trails
    assert found.summary == summarise(noted.loop.scenario, live, noted.loop.world.commands.facts)


def test_the_smallest_separation_is_that_of_the_monitor(lively):
    found = find(recording_from(lively))
    assert found.min_separation.distance == lively.observer.min_separation
    assert found.min_separation.time in found.series['time']
    at = [*found.series['time']].index(found.min_separation.time)
    pair = [lively.tracks[name][at] for name in found.min_separation[2:]]
    assert math.dist(pair[0][1:4], pair[1][1:4]) == pytest.approx(found.min_separation.distance)


def test_odometry_alone_gives_the_same_metrics_where_nobody_fails(calm):
    recording = recording_from(calm)
    heard, seen = find(recording), find(without(recording, 'states', 'telemetry'))
    for name in METRIC_NAMES:
        assert [*seen.series[name]] == [*heard.series[name]]
    assert seen.settling_time == heard.settling_time
    assert any('no agent states: odometry is used instead' in problem for problem in seen.problems)


def test_without_a_target_metrics_and_verdict_are_unknown(lively):
    recording = without(recording_from(lively), 'states', 'track', of=[TARGET])
    found = find(recording)
    assert found.settings.target is None and found.encircled is None
    assert all(np.isnan(found.series[name]).all() for name in METRIC_NAMES)
    assert found.averages == dict.fromkeys(METRIC_NAMES)
    assert found.settling_time is None and found.live is None
    assert found.min_separation.distance == pytest.approx(lively.observer.min_separation)
    assert [one.event for one in found.closings] == [*found.events] != []
    assert all(one.time_to_close is None for one in found.closings)
    assert any(problem.startswith('no target') for problem in found.problems)
    assert TARGET not in found.observer.trails


def test_a_fixed_point_stands_for_a_target_that_rests_there():
    noted = note_flight(scenario(CALM, {'target': {'target_motion_speed_xy': 0.0}}))
    recording = recording_from(noted)
    fixed = default_settings(without(recording, 'states', 'track', of=[TARGET]), (0.0, 0.0, 0.0))
    found = find(recording, fixed)
    live = np.array([sample.metrics for sample in noted.samples])
    for name, values in zip(METRIC_NAMES, live.T, strict=True):
        np.testing.assert_allclose(found.series[name], values, atol=1e-12)


def test_an_agent_can_be_the_target_and_is_none_of_the_ring_then(calm):
    recording = recording_from(calm)
    found = find(recording, default_settings(recording, 'uav_2'))
    assert [one.name for one in found.agents] == ['uav_1', 'uav_3', 'uav_4']
    assert set(found.series['alive'][1:]) == {3.0}
    assert found.live is None
    assert not [line for line in found.problems if line.startswith('the bag has')]


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
    found = find(without(recording_from(lively), 'telemetry'))
    assert found.summary['failures'] is found.summary['neighbour_switches_per_min'] is None
    assert {one.failures for one in found.agents} == {None}


@pytest.mark.parametrize('members', [[], [body('target', [1.0, 2.0], (0.0, 0.0, 0.0))]])
def test_a_recording_without_agents_has_findings_all_the_same(members):
    found = find(recording_with(*members))
    assert found.agents == () and found.min_separation is None and not found.encircled
    assert 'no agents: nothing to evaluate' in found.problems


def test_a_single_sample_is_enough():
    found = find(recording_with(body('uav_1', [1.0], (3.0, 0.0, 0.0))))
    assert [*found.series['alive']] == [1.0] and found.agents[0].mean_speed is None


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
    found = find(recording_with(*ring, body('target', time, (0.0, 0.0, 0.0))))
    assert found.averages['E_gap'] < 0.1 and found.averages['E_r'] == pytest.approx(0.0)
    assert (found.encircled, found.settling_time) == (None, None)
    assert found.why == 'all samples have one time'
    assert (
        f'all samples have one time ({time[0]:.3f} s), so nothing can be evaluated; check '
        'the stamps and the clock of the recorder'
    ) in found.problems


def test_a_radius_that_is_given_is_measured_against(calm):
    recording = recording_from(calm)
    found = find(recording, default_settings(recording, radius=10.0))
    assert found.settings.radius_from == 'given'
    assert found.averages['E_r'] == pytest.approx(1.0, abs=0.2)
    assert 'E_r' not in found.live.largest and found.live.largest['E_gap'] == 0.0
