"""Parameters that make no sense together, and how far the members of a scenario may come apart."""

import math

import pytest

from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.scenario.contradictions import radio_warnings, timeout_warnings
from soliton_encirclement_ros.core.scenario.placement import largest_distance
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.plain_loop import SwarmLoop


@pytest.mark.parametrize(
    ('name', 'who'), [('agent_state_timeout', 'agents'), ('target_state_timeout', 'the target')]
)
def test_a_timeout_below_a_tick_is_named(name, who):
    (line,) = timeout_warnings(SwarmParameters(**{name: 0.01}))
    assert line.startswith(f'swarm.{name} = 0.01 s is below swarm.control_period = 0.05 s: {who} ')
    assert timeout_warnings(SwarmParameters(**{name: 0.05})) == []


@pytest.mark.parametrize(
    ('agents', 'radio_range', 'words'),
    [
        (10, 20.0, []),
        (10, 19.9, ['cannot receive the target']),
        (10, 12.0, ['cannot receive the target', 'the 12.36 m between neighbours of 10 agents']),
        (3, 30.0, ['below the 34.64 m between neighbours of 3 agents']),
        (1, 20.0, []),
    ],
)
def test_a_radio_that_does_not_span_the_ring_is_named(agents, radio_range, words):
    radio = {'communication_transmission_range': radio_range}
    found = radio_warnings(changed(run={'num_agents': agents}, radio=radio))
    assert len(found) == len(words)
    assert all(word in line for word, line in zip(words, found, strict=True))


def test_a_scenario_warns_of_both():
    changes = {
        'swarm': {'agent_state_timeout': 0.01},
        'radio': {'communication_transmission_range': 5.0},
    }
    found = Scenario().with_changes(changes, 'test').warnings
    assert [line.split(' =')[0] for line in found] == [
        'swarm.agent_state_timeout', *['radio.communication_transmission_range'] * 2,
    ]  # fmt: skip


@pytest.mark.parametrize(('bound', 'keep', 'count'), [(40.0, 56.5, 0), (40.0, 57.0, 1)])
def test_an_adversary_whose_box_has_no_place_is_named(bound, keep, count):
    changes = {'adversary_roam_bound_xy': bound, 'adversary_min_target_distance': keep}
    found = Scenario().with_changes({'adversary': changes}, 'test').warnings
    assert len(found) == count
    assert all(line.startswith('adversary.adversary_min_target_distance = 57 m') for line in found)
    assert Scenario().with_changes(
        {'adversary': {**changes, 'adversary_enable': False}}, 'test'
    ).warnings == []  # fmt: skip


@pytest.mark.parametrize(
    ('changes', 'line'),
    [
        ({'radio': {'communication_delay': 60.0}, 'run': {'sim_duration': 10.0}},
         'radio.communication_delay = 60 s: no message arrives before the run ends'),
        ({'target': {'target_swarm_spin_enable': True, 'target_swarm_omega_ref': -0.3,
                     'target_swarm_omega_pd_max_abs': 0.1}},
         'target.target_swarm_omega_ref = -0.3 rad/s is limited to target.target_swarm_omega_pd'),
        ({'target': {'target_swarm_omega_ref': 5.0}},
         'target.target_swarm_omega_ref = 5 rad/s: agents on the ring would fly 100 m/s, above'),
        ({'adversary': {'adversary_roam_speed_xy': 11.0}},
         'adversary.adversary_roam_speed_xy = 11 m/s: its vehicle flies at most 10 m/s'),
        ({'mobility': {'max_speed_z': 0.0}, 'control': {'altitude_offset': 5.0}},
         'mobility.max_speed_z = 0.0: vehicles cannot reach the heights'),
        ({'mobility': {'max_acc_z': 0.0}, 'control': {'altitude_layers': 2}},
         'mobility.max_acc_z = 0.0: vehicles cannot reach the heights'),
        ({'control': {'r_min': 25.0}},
         'control.r_min = 25 m is above swarm.encirclement_radius = 20 m'),
    ],
)  # fmt: skip
def test_what_a_ring_cannot_do_is_named(changes, line):
    found = Scenario().with_changes(changes, 'test').warnings
    assert any(one.startswith(line) for one in found), found


def changed(**sections: dict) -> Scenario:
    return Scenario().with_changes(sections, 'test')


def test_the_default_scenario_fits_into_the_default_range() -> None:
    flight = Scenario()
    assert largest_distance(flight) < flight.radio.communication_transmission_range


@pytest.mark.parametrize(
    'sections',
    [
        {'swarm': {'encirclement_radius': 60.0}},
        {'target': {'target_motion_boundary_xy': 60.0}},
        {'adversary': {'adversary_roam_bound_xy': 100.0}},
        {'target': {'target_motion': 'constant'}},
    ],
)
def test_larger_scenarios_do_not(sections: dict) -> None:
    assert largest_distance(changed(**sections)) > 200.0


@pytest.mark.one_in(2)
@pytest.mark.parametrize('seed', [1, 2])
def test_nobody_ever_goes_farther(seed: int) -> None:
    flight = changed(run={'seed': seed, 'sim_duration': 60.0})
    loop, bound = SwarmLoop(flight), largest_distance(flight)
    farthest = 0.0
    for _ in range(flight.ticks):
        loop.tick()
        places = list(loop.world.positions.values())
        farthest = max(farthest, *(math.dist(p, places[-1]) for p in places),
                       *(math.dist(p, places[0]) for p in places))  # fmt: skip
    assert 20.0 < farthest < bound
