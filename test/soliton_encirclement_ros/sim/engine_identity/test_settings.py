"""The engine against the plain loop: the same bits of everything, whatever is set.

What small values of usual parameters do is drawn in ``test_random.py``.
"""

import numpy as np
import pytest

from soliton_encirclement_ros.core.laws.filter_codes import NOBODY, NONE, SEPARATION
from soliton_encirclement_ros.core.parameters.control_parameters import LAYER_NAMES
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from support.identity import EVERY_LAW, INTERPRETED, Changes, assert_identical, in_turn, scenario
from support.ready import NO_HURRY, laws
from support.soon import ten_times_as_soon

__all__ = ['laws']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 20.0}
SPIN = {'target_swarm_spin_enable': True}
FAR = {'communication_transmission_range': 1e12}

CASES: dict[str, Changes] = {
    'as it is': {},
    'out for long': {'failure': {**OFTEN, 'failure_off_time': 2.8}},
    'checked rarely': {'failure': {**OFTEN, 'failure_check_period': 0.5}},
    'by chance within an outage': {'failure': {
        'failure_mean_failures_per_min': 60.0, 'failure_off_time': 2.8,
        'failure_schedule': '0..3: 4 5; 0.5..3.5: 1 2'}},
    'all out': {'failure': {'failure_schedule': '2..5: 1 2 3 4 5 6'}},
    'a bold adversary': {
        'adversary': {'adversary_roam_speed_xy': 12.0, 'adversary_min_target_distance': 5.0,
                      'adversary_roam_bound_xy': 10.0}, 'target': SPIN},
    'straight on': {'target': {
        'target_motion': 'constant', 'target_motion_heading_deg': 30.0,
        'target_motion_speed_xy': 9.0}},
    'a nervous target': {'target': {
        'target_motion_period': 0.01, 'target_motion_boundary_xy': 1.0}},
    'nothing to protect': {'target': {'protection_angle_deg': 0.0}, 'failure': OFTEN},
    'a base turn': {'target': {'target_swarm_omega_ref': 0.3}},
    'vehicles that cannot move': {'mobility': {'max_speed_xy': 0.0}},
    'ticks of no whole ns': {
        'swarm': {'control_period': 1 / 30}, 'mobility': {'update_rate': 1 / 60}},
    'endless patience': {'swarm': {
        'agent_state_timeout': 1e9, 'target_state_timeout': 1e9}, 'failure': OFTEN},
    'eight hops': {'control': {'ring_hops': 8}, 'run': {'num_agents': 12}},
    'a small ring': {'swarm': {'encirclement_radius': 3.0}, 'control': {'r_min': 5.0}},
    'on one another s places': {  # angles that are equal to the last bit: by number
        'run': {'init_angles_equidistant': True, 'init_radius_range': 0.0},
        'target': {'target_motion_speed_xy': 0.0}, 'swarm': {'encirclement_radius': 1e-12}},
    'a fence with a hole': {'safety': {
        'fence': '-30 -30, 30 -30, 30 24, 8 30, -30 24; 10 -3, 14 -3, 14 3', 'fence_margin': 1.0}},
    'a band of heights': {
        'safety': {'lowest_height': -1.0, 'highest_height': 3.0},
        'control': {'altitude_layers': 3, 'altitude_offset': 5.0}},
    'away from target and adversary': {
        'safety': {'target_distance': 16.0, 'adversary_distance': 30.0},
        'adversary': {'adversary_min_target_distance': 1.0, 'adversary_roam_bound_xy': 20.0}},
    'a filter without doubts': {'safety': {
        'clock_error': 0.0, 'silent_flight_time': 0.0, 'target_distance': 0.0,
        'adversary_distance': 0.0}, 'failure': OFTEN},
    'forty': {'run': {'num_agents': 40, 'sim_duration': 2.0}, 'failure': OFTEN},
    'so many that the ring is sorted anew': {
        'run': {'num_agents': 150, 'sim_duration': 0.3, 'init_radius_range': 1.0}},
}  # fmt: skip

