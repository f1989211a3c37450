"""The engine against the plain loop with noise, drift, dropouts and latencies."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim.engine import Engine
from support.engine_flights import flown
from support.identity import INTERPRETED, Changes, assert_identical, by_engine, in_turn, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

NOISE = {
    'position_noise_xy': 0.3, 'position_noise_z': 0.2, 'velocity_noise_xy': 0.1,
    'velocity_noise_z': 0.05, 'position_drift_xy': 0.5, 'position_drift_z': 1.0,
}  # fmt: skip
DROPOUTS = {'dropouts_per_min': 30.0, 'dropout_time': 0.4}
LATE = {'odom_latency': 0.07, 'command_latency': 0.12}
EVERYTHING = {**NOISE, **DROPOUTS, **LATE}
FAILURES = {'failure_mean_failures_per_min': 15.0, 'failure_off_time': 0.7}

CASES: dict[str, Changes] = {
    'late by less than a tick': {'mobility': {'odom_latency': 0.03, 'command_latency': 0.02}},
    'late by a tick': {'mobility': {'odom_latency': 0.05, 'command_latency': 0.05}},
    'later': {'mobility': {'odom_latency': 0.32, 'command_latency': 0.28}},
    'measured rarely': {'mobility': {**EVERYTHING, 'odom_period': 0.2}},
    'measured often': {'mobility': {**EVERYTHING, 'odom_period': 0.03}},
    'measured with every update': {'mobility': {**EVERYTHING, 'odom_period': 0.001}},
    'everything': {
        'mobility': EVERYTHING, 'failure': FAILURES,
        'target': {'protection_angle_deg': 250.0, 'target_swarm_spin_enable': True}},
    'wrong clocks, everything, a bad radio': {
        'mobility': EVERYTHING, 'failure': FAILURES,
        'radio': {'clock_offset': 0.5, 'communication_failure_rate': 0.2,
                  'communication_delay': 0.08, 'communication_jitter': 0.05}},
    'tilted': {'mobility': {**EVERYTHING, 'vehicle': 'quadrotor'}, 'run': {'sim_duration': 2.0}},
}  # fmt: skip


@in_turn(CASES)
def test_engine_and_loop_give_the_same_bits(case, law):
    assert_identical(scenario(CASES[case], {'control': {'controller': law}}))


def test_fast_vehicles_that_know_late_where_they_are_see_the_same_others():
    """Neither leaves a body out that the other one keeps a distance from."""
    changes = {
        'mobility': {'odom_latency': 0.3, 'dropouts_per_min': 2.0, 'dropout_time': 1.0},
        'radio': {'clock_offset': 0.0, 'communication_failure_rate': 0.0,
                  'communication_jitter': 0.0},
        'failure': {'failure_enable': True, 'failure_mean_failures_per_min': 1.0},
        'run': {'seed': 80000, 'sim_duration': 40.0},
    }  # fmt: skip
    assert_identical(load_scenario(find_scenario('field')).with_changes(changes, 'test'))


def test_interpreted_too():
    brief = {'run': {'sim_duration': 2.0}}
    rough = scenario(CASES['wrong clocks, everything, a bad radio'], brief)
    assert_identical(rough, **INTERPRETED)


def test_a_vehicle_file_makes_one_member_see_worse_than_the_others(tmp_path):
    path = tmp_path / 'blurred.yaml'
    path.write_text('mobility: {position_noise_xy: 2.0, odom_latency: 0.2}\n')
    flight = assert_identical(scenario({'vehicles': {'target_vehicle': str(path)}}))
    chunk, count = flight.chunk, flight.chunk.agents.shape[1]
    assert np.array_equal(chunk.truth[:, :count, :6], chunk.agents[:, :, :6])
    off = np.hypot(*(chunk.truth[:, count, :2] - chunk.target[:, :2]).T)
    assert 1.5 < np.sqrt(np.mean(off**2)) < 5.0


def test_where_everything_is_perfect_there_is_one_truth():
    engine = Engine(scenario())
    assert engine._flight.truth is engine._flight.bodies
    assert engine._flight.record.truth.shape[0] == 0


def around(noise: dict[str, float]) -> Scenario:
    """Return a calm ring round a target that stands."""
    return scenario({
        'mobility': noise, 'run': {'sim_duration': 30.0},
        'target': {'target_motion_speed_xy': 0.0}, 'failure': {'failure_enable': False},
    })  # fmt: skip


def test_metrics_separations_and_paths_are_those_of_the_truth():
    flight = flown(around({'position_drift_xy': 3.0, 'drift_time': 1000.0}))
    chunk, count = flight.chunk, flight.chunk.agents.shape[1]
    for row, places in ((chunk.truth, chunk.truth[:, count]), (chunk.agents, chunk.target)):
        r = np.hypot(*(row[:, :count, :2] - places[:, np.newaxis, :2]).transpose(2, 0, 1))
        error = np.sqrt(np.mean((r / 20.0 - 1.0) ** 2, axis=1))
        same = np.allclose(error, chunk.metrics[:, 0], atol=1e-9)
        assert same == (row is chunk.truth)
    apart = chunk.truth[-1, :count, np.newaxis, :3] - chunk.truth[-1, np.newaxis, :count, :3]
    smallest = min(np.linalg.norm(apart[i, j]) for i in range(count) for j in range(i))
    assert chunk.separation[-1] == pytest.approx(smallest)
    assert math.isfinite(flight.seen.closest.distance)


def test_a_perfect_sensor_whose_commands_are_late_differs_by_the_delay_alone():
    """The law sees its vehicle exactly, but later: it measures what the truth is."""
    chunk = flown(scenario({'mobility': {'command_latency': 0.1}})).chunk
    assert np.array_equal(chunk.truth[:, :-2, :6], chunk.agents[:, :, :6])


def test_loop_and_engine_assume_the_same_wrong_lag():
    wrong = {'vehicles': {'assumed_lag_factor': 2.0}}
    assert_identical(scenario(wrong))
    right, mistaken = (by_engine(scenario(one)).chunk.agents for one in ({}, wrong))
    assert not np.array_equal(right, mistaken)
