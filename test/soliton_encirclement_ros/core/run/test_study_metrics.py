"""Metrics of a study by name, and their values from a summary."""

import math

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import metric_named, metric_values

SUMMARY = {
    'metrics_mean': {'E_gap': 0.2, 'E_r': 0.0001, 'E_wgap': None},
    'settling_time_s': None,
    'command_change_m_per_s': math.nan,
}


def test_values_are_infinite_for_never_none_for_missing_and_not_below_the_resolution():
    names = ('E_gap', 'E_r', 'E_wgap', 'settling_time', 'command_change')
    assert metric_values(SUMMARY, names, {'E_r': 0.001, 'E_gap': 0.001, 'E_wgap': 0.001}) == {
        'E_gap': 0.2, 'E_r': 0.001, 'E_wgap': None, 'settling_time': math.inf,
        'command_change': None,
    }  # fmt: skip


@pytest.mark.parametrize('name', ['E_gaps', 3, None, 'E_gap steady'])
def test_an_unknown_metric_is_refused_with_those_that_there_are(name):
    with pytest.raises(ScenarioError, match=r'^x: unknown metric .*; there are E_gap, E_r, '):
        metric_named(name, 'x')
