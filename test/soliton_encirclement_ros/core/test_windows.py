"""The grammar of everything that is scheduled."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules import Window, parse_windows

GOOD = [
    ('', ()),
    ('  ', ()),
    ('20..40: 3', (Window(20.0, 40.0, ('3',)),)),
    ('0..0.5:3', (Window(0.0, 0.5, ('3',)),)),
    ('.5..1e2 : 3', (Window(0.5, 100.0, ('3',)),)),
    ('60..: 2', (Window(60.0, math.inf, ('2',)),)),
    ('60.. : 2 ;', (Window(60.0, math.inf, ('2',)),)),
    (' 1 .. 2 : a  b\n; 3..4: c', (Window(1.0, 2.0, ('a', 'b')), Window(3.0, 4.0, ('c',)))),
    ('20..40: 1 2|3', (Window(20.0, 40.0, ('1', '2', '|', '3')),)),
    ('1..2: 2 offset 5 -3', (Window(1.0, 2.0, ('2', 'offset', '5', '-3')),)),
]
"""Texts and what they say."""

BAD = [
    ('20..40', "x.y: '20..40' must be BEGIN..END: WORDS"),
    ('20-40: 3', "'20-40: 3' must be BEGIN..END: WORDS"),
    ('..40: 3', "'..40: 3' has '' where a time in s"),
    ('a..40: 3', "has 'a' where a time in s, at least 0, must be"),
    ('1..nan: 3', "has 'nan' where a time"),
    ('1..1e999: 3', "has '1e999' where a time"),
    ('١..20: 3', "has '١' where a time"),
    ('1_0..20: 3', "has '1_0' where a time"),
    ('20..20: 3', 'ends at 20 s, which must be after its begin 20 s'),
    ('40..20: 3', "'40..20: 3' ends at 20 s, which must be after its begin 40 s"),
    ('20..40: ', "'20..40:' says nothing after the colon"),
    ('1..2: 3;; 3..4: 5', "'' must be BEGIN..END: WORDS"),
    ('1..2: 3; 3..4', "'3..4' must be BEGIN..END: WORDS"),
    ('x' * 500, f"'{'x' * 80}...' must be"),
]
"""Texts and what the error says."""


@pytest.mark.parametrize(('text', 'windows'), GOOD)
def test_good_texts(text: str, windows: tuple[Window, ...]) -> None:
    assert parse_windows(text, 'x.y') == windows


@pytest.mark.parametrize(('text', 'message'), BAD)
def test_bad_texts_end_in_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_windows(text, 'x.y')
    assert str(caught.value).startswith('x.y: ')
    assert message in str(caught.value)
    assert '\n' not in str(caught.value)


@given(st.text(alphabet='0123456789.:;|- abc\n', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        windows = parse_windows(text, 'x.y')
    except ScenarioError:
        return
    assert all(window.begin < window.end and window.words for window in windows)


@pytest.mark.parametrize('period', [0.05, 1.0 / 7.0])
def test_begin_is_inclusive_and_end_exclusive(period: float) -> None:
    """Whatever the rounding of time."""
    for tick in range(1, 2000):
        now = round(tick * period * 1e9) / 1e9
        begins, ends = Window(now, now + 1.0, ('1',)), Window(0.0, now, ('1',))
        assert begins.is_open(now) and not ends.is_open(now)
        written = Window(float(f'{tick * period:.9f}'), math.inf, ('1',))
        assert written.is_open(now)
        assert Window(tick * period, math.inf, ('1',)).is_open(now)


def test_closed_before_and_after() -> None:
    window = Window(20.0, 40.0, ('1',))
    times = (0.0, 19.95, 20.0, 30.0, 39.95, 40.0, 1e6)
    assert [window.is_open(t) for t in times] == [False, False, True, True, True, False, False]
    assert Window(20.0, math.inf, ('1',)).is_open(1e9)
