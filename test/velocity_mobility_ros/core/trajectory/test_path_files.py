"""Paths from CSV, YAML and arrays, by the ending of a file; what is wrong is one line."""

import math
import os

import numpy as np
import pytest

from velocity_mobility_ros.core.spreadsheet import SAVE_AS
from velocity_mobility_ros.core.trajectory.path_files import (
    MAX_VERTICES, PathData, PathError, checked, path_of_csv, path_of_yaml, read_path
)


def test_a_csv_path_with_times():
    path = path_of_csv('t,x,y,z\n,0,0,10\n8.0,20,0,12\n# a remark\n\n16,20,30,8\n', 'p.csv')
    wanted = [[0, 0, 10, math.nan], [20, 0, 12, 8], [20, 30, 8, 16]]
    assert np.array_equal(path.rows, wanted, equal_nan=True)
    assert not path.closed and not path.relative


def test_columns_have_any_order_and_times_may_be_missing():
    path = path_of_csv(' Z , y,x\r\n1,2,3\r\n4,5,6\r\n', 'p.csv')
    assert path.rows[:, :3].tolist() == [[3, 2, 1], [6, 5, 4]]
    assert np.isnan(path.rows[:, 3]).all()


@pytest.mark.parametrize(
    'data',
    [
        b'x;y;z;t\r\n0,0;0;-10;\r\n1,234;2;5E-01;4,5\r\n',
        'x [m]\ty [m]\tz (m)\tt\r\n0,0\t0\t-10\t\r\n1,234\t2\t0,5\t4,5\r\n'.encode('utf16'),
        b'\xef\xbb\xbf"X",Y,Z,"T"\r\n"0.0","0","-10",""\r\n"1.234","2","0.5","4.5"\r\n,,,\r\n',
    ],
)
def test_what_a_spreadsheet_saves_is_the_same_path(tmp_path, data):
    """Decimal commas, semicolons, tabs, UTF-16, marks, units, and quotes."""
    (tmp_path / 'p.csv').write_bytes(data)
    wanted = [[0, 0, -10, math.nan], [1.234, 2, 0.5, 4.5]]
    assert np.array_equal(read_path(tmp_path / 'p.csv').rows, wanted, equal_nan=True)


def test_a_wait_is_a_place_with_two_times():
    path = path_of_csv('x,y,z,t\n0,0,0,\n0,0,0,2\n5,0,0,6\n5,0,0,9\n', 'p.csv')
    assert len(path.rows) == 4


def test_a_yaml_path():
    text = 'relative: true\nvertices:\n- {x: 0, y: 0, z: 10}\n- [20, 0, 12.5, 8]\n- [0, 1, 2]\n'
    found = path_of_yaml(text, 'p.yaml')
    wanted = [[0, 0, 10, math.nan], [20, 0, 12.5, 8], [0, 1, 2, math.nan]]
    assert np.array_equal(found.rows, wanted, equal_nan=True)
    assert (found.closed, found.relative) == (False, True)


