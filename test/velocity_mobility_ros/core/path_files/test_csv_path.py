"""Paths in CSV, and one line for everything that is wrong."""

import math

import numpy as np
import pytest
from velocity_mobility_ros.core.path_files.csv_path import path_of_csv
from velocity_mobility_ros.core.path_files.path_data import PathError


def test_a_path_with_times():
    found = path_of_csv('t,x,y,z\n,0,0,10\n8.0,20,0,12\n# a remark\n\n16,20,30,8\n', 'p.csv')
    wanted = [[0, 0, 10, math.nan], [20, 0, 12, 8], [20, 30, 8, 16]]
    assert np.array_equal(found.rows, wanted, equal_nan=True)
    assert not found.closed and not found.relative


def test_columns_have_any_order_and_times_may_be_missing():
    found = path_of_csv(' Z , y,x\r\n1,2,3\r\n4,5,6\r\n', 'p.csv')
    assert found.rows[:, :3].tolist() == [[3, 2, 1], [6, 5, 4]]
    assert np.isnan(found.rows[:, 3]).all()


@pytest.mark.parametrize(
    ('text', 'line'),
    [
        ('', 'p.csv: empty; write a line x,y,z,t and then one point a line'),
        ('x,y,z\n', 'p.csv: 0 points, must be at least 2'),
        ('x,y,z\n1,2,3\n', 'p.csv: 1 points, must be at least 2'),
        ('x,y,z,tt\n', "p.csv: unknown column 'tt'; did you mean 't'?"),
        ('x,y,z,speed\n', "p.csv: unknown column 'speed'; columns are x, y, z and t"),
        ('x,y,t\n', "p.csv: no column 'z'; the columns x, y and z are needed"),
        ('x,y,z,x\n', "p.csv: column 'x' is given twice; remove one"),
        ('x,y,z\n1,2\n', 'p.csv: line 2: 2 values, must be 3'),
        ('x,y,z\n1,2,3\n1,nan,3\n', "p.csv: line 3: y = 'nan' must be a finite number"),
        ('x,y,z\n1,2,3\n1,,3\n', "p.csv: line 3: y = '' must be a finite number"),
        ('x,y,z,t\n1,2,3,\n4,2,3,soon\n', "p.csv: line 3: t = 'soon' must be a finite number"),
        ('x,y,z\n1,2,3\n1,2,2e9\n', 'p.csv: point 2: its position must be finite and at most'),
        (
            'x,y,z,t\n0,0,0,\n1,0,0,5\n2,0,0,4\n',
            'p.csv: point 3: its time must be after that of the timed vertex before (4 s, 5 s',
        ),
        (
            'x,y,z\n0,0,0\n1,0,0\n1,0,0\n',
            'p.csv: point 3 is at the place of point 2; remove one, or give both a time to wait',
        ),
        ('x,y,z\n"1,2,3\n', 'p.csv: line 2: '),
    ],
)
def test_what_is_wrong_is_one_line(text, line):
    with pytest.raises(PathError) as caught:
        path_of_csv(text, 'p.csv')
    assert str(caught.value).startswith(line)
    assert '\n' not in str(caught.value)


def test_a_wait_is_a_place_with_two_times():
    found = path_of_csv('x,y,z,t\n0,0,0,\n0,0,0,2\n5,0,0,6\n5,0,0,9\n', 'p.csv')
    assert len(found.rows) == 4
