"""Values in errors: short, however long or deep they are."""

import datetime

import pytest
from velocity_mobility_ros.core.shown import LONGEST, closest, cut, shown


@pytest.mark.parametrize(
    'value',
    [None, True, 3, -2.5, 10**70, 'two words', "it's", [1, 'a', None], {'low': 1, 'log': {}},
     (), b'x', datetime.date(2020, 1, 2), [{'a': [1]}]],
)  # fmt: skip
def test_a_short_value_is_shown_as_it_is(value):
    assert shown(value) == repr(value)


def bomb(leaf):
    for _ in range(40):
        leaf = [leaf] * 9
    return leaf


CYCLE = {}
CYCLE['itself'] = CYCLE


HUGE = 10**5000
LONG = {
    'text': 'x' * 10**6,
    'bytes': b'x' * 10**6,
    'list': list(range(10**6)),
    'aliases': bomb('x'),
    'numbers': bomb(HUGE),
    'number': HUGE,
    'key': {(HUGE,): -HUGE},
    'set': {HUGE},
    'texts': bomb('x' * 10**6),
}


@pytest.mark.parametrize('value', LONG.values(), ids=LONG)
def test_a_long_value_is_cut_and_never_written_whole(value):
    """The whole text has more characters than any memory: a test would not come to its end."""
    assert len(shown(value)) <= LONGEST + 3


def test_a_value_within_itself_and_a_narrower_place():
    assert shown(CYCLE).startswith("{'itself': {'itself': ")
    assert shown('abcdef', 4) == "'abc..."
    assert cut('abcdef', 4) == 'abcd...' and cut('abcd', 4) == 'abcd'


def test_the_nearest_name_is_told_of_texts_only():
    assert closest('sed', ['seed', 'agents']) == 'seed'
    assert closest('k_S', ['k_z', 'k_s']) == 'k_s'
    assert closest('xyz', ['seed']) is None
    assert closest(10**5000, ['seed']) is None
