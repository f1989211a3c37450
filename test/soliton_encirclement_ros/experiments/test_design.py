"""Designs of sweeps and their seeds: blocks are crossed within and joined, ranges are filled.

What is nonsense is refused in one line.
"""

import statistics

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.overrides import nested
from soliton_encirclement_ros.experiments.design import (
    design_points, extremes, random_points, read_seeds
)

A, B, C = 'control.k_tau', 'control.k_r', 'run.num_agents'


def points(design):
    return [point.changes for point in design_points(design, 'file')]


def test_a_grid_has_every_combination_and_the_last_key_changes_fastest():
    assert points({'grid': {A: [1, 2], B: [3, 4]}}) == [
        {A: 1, B: 3}, {A: 1, B: 4}, {A: 2, B: 3}, {A: 2, B: 4},
    ]  # fmt: skip
    assert points(None) == [{}]


def test_parts_of_a_block_are_crossed_and_blocks_are_joined():
    crossed = {'grid': {A: [1, 2]}, 'list': [{B: 1}, {B: 2}]}
    assert points([crossed, {'list': [{C: 5}]}]) == [
        {A: 1, B: 1}, {A: 1, B: 2}, {A: 2, B: 1}, {A: 2, B: 2}, {C: 5},
    ]  # fmt: skip
    random = {'samples': 5, 'parameters': {B: {'low': 0.0, 'high': 1.0}}}
    found = points({'grid': {A: [1, 2]}, 'random': random})
    assert [point[A] for point in found] == [1] * 5 + [2] * 5
    assert [point[B] for point in found[:5]] == [point[B] for point in found[5:]]


def test_ends_of_ranges_are_found_in_every_block():
    random = {'samples': 1, 'parameters': {B: {'low': 0.0, 'high': 1.0}}}
    design = [{'grid': {A: [1]}}, {'random': random}]
    assert [point.changes for point in extremes(design, 'file')] == [{B: 0.0}, {B: 1.0}]


def test_values_by_section_and_key():
    assert nested({A: 1, B: 2, C: 3}) == {
        'control': {'k_tau': 1, 'k_r': 2}, 'run': {'num_agents': 3},
    }  # fmt: skip


@pytest.mark.parametrize(
    ('design', 'expected'),
    [
        ([], 'file: design is empty'),
        ({}, 'file: design = {} must be a mapping with one or more of grid, list, random'),
        ({'gird': {}}, 'must be a mapping with one or more of grid, list, random'),
        (
            [{'grid': {A: [1]}}, {'list': []}],
            'file: design block 2: list = [] must be a non-empty',
        ),
        ({'grid': {}}, 'file: design: grid = {} must map section.key to lists'),
        ({'grid': {A: []}}, f'grid: {A} = [] must be a non-empty list of values'),
        ({'list': [1]}, 'must be a non-empty list of mappings'),
        ({'grid': {'k_tau': [1]}}, "unknown parameter 'k_tau': write section.key"),
        ({'grid': {'controll.k_tau': [1]}}, "unknown parameter 'controll.k_tau'"),
        ({'grid': {3: [1]}}, 'unknown parameter 3'),
        ({'grid': {'run.seed': [1]}}, 'run.seed cannot be in a design: use seeds'),
        ({'grid': {A: [1]}, 'list': [{A: 2}]}, f'{A} is in two parts of the block'),
        ({'grid': {A: list(range(1001)), B: list(range(1000))}}, 'has 1001000 points, must have'),
        ({'grid': {A: list(range(1001))}, 'list': [{B: i} for i in range(1000)]}, '1001000'),
    ],
)
def test_a_design_that_is_none_is_refused(design, expected):
    with pytest.raises(ScenarioError) as caught:
        points(design)
    assert expected in str(caught.value)
    assert '\n' not in str(caught.value)


def drawn_points(samples=1000, seed=0, **parameters):
    named = {key.replace('__', '.'): value for key, value in parameters.items()}
    content = {'samples': samples, 'seed': seed, 'parameters': named}
    return random_points(content, 'file: random')


def column(found, key):
    return [point[key] for point in found]


def test_a_range_is_filled_evenly():
    drawn = column(drawn_points(control__k_tau={'low': 2.0, 'high': 4.0}), 'control.k_tau')
    assert 2.0 <= min(drawn) < 2.02 and 3.98 < max(drawn) <= 4.0
    assert statistics.mean(drawn) == pytest.approx(3.0, abs=0.06)


def test_a_logarithmic_range_is_filled_evenly_by_magnitude():
    spec = {'low': 0.01, 'high': 1.0, 'log': True}
    drawn = column(drawn_points(control__k_tau=spec), 'control.k_tau')
    assert min(drawn) >= 0.01 and max(drawn) <= 1.0
    assert statistics.median(drawn) == pytest.approx(0.1, rel=0.15)


@pytest.mark.parametrize('log', [False, True])
def test_a_parameter_that_is_a_whole_number_stays_one(log):
    drawn = column(
        drawn_points(run__num_agents={'low': 1, 'high': 4, 'log': log}), 'run.num_agents'
    )
    assert set(drawn) == {1, 2, 3, 4} and {type(value) for value in drawn} == {int}
    assert (drawn.count(1) > 1.5 * drawn.count(4)) is log
    spec = {'low': 1, 'high': 3, 'integer': True}
    assert set(column(drawn_points(control__k_r=spec), 'control.k_r')) == {1, 2, 3}


def test_choices():
    drawn = column(drawn_points(control__controller={'choices': ['a', 'b']}), 'control.controller')
    assert 400 < drawn.count('a') < 600 and drawn.count('a') + drawn.count('b') == 1000


