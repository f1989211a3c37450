"""The engine against the plain loop: the same bits of everything, whatever is set."""

import pytest
from soliton_encirclement_ros.safety.codes import NOBODY, NONE, SEPARATION
from support.engine_flights import flown
from support.identity import EVERY_LAW, LAWS, Changes, assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 20.0}
SPIN = {'target_swarm_spin_enable': True}

CASES: dict[str, Changes] = {
    'as it is': {},
    'nobody fails': {'failure': {'failure_enable': False}},
    'out for long': {'failure': {**OFTEN, 'failure_off_time': 2.8}},
    'out for good': {'failure': {**OFTEN, 'failure_off_time': 8.0}},
    'out for two seconds': {'failure': {**OFTEN, 'failure_off_time': 2.0}},
    'out for a moment': {'failure': {**OFTEN, 'failure_off_time': 0.3}},
    'out for no time': {'failure': {**OFTEN, 'failure_off_time': 0.0}},
    'checked oftener than flown': {
        'failure': {**OFTEN, 'failure_off_time': 2.8, 'failure_check_period': 0.03}},
    'checked rarely': {'failure': {**OFTEN, 'failure_check_period': 0.5}},
    'out for a tick': {'failure': {
        'failure_enable': False, 'failure_schedule': '1..1.05: 1; 2..2.05: 2 3; 2.05..2.1: 4'}},
    'late joiners': {'failure': {
        'failure_enable': False, 'failure_schedule': '0..3: 4 5; 1..4: 1; 4.5..: 2'}},
    'by chance and by schedule': {'failure': {
        **OFTEN, 'failure_schedule': '0..3: 4 5; 1..4: 1; 4.05..8: 1'}},
    'by chance within an outage': {'failure': {
        'failure_mean_failures_per_min': 60.0, 'failure_off_time': 2.8,
        'failure_schedule': '0..3: 4 5; 0.5..3.5: 1 2'}},
    'all out': {'failure': {'failure_schedule': '2..5: 1 2 3 4 5 6'}},
    'no adversary': {'adversary': {'adversary_enable': False}, 'target': SPIN},
    'a bold adversary': {
        'adversary': {'adversary_roam_speed_xy': 12.0, 'adversary_min_target_distance': 5.0,
                      'adversary_roam_bound_xy': 10.0}, 'target': SPIN},
    'straight on': {'target': {
        'target_motion': 'constant', 'target_motion_heading_deg': 30.0,
        'target_motion_speed_xy': 9.0}},
    'a nervous target': {'target': {
        'target_motion_period': 0.01, 'target_motion_boundary_xy': 1.0}},
    'spin v1': {'target': {
        **SPIN, 'target_swarm_spin_law': 'v1', 'protection_angle_deg': 200.0}, 'failure': OFTEN},
    'spin v3': {'target': {
        **SPIN, 'target_swarm_spin_law': 'v3', 'protection_angle_deg': 90.0,
        'edge_weight_always_fresh': False}, 'failure': OFTEN},
    'spin filtered': {'target': {**SPIN, 'protection_angle_deg': 355.0}, 'failure': OFTEN},
    'nothing to protect': {'target': {'protection_angle_deg': 0.0}, 'failure': OFTEN},
    'a base turn': {'target': {'target_swarm_omega_ref': 0.3}},
    'no lag': {'mobility': {'tau_xy': None, 'tau_z': None}},
    'second order': {'mobility': {
        'vehicle': 'second_order', 'tau_xy': 0.4, 'acceleration_tau_xy': 0.2}},
    'vehicles that cannot accelerate': {'mobility': {'max_acc_xy': 0.0, 'max_acc_z': 0.0}},
    'vehicles that cannot move': {'mobility': {'max_speed_xy': 0.0}},
    'fast ticks': {'swarm': {'control_period': 0.02}, 'run': {'sim_duration': 3.0}},
    'slow ticks': {'swarm': {'control_period': 0.1}, 'mobility': {'update_rate': 0.02}},
    'ticks of no whole ns': {
        'swarm': {'control_period': 1 / 30}, 'mobility': {'update_rate': 1 / 60}},
    'no patience': {'swarm': {
        'agent_state_timeout': 0.03, 'target_state_timeout': 0.03}, 'failure': OFTEN},
    'a tick of patience': {'swarm': {
        'agent_state_timeout': 0.05, 'target_state_timeout': 0.05}, 'failure': OFTEN},
    'much patience': {'swarm': {
        'agent_state_timeout': 2.0, 'target_state_timeout': 2.0}, 'failure': OFTEN},
    'endless patience': {'swarm': {
        'agent_state_timeout': 1e9, 'target_state_timeout': 1e9}, 'failure': OFTEN},
    'no pruning': {'swarm': {'prune_expired_states': False}, 'target': SPIN, 'failure': OFTEN},
    'numbers of the original': {'run': {'rng': 'reference'}, 'target': SPIN, 'failure': OFTEN},
    'one hop': {'control': {'ring_hops': 1}},
    'eight hops': {'control': {'ring_hops': 8}, 'run': {'num_agents': 12}},
    'layers of height': {'control': {'altitude_layers': 3, 'altitude_offset': 5.0}},
    'no holding on': {'control': {
        'target_hold_time': 0.0, 'neighbour_hold_time': 0.0, 'target_acc_filter': 0.0},
        'failure': {**OFTEN, 'failure_off_time': 1.0}},
    'soft limiter': {'control': {'use_soft_limiter_u': True}},
    'wide hysteresis': {'control': {'hysteresis_rad': 0.6}, 'failure': OFTEN},
    'a small ring': {'swarm': {'encirclement_radius': 3.0}, 'control': {'r_min': 5.0}},
    'from anywhere': {'run': {'init_radius_range': 1.0}},
    'nothing keeps them apart': {'safety': {'separation_filter': False}, 'failure': OFTEN},
    'far apart': {
        'safety': {'separation_distance': 8.0, 'separation_rate': 5.0}, 'failure': OFTEN},
    'a fence with a hole': {'safety': {
        'fence': '-30 -30, 30 -30, 30 24, 8 30, -30 24; 10 -3, 14 -3, 14 3', 'fence_margin': 1.0}},
    'a band of heights': {
        'safety': {'lowest_height': -1.0, 'highest_height': 3.0},
        'control': {'altitude_layers': 3, 'altitude_offset': 5.0}},
    'away from target and adversary': {
        'safety': {'target_distance': 16.0, 'adversary_distance': 30.0},
        'adversary': {'adversary_min_target_distance': 1.0, 'adversary_roam_bound_xy': 20.0}},
    'a filter without doubts': {'safety': {
        'clock_error': 0.0, 'silent_run_on': 0.0, 'target_distance': 0.0,
        'adversary_distance': 0.0}, 'failure': OFTEN},
    'alone': {'run': {'num_agents': 1}, 'failure': OFTEN, 'target': SPIN},
    'a pair': {'run': {'num_agents': 2}, 'failure': OFTEN, 'target': SPIN},
    'three': {'run': {'num_agents': 3}, 'failure': OFTEN, 'target': SPIN},
    'forty': {'run': {'num_agents': 40, 'sim_duration': 2.0}, 'failure': OFTEN},
}  # fmt: skip


