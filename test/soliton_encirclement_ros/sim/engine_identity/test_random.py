"""The engine against the plain loop over scenarios that nobody thought of."""

from hypothesis import given, settings
from hypothesis import strategies as st
from soliton_encirclement_ros.core.parameters.propagation_parameters import LAYER_NAMES
from soliton_encirclement_ros.core.parameters.target_parameters import SPIN_LAW_NAMES
from support.identity import assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

DURATION = 3.0
MOST = 8
NOTHING = ''


def some_of(*values):
    return st.sampled_from(values)


PARAMETERS = {
    'run': {
        'seed': st.integers(0, 99), 'init_radius_range': some_of(0.0, 0.1, 1.0),
    },
    'swarm': {
        'agent_state_timeout': some_of(0.03, 0.1, 0.25, 1.0),
        'target_state_timeout': some_of(0.03, 0.5, 1.5), 'prune_expired_states': st.booleans(),
        'encirclement_radius': some_of(5.0, 20.0),
    },
    'control': {
        'controller': some_of('predictive', 'soliton', 'two_channel', 'soliton_v1'),
        'ring_hops': some_of(1, 4, 8), 'target_hold_time': some_of(0.0, 0.3, 2.0),
        'neighbour_hold_time': some_of(0.0, 1.0, 3.0), 'hysteresis_rad': some_of(0.0, 0.05, 0.5),
        'tangential_composition_mode': some_of('sum', 'blend'),
    },
    'propagation': {'propagation_method': st.sampled_from(LAYER_NAMES)},
    'failure': {
        'failure_mean_failures_per_min': some_of(0.0, 20.0, 60.0),
        'failure_off_time': some_of(0.0, 0.3, 0.8, 3.5),
        'failure_check_period': some_of(0.03, 0.1),
    },
    'target': {
        'target_motion_speed_xy': some_of(0.0, 5.0, 9.0),
        'target_motion_period': some_of(0.02, 0.33, 1.0),
        'protection_angle_deg': some_of(90.0, 200.0, 360.0),
        'target_swarm_spin_enable': st.booleans(),
        'target_swarm_spin_law': st.sampled_from(SPIN_LAW_NAMES),
        'edge_weight_always_fresh': st.booleans(),
    },
    'radio': {
        'communication_transmission_range': some_of(25.0, 42.0, 60.0, 200.0, 200.0),
        'communication_delay': some_of(0.0, 0.0, 0.02, 0.13, 0.4),
        'communication_jitter': some_of(0.0, 0.0, 0.03, 0.2),
        'communication_failure_rate': some_of(0.0, 0.0, 0.1, 0.5),
    },
}  # fmt: skip


@st.composite
def windows(draw):
    begin = draw(st.integers(0, 50)) / 20
    length = draw(some_of(0.05, 0.2, 1.0, 3.0))
    return f'{begin}..{round(begin + length, 2)}'


@st.composite
def schedules(draw, said):
    times = draw(st.lists(windows(), max_size=3))
    return '; '.join(f'{time}: {draw(said)}' for time in times) or NOTHING


@st.composite
def scenarios(draw):
    agents = draw(st.integers(1, MOST))
    uavs = [str(k) for k in range(1, agents + 1)]
    members = [*uavs, 'target', 'adversary']
    kinds = some_of('frozen', 'offset 5 -3', 'random 8', 'nan')
    lies = st.tuples(st.sampled_from(members), kinds).map(' '.join)
    parts = st.lists(st.sampled_from(members), min_size=1, unique=True).map(' '.join)
    outages = st.lists(st.sampled_from(uavs), min_size=1, max_size=2, unique=True).map(' '.join)
    changes = {
        section: {name: draw(values) for name, values in fields.items()}
        for section, fields in PARAMETERS.items()
    }
    changes['run'].update(num_agents=agents, sim_duration=DURATION)
    changes['failure']['failure_schedule'] = draw(schedules(outages))
    changes['radio']['partitions'] = draw(schedules(parts))
    changes['radio']['byzantine'] = draw(schedules(lies))
    return scenario(changes)


@settings(max_examples=60)
@given(scenarios())
def test_any_scenario_gives_the_same_bits(flown):
    assert_identical(flown)
