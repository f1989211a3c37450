"""Pieces of a page: HTML from texts that nobody can trust, arrays, a template filled."""

import base64
import json
import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.analysis.report import page_markup
from soliton_encirclement_ros.analysis.report.page_markup import (
    HtmlColumn, collapsible, escaped, nothing, number, pairs, table
)
from soliton_encirclement_ros.analysis.report.viewer_data import curve, decimated, packed
from soliton_encirclement_ros.core.errors import RunError


class Reader(HTMLParser):
    """Reads a piece of HTML back: its elements with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ''
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@given(st.text())
def test_a_text_stays_a_text(text):
    read = Reader(f'<p title="{escaped(text)}">{escaped(text)}</p>')
    assert [tag for tag, _ in read.elements] == ['p']
    if text.isprintable():
        assert read.text == read.elements[0][1]['title'] == text


@given(st.text())
def test_every_piece_escapes_what_it_is_given(text):
    column = HtmlColumn(text, text)
    pieces = (table(text, (column, column), [(text, text)]), nothing(text), pairs({text: text}),
              collapsible(text, ''))  # fmt: skip
    known = {'div', 'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'p', 'dl',
             'dt', 'dd', 'details', 'summary'}  # fmt: skip
    for piece in pieces:
        assert {tag for tag, _ in Reader(piece).elements} <= known


def test_what_cannot_be_seen_is_made_visible():
    assert escaped('a\u202eb\x00') == 'a\\u202eb\\u0000'


@pytest.mark.parametrize(('value', 'shown'), [
    (1.23456, '1.23'), (-0.001, '0.00'), (3, '3.00'), (None, '–'), (math.nan, '–'),
    (math.inf, '–'), (-12.345, '-12.35'), (1.5e12, '1.5e+12'),
])  # fmt: skip
def test_numbers_have_their_digits_or_are_a_dash(value, shown):
    assert number(value, 2) == shown


def test_a_table_has_rows_of_its_columns():
    columns = HtmlColumn('Who'), HtmlColumn('Far', 'm', 1)
    read = Reader(table('All', columns, [('one', 1.25), ('two', None)]))
    tags = [tag for tag, _ in read.elements]
    assert tags.count('tr') == 3 and tags.count('th') == 4 and tags.count('td') == 2
    assert read.text == 'AllWhoFar mone1.2two–'


def unpacked(text, kind='<f4'):
    return np.frombuffer(base64.b64decode(text), kind)


def test_numbers_come_back_as_float32():
    values = np.array([0.0, -1.5, np.pi, np.nan, 1e300])
    with np.errstate(over='ignore'):
        assert np.array_equal(unpacked(packed(values)), values.astype('f4'), equal_nan=True)
    assert list(unpacked(packed([-1, 3], '<i2'), '<i2')) == [-1, 3]


@given(st.integers(1, 5000), st.integers(20, 400), st.integers(0, 2**32 - 1))
def test_decimation_keeps_ends_order_and_extremes(count, most, seed):
    rng = np.random.default_rng(seed)
    time, value = np.sort(rng.uniform(0.0, 99.0, count)), rng.normal(size=count)
    fewer_time, fewer = decimated(time, value, most)
    assert len(fewer) <= most + 4
    assert fewer.max() == value.max() and fewer.min() == value.min()
    assert fewer_time[0] == time[0] and fewer_time[-1] == time[-1]
    assert np.all(np.diff(fewer_time) >= 0.0)
    assert np.isin(fewer, value).all()


def test_every_peak_stays_in_its_place():
    time = np.arange(100_000) * 0.01
    value = np.zeros(len(time))
    value[[12_345, 67_890]] = 5.0, -7.0
    fewer_time, fewer = decimated(time, value, 1000)
    assert time[12_345] == fewer_time[fewer == 5.0] and time[67_890] == fewer_time[fewer == -7.0]


def test_decimation_keeps_holes():
    value = np.sin(np.arange(20_000) * 0.01)
    value[7000:7003] = np.nan, 5.0, -7.0
    fewer = decimated(np.arange(20_000.0), value, 500)[1]
    assert np.isnan(fewer).sum() == 1 and {5.0, -7.0} <= {*fewer}, 'peaks beside one, too'


def test_what_is_infinite_is_a_hole():
    shown = unpacked(curve(np.arange(3.0), np.array([1.0, np.inf, 2.0]), 100)['y'])
    assert np.array_equal(shown, [1.0, np.nan, 2.0], equal_nan=True)


def nested(inner):
    return st.lists(inner) | st.dictionaries(st.text(), inner)


@given(st.recursive(st.text() | st.integers() | st.none(), nested))
def test_json_in_a_page_comes_back_and_never_ends_its_element(content):
    text = page_markup.json_text(content)
    assert json.loads(text) == content
    assert '<' not in text


def test_numbers_that_json_lacks_are_refused():
    with pytest.raises(ValueError, match='JSON'):
        page_markup.json_text([float('nan')])


def test_a_part_is_not_looked_into_again():
    names = set(re.findall(r'\{\{(\w+)\}\}', page_markup.asset('pages/page.html')))
    parts = {name: '{{data}}' for name in names}
    assert page_markup.fill_template('pages/page.html', parts).count('{{data}}') == len(
        re.findall(r'\{\{\w+\}\}', page_markup.asset('pages/page.html'))
    )


def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / 'page.html'
    assert page_markup.write_whole(path, 'Eᵣ').read_text(encoding='utf-8') == 'Eᵣ'
    path.unlink()
    path.mkdir()
    with pytest.raises(RunError, match='cannot write the page'):
        page_markup.write_whole(path, 'x')