REFUSED: dict[str, Changes] = {
    'an arc at times too wide': {
        'target': {'protection_angle_deg': 9e-7}, 'failure': {
            **OFTEN, 'failure_schedule': '0.5..5.5: 1 2 3'}},
    'a turn at times too fast': {'target': {
        'target_swarm_omega_ref': 1e12, 'target_swarm_spin_enable': True,
        'target_swarm_spin_law': 'v3', 'target_swarm_spin_rho_min': 0.2}},
    'a target beyond the moon': {
        'mobility': {'max_speed_xy': 1e9, 'max_acc_xy': 1e10}, 'radio': FAR,
        'target': {'target_motion': 'constant', 'target_motion_speed_xy': 4e8,
                   'target_motion_period': 0.3}},
    'an adversary that comes back from there': {
        'mobility': {'max_speed_xy': 1e9, 'max_acc_xy': 1e10}, 'radio': FAR,
        'adversary': {'adversary_roam_speed_xy': 1e9, 'adversary_roam_bound_xy': 3e9},
        'target': {'target_swarm_spin_enable': True, 'target_motion_speed_xy': 3e8,
                   'target_motion_boundary_xy': 1.5e9}},
    'a tiny ring': {
        'swarm': {'encirclement_radius': 1e-5}, 'control': {'r_min': 1e-12}},
    'wild gains, frozen words': {'control': {'k_e_tau': 1e12}, 'failure': OFTEN, 'radio': {
        'byzantine': '0.5..3: 1 frozen; 2..5: 2 frozen; 2..5: 2 offset 1 1; 0..: 3 frozen'}},
}  # fmt: skip
"""Members say what nobody believes."""

FLOWN = CASES | REFUSED


@pytest.mark.one_in(2)
@in_turn(FLOWN)
def test_every_setting_gives_the_same_bits(case, law):
    assert_identical(scenario(FLOWN[case], {'control': {'controller': law}}))


@EVERY_LAW
def test_every_law_gives_the_same_bits(law):
    """With neighbours that come and go and a target that turns the ring."""
    failing = {'failure': {**OFTEN, 'failure_schedule': '0..3: 4 5; 1..4: 1; 4.05..8: 1'}}
    changes = failing, {'target': SPIN}
    assert_identical(scenario(*changes, {'control': {'controller': law}}))


@pytest.mark.parametrize('layer', LAYER_NAMES)
def test_every_layer_gives_the_same_bits(layer):
    """With words that are lost, late and false; ``test_random.py`` has both compositions."""
    assert_identical(scenario({
        'propagation': {'propagation_method': layer, 'propagation_k_prop': 3.0},
        'control': {'controller': 'two_channel'},
        'radio': {'communication_failure_rate': 0.2, 'communication_jitter': 0.1,
                  'byzantine': '1..2: 1 frozen; 2..: 4 random 8'},
        'failure': {**OFTEN, 'failure_off_time': 0.3},
    }))  # fmt: skip


def test_a_law_without_layers_takes_no_notice():
    flies = {'control': {'controller': 'soliton'}}
    layered = {**flies, 'propagation': {'propagation_method': 'kdv'}}
    one, other = (assert_identical(scenario(each)).chunk.agents for each in (flies, layered))
    assert np.array_equal(one, other, equal_nan=True)


@pytest.mark.one_in(5)
@pytest.mark.parametrize('path', sorted(find_scenario('demo').parent.glob('*.yaml')),
                         ids=lambda path: path.stem)  # fmt: skip
def test_every_scenario_file_gives_the_same_bits(path):
    """Ten times as soon and at most 5 s long; of the crowd there is a part."""
    told = load_scenario(path)
    agents = min(told.run.num_agents, 20)
    short: Changes = {'run': {'sim_duration': 5.0, 'num_agents': agents}}
    assert_identical(told.with_changes(ten_times_as_soon(told) | short, 'test'))


def test_what_the_filter_does_is_recorded_alike():
    """On a narrow ring with failures, where it changes commands for several reasons."""
    flown = scenario({'swarm': {'encirclement_radius': 4.0}, 'failure': OFTEN})
    chunk = assert_identical(flown).chunk
    reason, pusher, change = chunk.agents[:, :, -3:].reshape(-1, 3).T
    assert set(reason) >= {NONE, SEPARATION}
    assert set(pusher) > {NOBODY}
    assert ((change > 0.0) <= (reason != NONE)).all()
    assert (change[chunk.agents[:, :, 6].ravel() != 0.0] == 0.0).all()
    assert (chunk.gossip[:, :, 0, 6] >= 0.0).any()


def test_near_misses_are_counted_alike():
    """On a narrow ring; with many agents there are too many to be counted."""
    narrow = {'swarm': {'encirclement_radius': 2.0}}
    found = assert_identical(scenario(CASES['out for long'], narrow), {}, INTERPRETED)
    assert min(found.seen.encounters) > 0
    crowd = {'run': {'num_agents': 160, 'sim_duration': 0.15}}
    assert assert_identical(scenario(narrow, crowd)).seen.encounters is None
