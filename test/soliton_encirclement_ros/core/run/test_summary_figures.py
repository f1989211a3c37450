"""The figures that runs are compared by, and the points of a sweep in words."""

import math

import pytest

from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.run.summary import FIGURES, PAIRED, summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.design import SweepPoint, as_text

BY_NAME = {figure.name: figure for figure in FIGURES}


def test_all_that_was_promised_is_there_with_the_spacing_error_first():
    assert FIGURES[0].name == 'E_gap'
    assert set(METRIC_NAMES) < set(BY_NAME)
    assert [figure.name for figure in PAIRED] == ['E_gap', 'E_r']


def test_every_figure_can_be_taken_from_every_summary():
    empty = summarise(Scenario(), Observer(SwarmParameters()), {})
    for figure in FIGURES:
        for summary in (empty, {}):
            value = figure.value(summary)
            assert value is None or value == math.inf


@pytest.mark.parametrize(
    ('name', 'summary', 'expected'),
    [
        ('E_r', {'metrics_mean': {'E_r': 0.1}}, 0.1),
        ('settling time', {'settling_time_s': None}, math.inf),
        (
            'time to close after failure',
            {'time_to_close_after_failure_s': None, 'unclosed_after_failure': 3},
            math.inf,
        ),
        (
            'time to close after failure',
            {'time_to_close_after_failure_s': None, 'unclosed_after_failure': 0},
            None,
        ),
        (
            'closed after recovery',
            {'closed_after_recovery': 1, 'unclosed_after_recovery': 3},
            25.0,
        ),
        ('closed after recovery', {'closed_after_recovery': 0}, None),
        ('near misses below 0.5 m', {'near_misses_below_0.5m_per_min': 0.3}, 0.3),
        ('near misses below 2 m', {'min_separation_m': 0.3}, None),
    ],
)  # fmt: skip
def test_never_is_infinite_and_nothing_to_wait_for_is_none(name, summary, expected):
    assert BY_NAME[name].value(summary) == expected


def test_less_is_better_but_for_distance_and_the_share_that_closed():
    higher = {figure.name for figure in FIGURES if figure.better(2.0, 1.0)}
    assert higher == {'min separation', 'closed after failure', 'closed after recovery'}
    assert not any(figure.better(1.0, 1.0) for figure in FIGURES)


def test_a_point_is_named_by_what_varies():
    values = {'control.controller': 'soliton', 'control.k_tau': 0.123456, 'run.num_agents': 3}
    assert SweepPoint(1, values, 'soliton').label == 'controller soliton, k_tau 0.1235, num_agents 3'
    assert SweepPoint(1, {}, 'soliton').label == 'soliton'


def test_values_are_short():
    assert [as_text(value) for value in (1.0, 1e-9, True, None, 'x')] == [
        '1', '1e-09', 'True', 'None', 'x',
    ]  # fmt: skip
