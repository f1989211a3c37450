"""A series of values as a line of bars."""

import math
from array import array

import pytest

from soliton_encirclement_ros.cli.views.run_screen import SPAN, sparkline

WIDTH = 30
PART = SPAN / WIDTH


def bars_of(values, period=PART, least=0.0, is_plain=False):
    time = array('d', [k * period for k in range(len(values))])
    return sparkline(time, array('d', values), WIDTH, least, is_plain)


def test_bars_begin_at_the_left_and_the_largest_value_is_the_highest():
    assert bars_of([0.0, 1.0, 2.0, 4.0]) == ('▁▃▅█' + ' ' * (WIDTH - 4), 4.0)


def test_a_bar_is_the_largest_of_its_values_and_holes_stay_empty():
    values = [1.0, 0.0, math.nan, 8.0, math.nan, math.nan, 2.0, 2.0]
    assert bars_of(values, PART / 2, is_plain=True)[0].rstrip() == '.# :'


def test_only_the_last_minute_is_shown():
    assert bars_of([100.0] * 10 + [1.0] * WIDTH) == ('█' * WIDTH, 1.0)


def test_what_an_even_ring_has_is_the_lowest_bar():
    assert bars_of([1.0, 2.0], least=1.0)[0].strip() == '▁█'
    assert bars_of([1.0, 1.0], least=1.0)[0].strip() == '▁▁'


@pytest.mark.parametrize('values', [[], [math.nan] * 4])
def test_without_a_value_there_is_no_bar(values):
    bars, largest = bars_of(values)
    assert bars == ' ' * WIDTH and math.isnan(largest)
