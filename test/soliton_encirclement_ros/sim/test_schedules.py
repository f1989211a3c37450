"""What is known before a flight: whether it needs links, and that there is room for them.

Draws and windows are those of the plain loop (``engine_identity/``).
"""

import pytest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.link_separation import layers
from soliton_encirclement_ros.sim.schedules import may_be_refused, needs_links
from support.identity import scenario

CALM = {'failure': {'failure_enable': False}}


LINKED = {
    'a short outage by chance': {'failure': {'failure_off_time': 2.6}},
    'a short outage by schedule': {
        'failure': {'failure_enable': False, 'failure_schedule': '1..2: 1; 3..: 2'}},
    'much patience': {'swarm': {'agent_state_timeout': 9.0}},
    'a long hold': {'control': {'target_hold_time': 9.0}},
    'one event after the other': {'run': {'rng': 'reference'}},
    'delay': {'radio': {'communication_delay': 0.01}},
    'jitter': {'radio': {'communication_jitter': 0.01}},
    'loss': {'radio': {'communication_failure_rate': 0.01}},
    'a partition': {'radio': {'partitions': '1..2: 1'}},
    'a byzantine': {'radio': {'byzantine': '1..2: 1 nan'}},
}  # fmt: skip
ALIKE = {
    'the defaults': {},
    'nobody fails': {**CALM, 'swarm': {'agent_state_timeout': 9.0}},
    'by chance never': {'failure': {
        'failure_mean_failures_per_min': 0.0, 'failure_off_time': 0.1}},
    'long outages': {'failure': {'failure_schedule': '1..9: 1', 'failure_off_time': 2.7}},
    'a small reach': {'radio': {'communication_transmission_range': 5.0}},
}  # fmt: skip


@pytest.mark.parametrize('case', LINKED)
def test_links_are_needed_from_the_start(case):
    assert needs_links(scenario(LINKED[case]))


@pytest.mark.parametrize('case', ALIKE)
def test_all_hear_alike_at_first(case):
    assert not needs_links(scenario(ALIKE[case]))


REFUSED = {
    'a fast body': {'mobility': {'max_speed_xy': 1e9}},
    'a fast climber': {'mobility': {'max_speed_z': 1e9}},
    'a long way': {'mobility': {'max_speed_xy': 2e8}},
    'a wide ring': {'swarm': {'encirclement_radius': 6e8}},
    'a turn at the centre': {'control': {'r_min': 1e-9}},
    'a base turn': {'target': {'target_swarm_omega_ref': -2e9}},
    'a fast turn': {'target': {'target_swarm_omega_pd_max_abs': 2e9}},
    'a wide arc': {'target': {'protection_angle_deg': 1e-7}},
}


@pytest.mark.parametrize('case', REFUSED)
def test_words_that_nobody_may_believe_need_links(case):
    assert not may_be_refused(scenario()) and not needs_links(scenario(CALM))
    assert may_be_refused(scenario(REFUSED[case])) and needs_links(scenario(CALM, REFUSED[case]))


def test_too_many_links_are_refused_with_their_size():
    lossy = {'radio': {'communication_failure_rate': 0.1}}
    crowd = scenario({'run': {'num_agents': 30_000, 'sim_duration': 0.05}, **lossy})
    with pytest.raises(RunError) as refused:
        Engine(crowd)
    assert str(refused.value) == (
        'run.num_agents = 30000: receivers differ, which takes 18 GB for the links, at most 8; '
        'fly fewer agents or widen the radio'
    )


def test_a_crowd_that_hears_alike_needs_no_links():
    crowd = scenario(CALM, {'run': {'num_agents': 30_000, 'sim_duration': 0.05}})
    assert Engine(crowd)._flight.links.numbers.nbytes < 100


def test_words_are_kept_as_long_as_anybody_counts_with_them():
    assert layers(scenario()) == 64
    assert layers(scenario({'swarm': {'agent_state_timeout': 3.0}})) == 64
    assert layers(scenario({'control': {'neighbour_hold_time': 4.0}})) == 128
    late = {'communication_delay': 1.0, 'communication_jitter': 0.5}
    assert layers(scenario({'radio': late})) == 128
    assert layers(scenario({'run': {'sim_duration': 1.0}})) == 32
