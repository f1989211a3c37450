"""The engine against the plain loop over scenarios that nobody thought of."""

from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.core.parameters.control_parameters import LAYER_NAMES
from soliton_encirclement_ros.core.parameters.target_parameters import SPIN_LAW_NAMES
from support.identity import BY_EVENTS, assert_identical, by_events, scenario
from support.ready import NO_HURRY, laws

__all__ = ['by_events', 'laws']

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
        'encirclement_radius': some_of(5.0, 20.0), 'control_period': some_of(0.05, 0.05, 0.1),
    },
    'control': {
        'controller': some_of('predictive', 'soliton', 'two_channel', 'soliton_v1'),
        'ring_hops': some_of(1, 4, 8), 'target_hold_time': some_of(0.0, 0.3, 2.0),
        'neighbour_hold_time': some_of(0.0, 1.0, 3.0), 'hysteresis_rad': some_of(0.0, 0.05, 0.5),
        'tangential_composition_mode': some_of('sum', 'blend'),
        'altitude_layers': some_of(1, 3), 'use_soft_limiter_u': st.booleans(),
        'target_relay': st.booleans(),
    },
    'propagation': {'propagation_method': st.sampled_from(LAYER_NAMES)},
    'failure': {
        'failure_mean_failures_per_min': some_of(0.0, 20.0, 60.0),
        'failure_off_time': some_of(0.0, 0.3, 0.8, 3.5),
        'failure_check_period': some_of(0.03, 0.1),
    },
    'target': {
        'target_motion': some_of('random', 'random', 'constant'),
        'target_motion_speed_xy': some_of(0.0, 5.0, 9.0),
        'target_motion_period': some_of(0.02, 0.33, 1.0),
        'protection_angle_deg': some_of(90.0, 200.0, 360.0),
        'target_swarm_spin_enable': st.booleans(),
        'target_swarm_spin_law': st.sampled_from(SPIN_LAW_NAMES),
        'edge_weight_always_fresh': st.booleans(),
    },
    'adversary': {
        'adversary_enable': some_of(True, True, False),
        'adversary_roam_speed_xy': some_of(4.0, 12.0),
        'adversary_min_target_distance': some_of(5.0, 30.0),
    },
    'radio': {
        'communication_transmission_range': some_of(15.0, 25.0, 42.0, 60.0, 200.0, 200.0),
        'communication_delay': some_of(0.0, 0.0, 0.02, 0.1, 0.13, 0.4),
        'communication_jitter': some_of(0.0, 0.0, 0.03, 0.2),
        'communication_failure_rate': some_of(0.0, 0.0, 0.1, 0.5),
        'clock_offset': some_of(0.0, 0.0, 0.0, 0.05),
    },
    'safety': {
        'separation_filter': some_of(True, True, False), 'separation_rate': some_of(4.0, 5.0),
        'separation_distance': some_of(2.0, 8.0), 'target_distance': some_of(0.0, 2.0, 16.0),
    },
}  # fmt: skip

NOISE = {'position_noise_xy': 0.3, 'position_noise_z': 0.2, 'velocity_noise_xy': 0.1,
         'position_drift_xy': 0.5, 'dropouts_per_min': 30.0, 'dropout_time': 0.4}  # fmt: skip
LATE = {'odom_latency': 0.07, 'command_latency': 0.12}
BODIES = some_of({}, {}, {'tau_xy': None, 'tau_z': None}, {'update_rate': 0.025, 'tau_xy': 0.2},
                 {'vehicle': 'second_order', 'acceleration_tau_xy': 0.2},
                 {'max_acc_xy': 0.0, 'max_acc_z': 0.0})  # fmt: skip
SENSING = some_of({}, {}, {}, NOISE, LATE, {**NOISE, **LATE})
TARGET_SENSING = some_of({'estimator': 'kalman', 'range_noise': 1.0, 'blind_agents': '1'},
                {'estimator': 'kalman', 'field_of_view_deg': 60.0, 'sensor_range': 20.5},
                {'estimator': 'deghat', 'ring_omega_ref': 0.3})  # fmt: skip


@st.composite
def windows(draw):
    begin = draw(st.integers(0, 50)) / 20
    length = draw(some_of(0.05, 0.2, 1.0, 3.0))
    return f'{begin}..{round(begin + length, 2)}'


@st.composite
def schedules(draw, said):
    times = draw(st.lists(windows(), max_size=3))
    return '; '.join(f'{time}: {draw(said)}' for time in times) or NOTHING


def drawn(draw):
    """Return values of all parameters that every flight may have."""
    changes = {
        section: {name: draw(values) for name, values in fields.items()}
        for section, fields in PARAMETERS.items()
    }
    agents = draw(st.integers(1, MOST))
    changes['run'].update(num_agents=agents, sim_duration=DURATION)
    return changes, [str(k) for k in range(1, agents + 1)]


@st.composite
def scenarios(draw, unseen):
    """Return a scenario in which agents hear their target, or see it and estimate its state."""
    changes, uavs = drawn(draw)
    members = [*uavs, 'target', *(['adversary'] * changes['adversary']['adversary_enable'])]
    kinds = some_of('frozen', 'offset 5 -3', 'random 8', 'nan')
    lies = st.tuples(st.sampled_from(members), kinds).map(' '.join)
    parts = st.lists(st.sampled_from(members), min_size=1, unique=True).map(' '.join)
    outages = st.lists(st.sampled_from(uavs), min_size=1, max_size=2, unique=True).map(' '.join)
    changes['failure']['failure_schedule'] = draw(schedules(outages))
    changes['radio']['partitions'] = draw(schedules(parts))
    changes['radio']['byzantine'] = draw(schedules(lies))
    changes['mobility'] = {**draw(BODIES), **draw(SENSING)}
    if unseen:
        changes['target_sensing'] = {'target_broadcasts': False, **draw(TARGET_SENSING)}
        changes['target'] |= {'protection_angle_deg': 360.0, 'target_swarm_spin_enable': False}
        changes['run']['transient_time'] = 1.0
    return scenario(changes)


@settings(max_examples=40)
@given(scenarios(unseen=False))
def test_any_scenario_gives_the_same_bits(flown):
    assert_identical(flown)


@settings(max_examples=20)
@given(scenarios(unseen=True))
def test_any_scenario_with_an_unseen_target_gives_the_same_bits(flown):
    assert_identical(flown)


@st.composite
def scenarios_of_the_original(draw):
    """Timeouts are no multiples of a period: equal times may differ by a bit in its order."""
    changes, _ = drawn(draw)
    changes['swarm'] |= {
        'control_period': 0.05, 'agent_state_timeout': draw(some_of(0.03, 0.25, 1.0)),
        'target_state_timeout': draw(some_of(0.03, 0.5)),
    }  # fmt: skip
    for name in ('communication_jitter', 'clock_offset'):
        del changes['radio'][name]
    changes['control']['controller'] = draw(some_of('soliton', 'two_channel', 'soliton_v1'))
    return scenario(changes, BY_EVENTS, {'run': {'sim_duration': DURATION}})


@settings(max_examples=15)
@given(scenarios_of_the_original())
def test_any_scenario_event_by_event_gives_the_same_bits(by_events, flown):
    """In the original's order of events: of those that it could have flown."""
    assert_identical(flown)
