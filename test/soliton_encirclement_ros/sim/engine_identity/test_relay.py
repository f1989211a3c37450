"""The engine against the plain loop where agents pass on reports of the target."""

import pytest

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import INTERPRETED, Changes, assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

SHORT: Changes = {
    'control': {'controller': 'predictive'},
    'radio': {'communication_transmission_range': 15.0},
    'run': {'num_agents': 10},
}
"""Nobody on a ring of 20 m hears its target; its neighbours are within reach."""

AWAY: Changes = {
    'swarm': {'encirclement_radius': 20.0}, 'run': {'sim_duration': 10.0},
    'target': {'target_motion': 'constant', 'target_motion_speed_xy': 4.0},
}  # fmt: skip
"""The target runs into one side of its ring, whose agents tell the others."""

LOSS, DELAY = {'communication_failure_rate': 0.4}, {'communication_delay': 0.08}
JITTER, CLOCKS = {'communication_jitter': 0.1}, {'clock_offset': 0.05}
OFTEN = {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 0.7}
NOISE = {
    'position_noise_xy': 0.3, 'velocity_noise_xy': 0.1, 'odom_latency': 0.07,
    'command_latency': 0.12, 'dropouts_per_min': 30.0, 'dropout_time': 0.4,
}  # fmt: skip

CASES: dict[str, Changes] = {
    'a short radio': {},
    'loss, delay and jitter': {'radio': {**LOSS, **DELAY, **JITTER}},
    'wrong clocks': {'radio': {**CLOCKS, **JITTER, **LOSS}},
    'very wrong clocks': {'radio': {'clock_offset': 0.4}},
    'out for long': {'failure': {**OFTEN, 'failure_off_time': 8.0}},
    'noise and latency': {'mobility': NOISE, 'failure': OFTEN, 'radio': LOSS},
    'weights of the arcs, a turn, failures': {
        'target': {'protection_angle_deg': 60.0, 'target_swarm_omega_ref': 0.2},
        'failure': OFTEN, 'radio': {**LOSS, **DELAY}},
    'soon lost': {'swarm': {'target_state_timeout': 0.2}, 'control': {'target_hold_time': 0.1},
                  'radio': {**LOSS, **DELAY}},
    'cut off for a while': {'radio': {**LOSS, 'partitions': '2..6: 1 2 3 | 4 5'}},
    'a frozen and a false agent': {'radio': {
        **LOSS, 'byzantine': '1..4: 2 frozen; 2..: 3 offset 5 -3; 1..5: 4 nan'}},
    'no pruning': {'swarm': {'prune_expired_states': False}, 'failure': OFTEN, 'radio': LOSS},
    'alone': {'run': {'num_agents': 1}},
    'switched off': {'control': {'target_relay': False}, 'radio': LOSS},
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize('case', CASES)
def test_engine_and_loop_give_the_same_bits(case):
    """Of flights in which reports are taken; ``test_events.py`` has one event by event."""
    flown = scenario(SHORT, AWAY, CASES[case])
    assert taken(flown) is (case not in ('alone', 'switched off'))
    assert_identical(flown)


@pytest.mark.parametrize('reach', [30.0, 60.0])
def test_also_where_reception_is_shared_for_a_while(reach):
    radio = {'communication_transmission_range': reach}
    out = {'failure_enable': False, 'failure_schedule': '1..7: 2; 3..: 5'}
    assert_identical(scenario(SHORT, AWAY, {'radio': radio, 'failure': out}))


def test_interpreted_too():
    brief: Changes = {'run': {'sim_duration': 5.0}, 'radio': {**LOSS, **DELAY}}
    assert_identical(scenario(SHORT, AWAY, brief), **INTERPRETED)


@pytest.mark.parametrize('law', CONTROLLER_NAMES)
def test_the_switch_matters_to_laws_that_relay_alone(law):
    both = [
        taken(scenario(SHORT, AWAY, {'control': {'controller': law, 'target_relay': relay}}))
        for relay in (True, False)
    ]
    relays = kind_of(law).law_with('baseline').relays_target
    assert both == [relays, False]
    assert relays == (law == 'predictive')


def test_who_hears_the_target_takes_nothing():
    assert not taken(scenario(SHORT, {'radio': {
        'communication_transmission_range': 100.0, 'communication_delay': 0.1}}))  # fmt: skip


def taken(flown):
    """Return whether an agent took a report from another one."""
    engine = Engine(flown)
    assert engine.fly()
    return any(report.relayed for report in engine._flight.reports)
