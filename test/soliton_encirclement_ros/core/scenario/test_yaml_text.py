"""YAML of people: whatever is wrong ends in one short line, what YAML 1.1 misreads is refused."""

import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import scenario_from_dict
from soliton_encirclement_ros.core.scenario.user_files import read_yaml
from soliton_encirclement_ros.core.scenario.vehicle_file import vehicle_from_dict
from soliton_encirclement_ros.experiments.design import design_points, read_seeds
from velocity_mobility_ros.core.user_errors import MobilityError

SIXTIES = ':'.join(['1'] * 300) + '.5'


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('!!int ""', "not valid YAML: line 1: '' is not a number"),
        ('\n!!float "-"', "line 2: '-' is not a number"),
        ('{!!float "_": 3}', "'_' is not a number"),
        (SIXTIES, 'is a base-60 number in YAML'),
        ('run: !!map [a]', 'expected a mapping node, but found sequence'),
        ('a:\n  b: 5..8: 3', "; quote the text in line 2 that has a colon, 'A: B', or mend the"),
        ('{a: 1,\na: 2}', "line 2: duplicate key 'a'"),
        ('9' * 5000, 'is longer than 1000 characters'),
        ('\nseed: 017', 'line 2: 017 is octal in YAML; write 17'),
        ('-0_17', 'line 1: -0_17 is octal in YAML; write -17'),
        ('190:20:30', 'line 1: 190:20:30 is a base-60 number in YAML; write a plain number'),
    ],
)
def test_what_is_no_yaml_or_not_meant_is_refused_in_one_short_line(text, expected):
    with pytest.raises(ScenarioError) as caught:
        read_yaml(text)
    assert expected in str(caught.value)
    assert '\n' not in str(caught.value) and len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ('text', 'value'),
    [('0', 0), ('10', 10), ('1_000', 1000), ('0x1f', 31), ('0.5', 0.5), ('-.inf', -float('inf')),
     ('"017"', '017'), ('"1:30"', '1:30'), ('20..40: 3', {'20..40': 3}), ('007.5', 7.5)],
)  # fmt: skip
def test_other_numbers_and_texts_are_taken(text, value):
    assert read_yaml(text) == value


def lines(first, pattern):
    """Return a YAML text whose last value has nine to the power of forty parts."""
    rows = [f'a0: &a0 {first}']
    for i in range(1, 41):
        rows.append(f'a{i}: &a{i} ' + pattern.format(', '.join([f'*a{i - 1}'] * 9)))
    return '\n'.join(rows)


def test_merged_mappings_that_repeat_each_other_do_not_multiply():
    """Nine to the power of forty steps would not end."""
    found = read_yaml(lines('{x: 1}', '{{<<: [{}]}}'))
    assert found['a40'] == {'x': 1}


def test_a_merge_gives_way_to_what_is_written_beside_it():
    found = read_yaml('a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\nc: {<<: [{x: 7}, *a]}')
    assert found['b'] == {'x': 3, 'y': 2} and found['c'] == {'x': 7, 'y': 2}


BOMB = read_yaml(lines('x', '[{}]'))['a40']
HUGE = int('f' * 5000, 16)
READERS = {
    'scenario': lambda value: scenario_from_dict(value, 'x', 'file'),
    'value': lambda value: scenario_from_dict({'run': {'seed': value}}, 'x', 'file'),
    'vehicle': lambda value: vehicle_from_dict({'mobility': value}, 'x', 'file'),
    'speed': lambda value: vehicle_from_dict({'mobility': {'max_speed_xy': [value]}}, 'x', 'f'),
    'seeds': lambda value: read_seeds([value], 1, 'file'),
    'design': lambda value: [*design_points([value], 'file')],
    'grid': lambda value: [*design_points({'grid': value}, 'file')],
    'samples': lambda value: [*design_points({'random': {'samples': value}}, 'file')],
    'range': lambda value: [*design_points(ranged({'low': value, 'high': 3}), 'file')],
}


def ranged(spec):
    return {'random': {'samples': 1, 'parameters': {'control.k_r': spec}}}


@pytest.mark.parametrize('value', [BOMB, HUGE], ids=['bomb', 'huge'])
@pytest.mark.parametrize('reader', READERS.values(), ids=READERS)
def test_a_value_of_any_size_is_refused_at_once_and_shown_short(reader, value):
    with pytest.raises(MobilityError) as caught:
        reader(value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    'reader',
    [
        lambda key: scenario_from_dict({key: 1}, 'x', 'file'),
        lambda key: vehicle_from_dict({key: 1}, 'x', 'file'),
        lambda key: [*design_points({'grid': {key: []}}, 'file')],
        lambda key: [*design_points({'list': [{key: 1}]}, 'file')],
        lambda key: [*design_points({'random': {'samples': 1, 'parameters': {key: 1}}}, 'file')],
    ],
)
@pytest.mark.parametrize('key', [HUGE, 'x' * 10**5, 7, (HUGE,)], ids=['huge', 'long', '7', 'set'])
def test_a_key_of_any_kind_and_size_is_refused_and_shown_short(reader, key):
    with pytest.raises(MobilityError, match='unknown') as caught:
        reader(key)
    assert len(str(caught.value)) < 500
