"""The engine against the plain loop where members say what nobody believes."""

import pytest
from soliton_encirclement_ros.sim.schedules import needs_links
from support.identity import LAWS, Changes, assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 20.0}
FAR = {'communication_transmission_range': 1e12}
FROZEN = '0.5..3: 1 frozen; 2..5: 2 frozen; 2..5: 2 offset 1 1; 0..: 3 frozen'

CASES: dict[str, Changes] = {
    'an arc too wide': {'target': {'protection_angle_deg': 1e-6}, 'failure': OFTEN},
    'an arc at times too wide': {
        'target': {'protection_angle_deg': 9e-7}, 'failure': {
            **OFTEN, 'failure_schedule': '0.5..5.5: 1 2 3'}},
    'a turn too fast': {'target': {'target_swarm_omega_ref': 1e12}},
    'a turn at times too fast': {'target': {
        'target_swarm_omega_ref': 1e12, 'target_swarm_spin_enable': True,
        'target_swarm_spin_law': 'v3', 'target_swarm_spin_rho_min': 0.2}},
    'a jerky turn': {'target': {
        'target_swarm_spin_enable': True, 'target_swarm_spin_law': 'v1',
        'target_swarm_omega_pd_max_abs': 1e12, 'target_swarm_omega_pd_kp': 3e9}},
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
    'wild gains': {'control': {'k_e_tau': 1e12, 'k_s': 1e3}, 'failure': OFTEN},
    'wild gains, frozen words': {
        'control': {'k_e_tau': 1e12}, 'radio': {'byzantine': FROZEN}, 'failure': OFTEN},
}  # fmt: skip


@pytest.mark.one_in(3)
@LAWS
@pytest.mark.parametrize('case', CASES)
def test_words_that_are_refused_give_the_same_bits(case, law):
    assert_identical(scenario(CASES[case], {'control': {'controller': law}}))


@LAWS
def test_links_are_kept_for_them(law):
    """Agents count what they missed."""
    calm, flies = {'failure_enable': False}, {'controller': law}
    wide = scenario({'target': {'protection_angle_deg': 1e-6}, 'failure': calm, 'control': flies})
    assert needs_links(wide)
    assert not needs_links(scenario({'failure': calm, 'control': flies}))
