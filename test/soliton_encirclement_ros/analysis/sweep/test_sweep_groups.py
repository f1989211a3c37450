"""Which runs share a colour or a box."""

import math

import pytest
from soliton_encirclement_ros.analysis.sweep.sweep_groups import groups, middle, varied
from soliton_encirclement_ros.analysis.sweep.sweep_tables import measure
from support.planned import a_swept_run

LAW, GAIN = 'control.controller', 'control.k_tau'


@pytest.fixture
def runs():
    points = [(law, gain) for law in ('soliton', 'two_channel') for gain in (0.2, 0.1, 0.3)]
    return measure([
        a_swept_run(i, seed, {LAW: law, GAIN: gain, 'control.k_r': 1.0}, e_gap=gain + seed)
        for i, (law, gain) in enumerate(points)
        for seed in (1, 2)
    ])  # fmt: skip


def test_what_varies_with_its_values_in_order(runs):
    assert varied(runs) == {LAW: ['soliton', 'two_channel'], GAIN: [0.1, 0.2, 0.3]}
    assert varied([]) == {}


@pytest.mark.parametrize(
    ('most', 'first', 'sizes'),
    [
        (6, 'controller soliton, k_tau 0.2, k_r 1', [2] * 6),
        (5, 'controller soliton', [6, 6]),
        (1, 'all points', [12]),
    ],
)
def test_groups_are_points_then_laws_then_all(runs, most, first, sizes):
    found = groups(runs, most)
    assert next(iter(found)) == first
    assert [len(part) for part in found.values()] == sizes


def test_without_laws_another_parameter_groups(runs):
    alone = [one for one in runs if one.run.point.controller == 'soliton']
    assert list(groups(alone, 3)) == [
        f'controller soliton, k_tau {gain}, k_r 1' for gain in (0.2, 0.1, 0.3)
    ]
    many = [one._replace(run=one.run._replace(point=one.run.point._replace(number=i)))
            for i, one in enumerate(alone)]  # fmt: skip
    assert list(groups(many, 3)) == ['k_tau 0.1', 'k_tau 0.2', 'k_tau 0.3']


def test_the_middle_leaves_missing_values_out(runs):
    assert middle(runs[:2], 'E_gap') == pytest.approx(1.7)
    assert middle(runs, 'time_to_close_after_failure') is None
    never = measure([a_swept_run(1, 1, {}, settling_time_s=None)])
    assert middle(never, 'settling_time') == math.inf
