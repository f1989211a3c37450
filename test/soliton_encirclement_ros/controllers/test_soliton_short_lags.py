"""What the sampled lag inversion and its filter are for: short lags, and less effort."""

import statistics
from typing import Any

import pytest
from soliton_encirclement_ros.core.run.figures.command_effort import CHANGE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.flight import fly
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

PLAIN = {'controller': 'soliton'}
SMOOTH = {
    **PLAIN, 'lag_inversion': 'sampled', 'acc_filter_share': 0.1, 'k_r': 1.5, 'k_s': 0.8,
    'spacing_share': 0.3, 'ring_hops': 3, 'target_acc_filter': 0.0,
}  # fmt: skip
"""Gains of docs/law.md for short lags."""

SEEDS = range(7000, 7005)


def flown(tau: float | None, control: dict[str, Any]) -> dict[str, float]:
    """Return medians of E_gap, E_r and effort round a target that wanders at 5 m/s."""
    summaries = []
    for seed in SEEDS:
        changes = {
            'run': {'sim_duration': 80.0, 'seed': seed}, 'mobility': {'tau_xy': tau},
            'failure': {'failure_enable': False}, 'target': {'target_motion_speed_xy': 5.0},
            'safety': {'separation_filter': False}, 'control': control,
        }  # fmt: skip
        summaries.append(fly(Scenario().with_changes(changes, 'test')).summary)
    means = [one['metrics_mean'] for one in summaries]
    return {
        'E_gap': statistics.median(one['E_gap'] for one in means),
        'E_r': statistics.median(one['E_r'] for one in means),
        CHANGE: statistics.median(one[CHANGE] for one in summaries),
    }


@pytest.mark.parametrize('tau', [None, 0.2])
def test_short_lags_cost_the_radius_less(tau):
    assert flown(tau, SMOOTH)['E_r'] < 0.9 * flown(tau, PLAIN)['E_r']


def test_at_a_lag_of_a_second_commands_change_much_less():
    smooth, before = flown(1.0, SMOOTH), flown(1.0, PLAIN)
    assert smooth[CHANGE] < 0.6 * before[CHANGE]
    originals = flown(1.0, {'controller': 'soliton_v1'})
    assert smooth['E_r'] < 0.8 * originals['E_r'] and smooth['E_gap'] < 0.8 * originals['E_gap']
