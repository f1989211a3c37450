"""Paths in YAML, and one line for everything that is wrong."""

import math

import numpy as np
import pytest
from velocity_mobility_ros.core.path_files.path_data import PathError
from velocity_mobility_ros.core.path_files.yaml_path import path_of_yaml


def test_a_path():
    text = 'relative: true\nvertices:\n- {x: 0, y: 0, z: 10}\n- [20, 0, 12.5, 8]\n- [0, 1, 2]\n'
    found = path_of_yaml(text, 'p.yaml')
    wanted = [[0, 0, 10, math.nan], [20, 0, 12.5, 8], [0, 1, 2, math.nan]]
    assert np.array_equal(found.rows, wanted, equal_nan=True)
    assert (found.closed, found.relative) == (False, True)


@pytest.mark.parametrize(
    ('text', 'line'),
    [
        ('', 'p.yaml: None must be a mapping with vertices'),
        ('- 1\n', 'p.yaml: [1] must be a mapping with vertices'),
        ('vertices: {', 'p.yaml: no YAML: while parsing'),
        ('vertexes: []', "p.yaml: unknown key 'vertexes'; did you mean 'vertices'?"),
        ('speed: 1', "p.yaml: unknown key 'speed'; allowed keys are vertices, closed, relative"),
        ('closed: true', 'p.yaml: vertices = None must be a list of points'),
        ('vertices: []', 'p.yaml: 0 points, must be at least 2'),
        ('vertices: [[1, 2]]', 'p.yaml: point 1: [1, 2] must be x, y, z and perhaps t'),
        ('vertices: [{x: 1, y: 2}]', 'p.yaml: point 1: no z; x, y and z are needed'),
        ('vertices: [{x: 1, y: 2, z: 3, v: 1}]', "p.yaml: point 1: unknown key 'v'; allowed"),
        ('vertices: [[1, 2, high]]', "p.yaml: point 1: z = 'high' must be a finite number"),
        ('vertices: [[1, 2, .nan]]', 'p.yaml: point 1: z = nan must be a finite number'),
        ('vertices: [[1, 2, true]]', 'p.yaml: point 1: z = True must be a finite number'),
        ('vertices: [[1, 2, 3], [1, 2, 4]]\nclosed: 1', 'p.yaml: closed = 1 must be true or'),
        ('vertices: [[1, 2, 3], [1, 2, 4]]\nclosed: true', 'p.yaml: a closed polyline needs 3'),
        (
            'vertices: [[0, 0, 0], [1, 0, 0, 5], [1, 1, 0]]\nclosed: true',
            'p.yaml: point 2: times of a closed polyline must count from a base time',
        ),
        (
            'vertices: [[0, 0, 0], [1, 0, 0, 5], [1, 1, 0, -1]]\nrelative: true',
            'p.yaml: point 3: its time must be after',
        ),
    ],
)
def test_what_is_wrong_is_one_line(text, line):
    with pytest.raises(PathError) as caught:
        path_of_yaml(text, 'p.yaml')
    assert str(caught.value).startswith(line)
    assert '\n' not in str(caught.value)