def test_a_design_repeats_and_one_more_parameter_does_not_shift_the_others():
    spec = {'low': 0.0, 'high': 1.0}
    alone = column(drawn_points(control__k_tau=spec), 'control.k_tau')
    both = drawn_points(control__k_r=spec, control__k_tau=spec)
    assert column(both, 'control.k_tau') == alone != column(both, 'control.k_r')
    assert column(drawn_points(control__k_tau=spec, seed=1), 'control.k_tau') != alone
    assert column(drawn_points(control__k_tau=spec, samples=10), 'control.k_tau') == alone[:10]


@pytest.mark.parametrize(
    ('spec', 'expected'),
    [
        ({'low': 1}, 'must be {low, high}'),
        ({'low': 1, 'high': 2, 'lgo': True}, 'must be {low, high}'),
        ({'low': 2, 'high': 1}, 'low = 2 must be below high = 1'),
        ({'low': 'a', 'high': 1}, "low = 'a' must be a finite number"),
        ({'low': 1, 'high': 10**400}, 'high = 1000'),
        ({'low': -1.7e308, 'high': 1.7e308}, 'high = 1.7e+308 are too far apart'),
        ({'low': 0.0, 'high': 1.0, 'log': True}, 'low = 0.0 must be above 0 where log is true'),
        ({'low': 0.0, 'high': 1.0, 'log': 'yes'}, "log = 'yes' must be true or false"),
        ({'low': 0.5, 'high': 1.5, 'integer': True}, 'low = 0.5 must be a whole number'),
        ({'choices': []}, 'choices = [] must be a non-empty list'),
    ],
)
def test_a_range_that_is_none_is_refused(spec, expected):
    with pytest.raises(ScenarioError) as caught:
        drawn_points(control__k_tau=spec)
    assert str(caught.value).startswith('file: random: control.k_tau')
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        ([], 'must be a mapping of samples, seed, parameters'),
        ({'sample': 3}, 'must be a mapping of samples, seed, parameters'),
        ({'parameters': {}}, 'samples = None must be a whole number from 1'),
        ({'samples': 2, 'seed': -1}, 'seed = -1 must be'),
        ({'samples': 2, 'parameters': {}}, 'parameters = {} must map section.key'),
    ],
)
def test_a_part_that_is_none_is_refused(content, expected):
    with pytest.raises(ScenarioError) as caught:
        random_points(content, 'file: random')
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        (None, [7]),
        (3, [7, 8, 9]),
        ({'first': 0, 'count': 2}, [0, 1]),
        ([5, 3], [5, 3]),
    ],
)
def test_seeds(content, expected):
    assert read_seeds(content, 7, 'file') == expected


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        (0, 'file: seeds: count = 0 must be a whole number from 1 to 100000'),
        (True, 'count = True'),
        (2.0, 'count = 2.0'),
        ({'first': 1}, "seeds = {'first': 1} must have first and count"),
        ({'first': -1, 'count': 1}, 'first = -1 must be'),
        ({'first': 2**53, 'count': 2}, f'the last = {2**53 + 1} must be'),
        ([], 'file: seeds lists 0, must list 1 to 100000 of them'),
        ([1, 2, 1], 'file: seeds lists 1 twice'),
        ([1, -2], 'seeds = -2 must be a whole number from 0'),
    ],
)
def test_what_is_no_seed_is_refused(content, expected):
    with pytest.raises(ScenarioError, match='file: seeds') as caught:
        read_seeds(content, 0, 'file')
    assert expected in str(caught.value)


NAMED = {
    'named': {
        'law': {'soliton': {}, 'slow': {'control.controller': 'soliton', 'control.k_s': 0.5}},
        'case': {'calm': None, 'loss': {'radio.communication_failure_rate': 0.5}},
    }
}


def test_named_axes_are_crossed_and_a_law_is_called_by_its_name():
    points = list(design_points([NAMED], 'file'))
    assert [dict(point.names) for point in points] == [
        {'law': law, 'case': case} for law in ('soliton', 'slow') for case in ('calm', 'loss')
    ]
    assert points[0].changes == {'control.controller': 'soliton'} and points[0].keys == ()
    assert points[3].changes == {
        'control.controller': 'soliton', 'control.k_s': 0.5,
        'radio.communication_failure_rate': 0.5,
    }  # fmt: skip


def test_named_axes_and_a_grid_are_crossed():
    block = {**NAMED, 'grid': {'run.num_agents': [3, 4]}}
    points = list(design_points(block, 'file'))
    assert len(points) == 8 and points[1].keys == ('run.num_agents',)
    assert points[1].changes['run.num_agents'] == 4


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        ({}, 'named = {} must be a non-empty mapping of axes'),
        ({'case': []}, 'named: case = [] must be a non-empty mapping of names to changes'),
        ({'case': {'a': 3}}, 'named: case: a = 3 must map section.key to values'),
        ({'case': {'a': {'k': 3}}}, "named: case: a: unknown parameter 'k'"),
        ({'case': {'x' * 61: {}}}, 'must be a text of 1 to 60 characters'),
        ({'run.seed': {'a': {}}}, 'named: run.seed: an axis is a word'),
        ({'a': {'x': {'run.num_agents': 3}}, 'b': {'y': {'run.num_agents': 4}}},
         'design: x, y: run.num_agents is in two parts of the block'),
    ],
)  # fmt: skip
def test_axes_that_are_none_are_refused(content, expected):
    with pytest.raises(ScenarioError) as caught:
        list(design_points({'named': content}, 'file'))
    assert expected in str(caught.value)