@pytest.mark.one_in(16)
@LAWS
@pytest.mark.parametrize('case', CASES)
def test_every_setting_gives_the_same_bits(case, law):
    assert_identical(scenario(CASES[case], {'control': {'controller': law}}))


@EVERY_LAW
def test_every_law_gives_the_same_bits(law):
    """With neighbours that come and go and a target that turns the ring."""
    changes = CASES['by chance and by schedule'], {'target': SPIN}
    assert_identical(scenario(*changes, {'control': {'controller': law}}))


@LAWS
def test_what_the_filter_does_is_recorded_alike(law):
    """On a narrow ring with failures, where it changes commands for several reasons."""
    flown = scenario(
        {'swarm': {'encirclement_radius': 4.0}, 'failure': OFTEN},
        {'control': {'controller': law}},
    )
    chunk = assert_identical(flown).chunk
    reason, pusher, change = chunk.agents[:, :, -3:].reshape(-1, 3).T
    assert set(reason) >= {NONE, SEPARATION}
    assert set(pusher) > {NOBODY}
    assert ((change > 0.0) <= (reason != NONE)).all()
    assert (change[chunk.agents[:, :, 6].ravel() != 0.0] == 0.0).all()
    assert (chunk.told[:, :, 0, 6] >= 0.0).any()


@LAWS
def test_agents_on_one_another_s_places_have_an_order(law):
    """Angles that are equal to the last bit: the order is by number."""
    even = {'num_agents': 6, 'init_angles_equidistant': True, 'init_radius_range': 0.0}
    still = {'target_motion_speed_xy': 0.0}
    for radius in (20.0, 1e-12):
        assert_identical(scenario(
            {'run': even, 'target': still, 'swarm': {'encirclement_radius': radius}},
            {'control': {'controller': law}},
        ))  # fmt: skip


@pytest.mark.one_in(8)
@LAWS
def test_many_agents_are_sorted_anew_and_find_their_order(law):
    """So many that what is nearly sorted and what is not take different ways."""
    many = {'num_agents': 150, 'sim_duration': 0.3, 'init_radius_range': 1.0}
    assert_identical(scenario({'run': many, 'control': {'controller': law}}))


@LAWS
def test_near_misses_are_counted_alike(law):
    """On a narrow ring; with many agents there are too many to be counted."""
    narrow = {'swarm': {'encirclement_radius': 2.0}, 'control': {'controller': law}}
    found = assert_identical(scenario(CASES['out for long'], narrow), {}, {'plain': True})
    assert min(found.seen.encounters) > 0
    crowd = {'run': {'num_agents': 160, 'sim_duration': 0.15}}
    assert assert_identical(scenario(narrow, crowd)).seen.encounters is None


@LAWS
def test_agents_that_start_elsewhere_fly_the_same(law, closed_loop):
    """For the tests that place agents by hand, and fly by the engine."""
    places = [(20.0 + k, -3.0 * k, 0.5 * k) for k in range(6)]
    elsewhere = scenario({'control': {'controller': law}})
    loop = closed_loop(elsewhere, places)
    loop.fly()
    found = flown(elsewhere, lambda k: (places[k - 1], (0.0, 0.0, 0.0)))
    assert found.seen.series == loop.observer.series
