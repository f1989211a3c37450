"""The engine against the plain loop where agents estimate a target that broadcasts nothing."""

import numpy as np
import pytest

from soliton_encirclement_ros.controllers import recorded_names
from support.identity import INTERPRETED, Changes, assert_identical, in_turn, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

SOON = {'transient_time': 1.0}
UNSEEN: Changes = {'target_sensing': {'target_broadcasts': False}, 'run': SOON}
DEGHAT: Changes = {'target_sensing': {'target_broadcasts': False, 'estimator': 'deghat'}, 'run': SOON}
ESTIMATORS = pytest.mark.parametrize('estimator', [UNSEEN, DEGHAT], ids=['kalman', 'deghat'])
NOISE = {
    'position_noise_xy': 0.3, 'velocity_noise_xy': 0.1, 'odom_latency': 0.07,
    'command_latency': 0.12, 'dropouts_per_min': 30.0, 'dropout_time': 0.4,
}  # fmt: skip
OFTEN = {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 0.7}

CASES: dict[str, Changes] = {
    'over before the errors count': {'run': {'transient_time': 10.0}},
    'exact': {'target_sensing': {'bearing_noise_deg': 0.0, 'range_noise': 0.0}},
    'hardly anything': {'target_sensing': {'bearing_noise_deg': 60.0, 'bearing_rate': 1.0}},
    'narrow view': {'target_sensing': {'field_of_view_deg': 60.0, 'bearing_rate': 20.0}},
    'half are blind': {'target_sensing': {'blind_agents': '1 3 5'}, 'failure': OFTEN},
    'nothing in sight': {'target_sensing': {'sensor_range': 5.0}},
    'lost now and then': {
        'target_sensing': {'sensor_range': 20.5}, 'swarm': {'target_state_timeout': 0.2},
        'control': {'target_hold_time': 0.1}},
    'out for good': {'failure': {**OFTEN, 'failure_off_time': 8.0}},
    'a bad radio': {'failure': OFTEN, 'radio': {
        'communication_failure_rate': 0.4, 'communication_delay': 0.08,
        'communication_jitter': 0.1}},
    'a radio in two parts': {'radio': {'partitions': '1..3: 1 2 | 3 4'}},
    'a frozen and a false agent': {'radio': {'byzantine': '1..4: 2 frozen; 2..: 3 offset 5 -3'}},
    'noise, latency and wrong clocks': {'mobility': NOISE, 'failure': OFTEN, 'radio': {
        'clock_offset': 0.05, 'communication_jitter': 0.1}},
    'tilted': {'mobility': {'vehicle': 'quadrotor'}, 'run': {'sim_duration': 2.0},
               'target_sensing': {'field_of_view_deg': 120.0}},
    'right over the target': {
        'swarm': {'encirclement_radius': 0.5}, 'control': {'altitude_offset': 5.0},
        'target': {'target_motion_speed_xy': 0.0}, 'safety': {'separation_filter': False}},
    'slow ticks': {'swarm': {'control_period': 0.1}, 'mobility': {'update_rate': 0.02}},
}  # fmt: skip


@pytest.mark.one_in(3)
@in_turn(CASES)
@ESTIMATORS
def test_engine_and_loop_give_the_same_bits(case, law, estimator):
    assert_identical(scenario(estimator, {'control': {'controller': law}}, CASES[case]))


@ESTIMATORS
def test_an_agent_that_is_down_has_no_estimate_nor_afterwards_the_old_one(estimator):
    out = {'failure_enable': False, 'failure_schedule': '2..5: 1'}
    still = {'target_motion': 'constant', 'target_motion_speed_xy': 6.0}
    flown = scenario(estimator, {'failure': out, 'target': still, 'run': {'sim_duration': 7.0}})
    chunk = assert_identical(flown).chunk
    column = 16 + recorded_names(flown.control.controller, True, True).index('estimate_x')
    first, times = chunk.agents[:, 0, column : column + 7], chunk.times
    down = (times >= 2.0) & (times < 5.0)
    assert (first[down, 6] == -1.0).all()
    known = first[:, 6] >= 0.0
    off = np.hypot(*(first[known, :2] - chunk.target[known, :2]).T)
    assert off[times[known] > 5.0].max() < 5.0


@ESTIMATORS
def test_interpreted_too(estimator):
    assert_identical(scenario(estimator, {'run': {'sim_duration': 2.0}}), **INTERPRETED)
