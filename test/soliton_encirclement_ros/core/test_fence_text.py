"""A fence in one text: rings of corners."""

import pytest

from soliton_encirclement_ros.core.fences import fence_rings
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from velocity_mobility_ros.core.user_errors import ParameterError

SQUARE = '-20 -20, 20 -20, 20 20, -20 20'


def test_rings_are_polygon_and_holes():
    square = [(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)]
    assert fence_rings(SQUARE) == [square]
    assert fence_rings(f'{SQUARE}; 1 1, 2.5e0 1,1 3') == [square, [(1, 1), (2.5, 1), (1, 3)]]


@pytest.mark.parametrize('text', ['', '  ', '\n'])
def test_no_text_is_no_fence(text):
    assert fence_rings(text) == []


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        ('0 0, 1 0', 'ring 1 has 2 corners, at least 3 are needed'),
        (f'{SQUARE};', "ring 2: '' is no corner"),
        (f'{SQUARE}; 1 1, 2 1, nan 3', "ring 2: 'nan 3' is no corner"),
        ('0 0, 1 0 5, 1 1', "ring 1: '1 0 5' is no corner"),
        ('0 0, east 0, 1 1', "ring 1: 'east 0' is no corner"),
        ('0 0, 10 10, 10 0, 0 10', 'ring 1: the edges from corner 1 and from corner 3 cross'),
        ('0 0, 1 1, 2 2', 'ring 1 has no area'),
    ],
)
def test_what_is_no_fence_is_refused_in_one_line(text, words):
    with pytest.raises(ParameterError) as caught:
        SafetyParameters(fence=text)
    assert words in str(caught.value)
    assert '\n' not in str(caught.value)


def test_a_height_band_needs_room():
    with pytest.raises(ParameterError, match='lowest_height = 5 m must be below'):
        SafetyParameters(lowest_height=5.0, highest_height=5.0)
