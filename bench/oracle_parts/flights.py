"""The flights that two versions must fly alike, without ROS and by nodes.

Settings are words of ``--set``.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

RENAMED: dict[str, str] = {
    'silent_run_on': 'silent_flight_time',
    'sight': 'target_sensing',
    'cooperative': 'target_broadcasts',
    'sight.cooperative': 'target_sensing.target_broadcasts',
    'sight.estimator': 'target_sensing.estimator',
    'sight.blind_agents': 'target_sensing.blind_agents',
    'sight.field_of_view_deg': 'target_sensing.field_of_view_deg',
}
"""Names of settings and columns in the newer version, by those of the older one."""

MOVED: dict[str, str] = {}
"""Modules of the newer version that are used here or by the tests' support, by those of the older
one that have the same names in them."""

NEW_SETTINGS = ('safety.neighbour_checks',)
"""Settings that the older version lacks, which flies as with these values."""

ADDED = {'parameters.csv', 'sources'}
"""Files and keys that the older version may lack: they are not compared."""

SHORT = {
    'run.sim_duration': '20', 'run.num_agents': '6', 'failure.failure_mean_failures_per_min': '4',
}  # fmt: skip
LAWS = (
    'predictive', 'soliton', 'two_channel', 'soliton_v1', 'kim_sugie', 'franchi', 'wang_xie_cao',
    'splay',
)  # fmt: skip
LAYERS = ('advection', 'wave', 'excitable', 'kdv', 'alarm', 'burgers')


class Flight(NamedTuple):
    """One flight: its name, its settings by key, and which members are flown elsewhere."""

    name: str
    settings: Mapping[str, str]
    external: tuple[str, ...] = ()


def _with(name: str, *changes: Mapping[str, str], external: tuple[str, ...] = ()) -> Flight:
    settings = dict(SHORT)
    for change in changes:
        settings |= change
    return Flight(name, settings, external)


LATE = {'radio.communication_failure_rate': '0.3', 'radio.communication_delay': '0.1'}
LOSSY = {**LATE, 'radio.communication_jitter': '0.05'}
ORIGINAL = {'run.rng': 'reference', 'run.collision_distance': '0'}
UNSEEN = {'target_sensing.target_broadcasts': 'false', 'control.controller': 'soliton'}
SPIN = {'target.target_swarm_spin_enable': 'true', 'target.target_swarm_omega_ref': '0.2'}
TRUSTING = {'safety.neighbour_checks': 'false'}
"""Where states that cannot be true are believed, as by older versions."""

QUIET = {'failure.failure_enable': 'false'}
MIXED = {
    'vehicles.agent_vehicles': 'iris: 2 3; x500: 5', 'vehicles.target_vehicle': 'superdroid_hd2',
    'target.target_motion_speed_xy': '1', 'control.altitude_offset': '5',
}  # fmt: skip
RELAY = {
    'radio.communication_transmission_range': '15', 'swarm.encirclement_radius': '20',
    'target.target_motion': 'constant', 'target.target_motion_speed_xy': '4',
    'run.num_agents': '10', 'run.sim_duration': '10', 'radio.communication_delay': '0.08',
    'failure.failure_mean_failures_per_min': '1',
}  # fmt: skip
"""Few hear the target itself, which runs into one side of its ring."""
PARTS: dict[str, Mapping[str, str]] = {
    'relay': RELAY,
    'shifted_clocks': {'radio.clock_offset': '0.04', **LOSSY},
    'partition': {'radio.partitions': '4..9: 1 3 5; 12..15: target'},
    'liar': {'radio.byzantine': '4..12: 2 offset 5 -3', **TRUSTING},
    'no_filter': {'safety.separation_filter': 'false'},
    'wide_filter': {'safety.separation_distance': '6', 'safety.position_noise': '0.5'},
    'fence': {
        'safety.fence': '-60 -60, 60 -60, 60 60, -60 60; 10 0, 20 0, 15 9',
        'safety.lowest_height': '-2',
        'safety.highest_height': '4',
    },
    'noise': {
        'mobility.position_noise_xy': '0.3',
        'mobility.velocity_noise_xy': '0.1',
        'mobility.position_drift_xy': '0.5',
        'mobility.dropouts_per_min': '6',
        'mobility.odom_latency': '0.05',
        'mobility.command_latency': '0.05',
    },
    'slow_odometry': {'mobility.odom_period': '0.12'},
    'second_order': {'mobility.vehicle': 'second_order'},
    'no_lag': {'mobility.tau_xy': 'none', 'mobility.tau_z': 'none'},
    'wrong_lag': {'vehicles.assumed_lag_factor': '1.6', 'mobility.tau_xy': '0.4'},
    'heights': {
        'control.altitude_offset': '5',
        'control.altitude_layers': '3',
        'target.target_motion_speed_xy': '2',
    },
    'many_failures': {'failure.failure_mean_failures_per_min': '20'},
    'schedule': {**QUIET, 'failure.failure_schedule': '2..6: 1 2; 8..9: 4'},
    'late_joiner': {**QUIET, 'failure.failure_schedule': '0.2..7: 5 6'},
    'still_target': {'target.target_motion_speed_xy': '0'},
    'fast_target': {'target.target_motion_speed_xy': '9'},
    'protected_arc': {'target.protection_angle_deg': '120', **SPIN},
    'spin': SPIN,
    'no_adversary': {'adversary.adversary_enable': 'false'},
    'slow_ticks': {'swarm.control_period': '0.2', 'swarm.agent_state_timeout': '0.6'},
    'kept_states': {'swarm.prune_expired_states': 'false', **LOSSY},
    'two_agents': {'run.num_agents': '2'},
    'one_agent': {'run.num_agents': '1'},
    'twenty_agents': {'run.num_agents': '20', 'run.sim_duration': '10'},
    'kalman_target': {
        'control.controller': 'soliton',
        'control.target_filter': 'kalman',
        'control.lag_inversion': 'sampled',
        'control.acc_filter_share': '0.1',
        'control.own_prediction': 'true',
    },
    'unseen': UNSEEN,
    'unseen_deghat': {**UNSEEN, 'target_sensing.estimator': 'deghat'},
    'unseen_in_part': {
        **UNSEEN, 'target_sensing.blind_agents': '2 5', 'target_sensing.field_of_view_deg': '120',
    },
    'unseen_lossy': {**UNSEEN, **LOSSY},
}


def flights() -> list[Flight]:
    """Return all flights without ROS."""
    cases = [_with(f'law_{law}', {'control.controller': law}) for law in LAWS]
    cases += [
        _with(f'original_{law}', {'control.controller': law}, ORIGINAL, LATE if k % 2 else SPIN)
        for k, law in enumerate(('soliton_v1', 'two_channel', 'soliton', 'predictive'))
    ]
    for k, layer in enumerate(LAYERS):
        law = ('soliton_v1', 'two_channel')[k % 2]
        change = {'propagation.propagation_method': layer, 'control.controller': law}
        cases.append(_with(f'layer_{layer}', change))
    cases += [_with(name, change) for name, change in PARTS.items()]
    cases += [
        _with(f'lossy_{law}', {'control.controller': law}, LOSSY)
        for law in ('predictive', 'soliton', 'soliton_v1', 'splay', 'franchi')
    ]
    cases += [
        _with('external_agent', QUIET, TRUSTING, external=('uav_2',)),
        _with('external_target', QUIET, SPIN, external=('target',)),
        _with('external_two', LOSSY, TRUSTING, external=('uav_3', 'target')),
        _with('external_unfiltered', PARTS['no_filter'], QUIET, TRUSTING, external=('uav_1',)),
        _with('seed_7', {'run.seed': '7'}, LOSSY),
        _with('mixed_vehicles', MIXED, QUIET),
    ]
    assert len({case.name for case in cases}) == len(cases)
    return cases


def lockstep_flights() -> Iterator[Flight]:
    """Return the flights by nodes, in lockstep."""
    short = {'run.sim_duration': '6', 'run.num_agents': '4'}
    for name, change in (
        ('nodes', {}), ('nodes_soliton', {'control.controller': 'soliton'}),
        ('nodes_relay', RELAY), ('nodes_unseen', UNSEEN), ('nodes_noise', PARTS['noise']),
        ('nodes_fence', PARTS['fence']),
    ):  # fmt: skip
        yield _with(name, short, change)


def spelled(settings: Mapping[str, str], names: Mapping[str, str]) -> list[str]:
    """Return settings as words of the command line; keys change as ``names`` says.

    Those without a name there are left out.
    """
    named = {names.get(key, key): value for key, value in settings.items()}
    assignments = [f'{key}={value}' for key, value in named.items() if key]
    return [word for assignment in assignments for word in ('--set', assignment)]
