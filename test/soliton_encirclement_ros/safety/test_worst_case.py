"""A search for the worst start finds none that brings vehicles together."""

import pytest
from support.safety.crowd import DEFAULT, QUICK, Radio, settings
from support.safety.worst_case import search

BOTH = pytest.mark.parametrize('limits', [DEFAULT, QUICK], ids=['slow', 'quick'])
RADIOS = pytest.mark.parametrize(
    'radio', [Radio(0), Radio(1), Radio(2, 0.3)], ids=['perfect', 'lockstep', 'lossy']
)


@BOTH
def test_it_finds_a_collision_without_the_filter(limits):
    assert search(settings(limits), 2, 1, 6, 1, on=False)[0] < 0.3


@BOTH
@RADIOS
@pytest.mark.parametrize('n', [2, 3])
def test_it_finds_none_with_the_filter(limits, radio, n):
    assert search(settings(limits), n, 2, 5, n, radio=radio, speed=10.0)[0] > 1.7


@pytest.mark.nightly
@BOTH
@RADIOS
@pytest.mark.parametrize(('n', 'restarts'), [(2, 30), (3, 30), (4, 12)], ids='234')
def test_a_long_search_finds_none(limits, radio, n, restarts):
    assert search(settings(limits), n, restarts, 14, n, radio=radio, speed=10.0)[0] > 1.6
