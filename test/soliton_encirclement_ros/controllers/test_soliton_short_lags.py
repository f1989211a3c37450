"""What the sampled lag inversion and its filter are for: short lags."""

import statistics
from typing import Any

import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.simulation import fly
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

PLAIN = {'controller': 'soliton'}
SMOOTH = {
    **PLAIN, 'lag_inversion': 'sampled', 'acc_filter_share': 0.1, 'k_r': 1.5, 'k_s': 0.8,
    'spacing_share': 0.3, 'ring_hops': 3, 'target_acc_filter': 0.0,
}  # fmt: skip
"""Gains of docs/research/law.md for short lags."""

SEEDS = range(7000, 7005)


def flown(tau: float | None, control: dict[str, Any]) -> float:
    """Return the median of E_r round a target that wanders at 5 m/s."""
    found = []
    for seed in SEEDS:
        changes = {
            'run': {'sim_duration': 80.0, 'seed': seed}, 'mobility': {'tau_xy': tau},
            'failure': {'failure_enable': False}, 'target': {'target_motion_speed_xy': 5.0},
            'safety': {'separation_filter': False}, 'control': control,
        }  # fmt: skip
        summary = fly(Scenario().with_changes(changes, 'test')).summary
        found.append(summary['metrics_mean']['E_r'])
    return statistics.median(found)


@pytest.mark.parametrize('tau', [None, 0.2])
def test_short_lags_cost_the_radius_less(tau):
    assert flown(tau, SMOOTH) < 0.9 * flown(tau, PLAIN)
