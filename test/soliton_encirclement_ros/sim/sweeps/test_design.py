"""Blocks of a design: crossed within, joined among each other, refused where nonsense."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.design import design_points, extremes, nested

A, B, C = 'control.k_tau', 'control.k_r', 'run.num_agents'


def points(design):
    return [values for _, values in design_points(design, 'file')]


def test_a_grid_has_every_combination_and_the_last_key_changes_fastest():
    assert points({'grid': {A: [1, 2], B: [3, 4]}}) == [
        {A: 1, B: 3}, {A: 1, B: 4}, {A: 2, B: 3}, {A: 2, B: 4},
    ]  # fmt: skip


def test_a_list_is_taken_as_it_stands():
    assert points({'list': [{A: 1}, {B: 2}]}) == [{A: 1}, {B: 2}]


def test_parts_of_a_block_are_crossed_and_blocks_are_joined():
    crossed = {'grid': {A: [1, 2]}, 'list': [{B: 1}, {B: 2}]}
    assert points([crossed, {'list': [{C: 5}]}]) == [
        {A: 1, B: 1}, {A: 1, B: 2}, {A: 2, B: 1}, {A: 2, B: 2}, {C: 5},
    ]  # fmt: skip
    random = {'samples': 5, 'parameters': {B: {'low': 0.0, 'high': 1.0}}}
    found = points({'grid': {A: [1, 2]}, 'random': random})
    assert [point[A] for point in found] == [1] * 5 + [2] * 5
    assert [point[B] for point in found[:5]] == [point[B] for point in found[5:]]


def test_no_design_is_one_point():
    assert points(None) == [{}]


def test_ends_of_ranges_are_found_in_every_block():
    random = {'samples': 1, 'parameters': {B: {'low': 0.0, 'high': 1.0}}}
    design = [{'grid': {A: [1]}}, {'random': random}]
    assert [values for _, values in extremes(design, 'file')] == [{B: 0.0}, {B: 1.0}]


def test_values_by_section_and_key():
    assert nested({A: 1, B: 2, C: 3}) == {
        'control': {'k_tau': 1, 'k_r': 2}, 'run': {'num_agents': 3},
    }  # fmt: skip


@pytest.mark.parametrize(
    ('design', 'expected'),
    [
        ([], 'file: design is empty'),
        ({}, 'file: design = {} must be a mapping with one or more of grid, list, random'),
        ('grid', "file: design = 'grid' must be a mapping"),
        ({'gird': {}}, 'must be a mapping with one or more of grid, list, random'),
        (
            [{'grid': {A: [1]}}, {'list': []}],
            'file: design block 2: list = [] must be a non-empty',
        ),
        ({'grid': {}}, 'file: design: grid = {} must map section.key to lists'),
        ({'grid': {A: []}}, f'grid: {A} = [] must be a non-empty list of values'),
        ({'grid': {A: 1}}, f'grid: {A} = 1 must be a non-empty list of values'),
        ({'list': {A: 1}}, 'must be a non-empty list of mappings'),
        ({'list': [1]}, 'must be a non-empty list of mappings'),
        ({'grid': {'k_tau': [1]}}, "unknown parameter 'k_tau': write section.key"),
        ({'grid': {'controll.k_tau': [1]}}, "unknown parameter 'controll.k_tau'"),
        ({'grid': {'name.x': [1]}}, "unknown parameter 'name.x'"),
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
