"""For tests against the original experiment: its scenarios by its own names."""

from typing import Any

from soliton_encirclement_ros.core.scenario import Scenario

PERIODS = {
    'soliton_v1': {
        'control_period': 0.01, 'agent_state_timeout': 0.03, 'target_state_timeout': 0.05
    },
    'two_channel': {
        'control_period': 0.05, 'agent_state_timeout': 0.25, 'target_state_timeout': 0.5
    },
}  # fmt: skip
SPIN_LAW = {'soliton_v1': 'v1', 'two_channel': 'v3'}
GOLDEN = {
    'soliton_v1': (
        (0.03998127939711248, 0.9654907523210955, 0.34763030798039624, 1.5233700268516857,
         0.42087744459633325),
        (1.227226634650787, 0.0461796409058568, -1.1468239756447574),
    ),
    'two_channel': (
        (0.052888957940613, 0.8637893881644442, 0.3558881395374351, 1.5342799291569984,
         0.40195244101076516),
        (0.8634290868130657, -1.4504702965265892, 0.8439704254522284),
    ),
}  # fmt: skip
"""Spec part 18: the last row of 2 s, seed 0, three agents; metrics and every agent's u."""


def original(law: str, changes: dict[str, dict[str, Any]]) -> Scenario:
    """Return a scenario with the original's periods and laws, then changed."""
    base = {
        'swarm': PERIODS[law],
        'control': {'controller': law},
        'target': {'target_swarm_spin_law': SPIN_LAW[law], 'edge_weight_always_fresh': False},
    }
    return Scenario().with_changes(base, 'original').with_changes(changes, 'changes')


def overridden(overrides: dict[str, Any], seed: int = 0) -> Scenario:
    """Return the scenario of a reference run from the original's names."""
    target = {
        'target_motion_speed_xy': overrides.get('TARGET_MOTION_SPEED_XY', 5.0),
        'protection_angle_deg': overrides.get('PROTECTION_ANGLE_DEG', 360.0),
        'target_swarm_spin_enable': overrides.get('TARGET_SWARM_SPIN_ENABLE', False),
    }
    roam = overrides.get('ADVERSARY_ROAM_SPEED_XY', 4.0)
    count, duration = overrides['NUM_AGENTS'], float(overrides['SIM_DURATION'])
    return original(
        'two_channel' if 'method' in overrides else 'soliton_v1',
        {
            'run': {'sim_duration': duration, 'num_agents': count, 'seed': seed},
            'control': {'tangential_composition_mode': overrides.get('mode', 'sum')},
            'propagation': {
                'propagation_method': overrides.get('method', 'baseline'),
                'propagation_k_prop': overrides.get('k_prop', 0.0),
            },
            'failure': {'failure_enable': overrides.get('FAILURE_ENABLE', True)},
            'target': target,
            'adversary': {'adversary_roam_speed_xy': roam},
        },
    )