@pytest.mark.parametrize(
    ('read', 'text', 'line'),
    [
        (path_of_csv, '', 'empty; write a line x,y,z,t and then one row a line'),
        (path_of_csv, 'x [ft],y [ft],z\n', "column 'x [ft]' must be in m"),
        (path_of_csv, 'lat;lon;z\n', "unknown column 'lat'; columns are x, y, z, t"),
        (path_of_csv, 'x;y;z\n1,5;2;1.234,5\n', "line 2: z = '1.234,5' must be a finite number"),
        (path_of_csv, 'x;y;z\n1 234,5;2;3\n', "line 2: x = '1 234,5' must be a finite number; s"),
        (path_of_csv, 'x;y;z\n0,0;2;3\n12.Mai;2;3\n', "line 3: x = '12.Mai' must be a finite n"),
        (path_of_csv, 'x,y,z\n0,0,1,5,2\n', f'line 2: 5 values, must be 3; {SAVE_AS}'),
        (path_of_csv, 'x,y,z\n1,2,3\n', '1 points, must be at least 2'),
        (path_of_csv, 'x,y,z,tt\n', "unknown column 'tt'; did you mean 't'?"),
        (path_of_csv, 'x,y,z,speed\n', "unknown column 'speed'; columns are x, y, z, t"),
        (path_of_csv, 'x,y,t\n', "no column 'z'; the columns x, y and z are needed"),
        (path_of_csv, 'x,y,z,x\n', "column 'x' is given twice; remove one"),
        (path_of_csv, 'x,y,z\n1,2\n', 'line 2: 2 values, must be 3'),
        (path_of_csv, 'x;y;z\n#ÜBERLAUF!;2;3\n', "line 2: x = '#ÜBERLAUF!' must be a finite nu"),
        (path_of_csv, 'x,y,z\n1,2,3\n1,,3\n', "line 3: y = '' must be a finite number"),
        (path_of_csv, 'x,y,z,t\n1,2,3,\n4,2,3,soon\n', "line 3: t = 'soon' must be a finite"),
        (path_of_csv, 'x,y,z\n1,2,3\n1,2,2e9\n', 'point 2: its position must be finite and at'),
        (path_of_csv, 'x,y,z,t\n0,0,0,\n1,0,0,5\n2,0,0,4\n', 'point 3: its time must be after'),
        (path_of_csv, 'x,y,z\n0,0,0\n1,0,0\n1,0,0\n', 'point 3 is at the place of point 2;'),
        (path_of_csv, 'x,y,z\n"1,2,3\n4,5,6\n', 'line 2: 1 values, must be 3'),
        (path_of_yaml, '- 1\n', '[1] must be a mapping with vertices'),
        (path_of_yaml, 'vertices: {', 'no YAML: while parsing'),
        (path_of_yaml, 'vertices: [!!int ""]', 'no YAML: string index out of range'),
        (path_of_yaml, 'closed: !!timestamp x', "no YAML: 'NoneType' object has no attribute"),
        (path_of_yaml, '[' * 5000, 'no YAML: nested too deeply'),
        (path_of_yaml, 'vertexes: []', "unknown key 'vertexes'; did you mean 'vertices'?"),
        (path_of_yaml, 'closed: true', 'vertices = None must be a list of points'),
        (path_of_yaml, 'vertices: [[1, 2]]', 'point 1: [1, 2] must be x, y, z and perhaps t'),
        (path_of_yaml, 'vertices: [{x: 1, y: 2}]', 'point 1: no z; x, y and z are needed'),
        (path_of_yaml, 'vertices: [{x: 1, y: 2, z: 3, v: 1}]', "point 1: unknown key 'v'; all"),
        (path_of_yaml, 'vertices: [[1, 2, .nan]]', 'point 1: z = nan must be a finite number'),
        (path_of_yaml, 'vertices: [[1, 2, true]]', 'point 1: z = True must be a finite number'),
        (path_of_yaml, 'vertices: [[1, 2, 3], [1, 2, 4]]\nclosed: 1', 'closed = 1 must be true'),
        (
            path_of_yaml, 'vertices: [[0, 0, 0], [1, 0, 0, 5], [1, 1, 0]]\nclosed: true',
            'point 2: times of a closed polyline must count from a base time',
        ),
        (
            path_of_yaml, 'vertices: [[0, 0, 0], [1, 0, 0, 5], [1, 1, 0, -1]]\nrelative: true',
            'point 3: its time must be after',
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(read, text, line):
    with pytest.raises(PathError) as caught:
        read(text, 'p')
    assert str(caught.value).startswith(f'p: {line}')
    assert '\n' not in str(caught.value)


ROWS = np.array([(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0), (1.0, 4.0, 0.0, 2.0)])


def test_relative_times_count_from_the_start():
    assert PathData(ROWS, relative=True).polyline(start=10.0).base_time == 10.0
    path = PathData(ROWS).polyline(start=10.0)
    assert path.vertices[:, 3].tolist() == [10.0, 11.0, 12.0]
    assert math.isnan(path.base_time)


def test_too_many_points_are_refused():
    with pytest.raises(PathError, match='100001 points, must be at most 100000'):
        checked(PathData(ROWS.repeat(MAX_VERTICES, axis=0)[: MAX_VERTICES + 1]), 'bag')


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('p.CSV', '\ufeffx,y,z\n0,0,0\n1,2,3\n'),
        ('p.yaml', 'vertices: [[0, 0, 0], [1, 2, 3]]'),
        ('p.yml', 'vertices: [[0, 0, 0], [1, 2, 3]]'),
    ],
)
def test_a_file_is_read_by_its_ending(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding='utf-8')
    assert read_path(path).rows[1, :3].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('p.xlsx', f'p.xlsx: must end in .csv or .yaml or .yml; {SAVE_AS}'),
        ('p.csv', 'p.csv: no such file; name a path file'),
        ('pipe.csv', 'pipe.csv: is no regular file; name a path file'),
        ('odd.csv', f'odd.csv: is no text in UTF-8; {SAVE_AS}'),
        ('long' * 100 + '.csv', 'File name too long'),
        ('no\0name.csv', 'name a path file'),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, name, text):
    os.mkfifo(tmp_path / 'pipe.csv')
    (tmp_path / 'odd.csv').write_bytes(b'x,y,z\n\xff\xfe')
    with pytest.raises(PathError) as caught:
        read_path(tmp_path / name)
    assert text in str(caught.value)
