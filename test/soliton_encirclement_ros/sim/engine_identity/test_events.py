"""The engine against the plain loop, bit by bit, in the original's order of events."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soliton_encirclement_ros.core.parameters.propagation_parameters import LAYER_NAMES
from soliton_encirclement_ros.core.parameters.target_parameters import SPIN_LAW_NAMES
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation import loaded_code
from support.identity import LAWS, Changes, assert_identical, scenario
from support.ready import NO_HURRY

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 30.0, 'failure_off_time': 0.7}
SPIN = {'target_swarm_spin_enable': True, 'protection_angle_deg': 200.0}
V1_PERIODS = {'control_period': 0.01, 'agent_state_timeout': 0.03, 'target_state_timeout': 0.05}

CASES: dict[str, Changes] = {
    'the defaults': {},
    'failures': {'failure': OFTEN, 'target': SPIN},
    'off the grid': {'failure': {**OFTEN, 'failure_off_time': 0.73}},
    'gone for a moment': {'failure': {**OFTEN, 'failure_off_time': 0.0}},
    'losses': {'radio': {'communication_failure_rate': 0.3}, 'target': SPIN},
    'a delay': {'radio': {'communication_delay': 0.013}, 'target': SPIN},
    'a long delay': {'radio': {'communication_delay': 0.4}, 'failure': OFTEN},
    'a short reach': {'radio': {'communication_transmission_range': 25.0}, 'failure': OFTEN},
    'the first periods': {'swarm': V1_PERIODS, 'failure': OFTEN},
    'no pruning': {'swarm': {'prune_expired_states': False}, 'failure': OFTEN, 'target': SPIN},
    'no adversary': {'adversary': {'adversary_enable': False}, 'target': SPIN},
    'straight on': {'target': {'target_motion': 'constant'}},
    'the successor s spin': {'target': {**SPIN, 'target_swarm_spin_law': 'v3'}},
    'the seed s spin': {'target': {**SPIN, 'target_swarm_spin_law': 'v1'}},
    'alone': {'run': {'num_agents': 1}, 'failure': OFTEN},
    'a pair': {'run': {'num_agents': 2}, 'failure': OFTEN},
    'thirty': {'run': {'num_agents': 30, 'sim_duration': 2.0}, 'failure': OFTEN},
    'another seed': {'run': {'seed': 2**53}},
}
BY_EVENTS: Changes = {'run': {'rng': REFERENCE, 'sim_duration': 4.0}}


@pytest.fixture(scope='module', autouse=True)
def laws() -> None:
    """Have them compiled for both orders."""
    get_ready([loaded_code.DEFAULT._replace(rng=REFERENCE)])


@pytest.mark.one_in(10)
@LAWS
@pytest.mark.parametrize('case', CASES)
def test_every_setting_gives_the_same_bits(case: str, law: str) -> None:
    """One at a time."""
    assert_identical(scenario(BY_EVENTS, CASES[case], {'control': {'controller': law}}))


@pytest.mark.one_in(9)
@pytest.mark.parametrize('layer', LAYER_NAMES)
@pytest.mark.parametrize('mode', ['sum', 'blend'])
def test_every_layer_gives_the_same_bits(layer: str, mode: str) -> None:
    """Neighbours may be at different ticks, which layers notice first."""
    assert_identical(scenario(BY_EVENTS, {
        'control': {'controller': 'two_channel', 'tangential_composition_mode': mode},
        'propagation': {'propagation_method': layer, 'propagation_k_prop': 2.0},
        'failure': OFTEN,
    }))  # fmt: skip


@pytest.mark.parametrize('lump', [1, 7])
def test_where_a_flight_is_cut_into_pieces_does_not_matter(lump: int) -> None:
    """Chunks end anywhere."""
    assert_identical(scenario(BY_EVENTS, {'failure': OFTEN}), lump=lump)


ROOMS = [(1, 0.0, 0.001), (4, 0.4, 0.001), (5, 0.03, 0.1), (3, 1.0, 0.05)]


@pytest.mark.parametrize(('agents', 'delay', 'check'), ROOMS)
def test_there_is_room_for_all_that_can_wait(agents: int, delay: float, check: float) -> None:
    """Agents fail at nearly every check and are back at once; words take long.

    Without a compiler an event too many is an IndexError.
    """
    assert_identical(scenario(BY_EVENTS, {
        'run': {'num_agents': agents, 'sim_duration': 1.5},
        'radio': {'communication_delay': delay},
        'failure': {'failure_mean_failures_per_min': 180.0 / check, 'failure_off_time': 0.0,
                    'failure_check_period': check},
    }), plain=True)  # fmt: skip


def some_of(*values: object) -> st.SearchStrategy:
    """Return a choice."""
    return st.sampled_from(values)


PARAMETERS = {
    'run': {'seed': st.integers(0, 99), 'init_radius_range': some_of(0.0, 0.1, 1.0),
            'num_agents': st.integers(1, 8), 'sim_duration': some_of(3.0)},
    'swarm': {'agent_state_timeout': some_of(0.03, 0.25, 1.0),
              'target_state_timeout': some_of(0.03, 0.5), 'prune_expired_states': st.booleans()},
    'control': {'controller': some_of('soliton', 'two_channel', 'soliton_v1'),
                'hysteresis_rad': some_of(0.0, 0.05, 0.5), 'target_hold_time': some_of(0.0, 2.0),
                'neighbour_hold_time': some_of(0.0, 1.0)},
    'propagation': {'propagation_method': st.sampled_from(LAYER_NAMES)},
    'mobility': {'update_rate': some_of(0.01, 0.05, 0.025)},
    'failure': {'failure_mean_failures_per_min': some_of(0.0, 20.0, 60.0),
                'failure_off_time': some_of(0.0, 0.3, 0.81), 'failure_enable': st.booleans(),
                'failure_check_period': some_of(0.03, 0.1)},
    'target': {'target_motion_speed_xy': some_of(0.0, 5.0), 'target_motion_period': some_of(
                   0.02, 0.33, 1.0), 'protection_angle_deg': some_of(90.0, 200.0, 360.0),
               'target_swarm_spin_enable': st.booleans(),
               'target_swarm_spin_law': st.sampled_from(SPIN_LAW_NAMES)},
    'radio': {'communication_transmission_range': some_of(25.0, 42.0, 200.0),
              'communication_delay': some_of(0.0, 0.0, 0.02, 0.13),
              'communication_failure_rate': some_of(0.0, 0.1, 0.5)},
}  # fmt: skip


@pytest.mark.nightly
@settings(max_examples=25)
@given(st.fixed_dictionaries({k: st.fixed_dictionaries(v) for k, v in PARAMETERS.items()}))
def test_any_scenario_gives_the_same_bits(changes: Changes) -> None:
    """Of those that the original could have flown."""
    assert_identical(scenario(BY_EVENTS, changes))
