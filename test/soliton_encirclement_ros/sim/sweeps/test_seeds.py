"""Seeds as a count, a beginning and a count, or a list."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.seeds import read_seeds


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
        ('3', "count = '3'"),
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
