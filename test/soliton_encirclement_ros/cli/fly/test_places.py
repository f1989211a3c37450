"""Planned places: the file, and who does not stand at his own."""

import pytest

from soliton_encirclement_ros.cli.fly.gate import find_misplaced, places_of_others, read_places
from velocity_mobility_ros.core.user_errors import MobilityError

PLACES = {'uav_1': (0.0, 0.0), 'uav_2': (20.0, 0.0)}


def test_places_are_read(tmp_path):
    path = tmp_path / 'places.yaml'
    path.write_text('uav_1: [0, 4.5]\nuav_2: [-3, 0]\n', encoding='utf-8')
    assert read_places(path) == {'uav_1': (0.0, 4.5), 'uav_2': (-3.0, 0.0)}


def test_places_of_a_spreadsheet_are_the_same(tmp_path):
    path = tmp_path / 'places.csv'
    path.write_text('north [m];east [m];name\n4,5;0;uav_1\n0;-3;uav_2\n', encoding='utf-16')
    assert read_places(path) == {'uav_1': (0.0, 4.5), 'uav_2': (-3.0, 0.0)}


YAML, CSV = 'places.yaml', 'places.csv'


@pytest.mark.parametrize(
    ('name', 'text', 'line'),
    [
        (CSV, 'name,lat,lon', "unknown column 'lat'; columns are name, east, north"),
        (CSV, 'name,east,north\n', 'has names of columns and no place; write one a line'),
        (CSV, 'name;east;north\nuav_1;0;1\nuav_1;2;0', 'line 3: uav_1 has two places; give'),
        (CSV, 'name;east;north\ndrone 1;0;1', "'drone 1' must be a name such as uav_1"),
        (YAML, '', 'must hold lines such as uav_1: [0.0, 4.0]'),
        (YAML, '1: [0, 0]', '1 must be a name such as uav_1'),
        (YAML, 'uav_1: [0]', 'uav_1 = [0] must be two numbers'),
        (YAML, 'uav_1: [0, .nan]', 'uav_1 = [0, nan] must be two numbers'),
        (YAML, 'uav_1: [true, 0]', 'must be two numbers'),
        (YAML, f'uav_1: [{10**400}, 0]', 'must be two numbers'),
        (YAML, 'uav_1: [0, 1', 'not valid YAML'),
    ],
)
def test_what_is_no_place_is_refused_in_one_line(tmp_path, name, text, line):
    path = tmp_path / name
    path.write_text(text, encoding='utf-8')
    with pytest.raises(MobilityError, match=f'{name}: ') as refused:
        read_places(path)
    assert line in str(refused.value) and '\n' not in str(refused.value)


@pytest.mark.parametrize(
    ('stand', 'found'),
    [
        ({'uav_1': (4.0, 3.0)}, {}),
        ({'uav_1': (0.0, -5.1)}, {'uav_1': '5.1 m from its place, at most 5 m'}),
        (
            {'uav_1': (20.0, 1.0)},
            {'uav_1': '20.0 m from its place, at most 5 m; it stands next to the place of uav_2'},
        ),
        ({'uav_9': (0.0, 0.0)}, {'uav_9': 'has no place in --places'}),
    ],
)
def test_who_stands_elsewhere_is_found(stand, found):
    assert find_misplaced(PLACES, stand) == found


def test_places_of_vehicles_that_are_not_there_are_told(tmp_path):
    """If all are, the file is that of another swarm."""
    path = tmp_path / 'places.yaml'
    assert places_of_others(path, PLACES, []) == ''
    assert places_of_others(path, PLACES, ['uav_1', 'uav_2', 'uav_3']) == ''
    line = places_of_others(path, PLACES, ['uav_1', 'uav_3'])
    assert line == f'{path}: uav_2 is none of the vehicles uav_1, uav_3'
    with pytest.raises(MobilityError, match=r'has no place of uav_7: it has uav_1, uav_2$'):
        places_of_others(path, PLACES, ['uav_7'])


def test_near_places_can_be_swapped_within_the_bound():
    near = {'uav_1': (0.0, 0.0), 'uav_2': (4.0, 0.0)}
    assert find_misplaced(near, {'uav_1': (3.5, 0.0)}) == {
        'uav_1': 'nearer to the place of uav_2 than to its own'
    }


def test_without_places_anybody_stands_anywhere():
    assert find_misplaced({}, {'uav_1': (99.0, 0.0)}) == {}
