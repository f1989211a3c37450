"""HTML from texts that nobody can trust."""

import math
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.report.markup import (
    HtmlColumn,
    escaped,
    folded,
    nothing,
    number,
    pairs,
    table,
)


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
              folded(text, ''))  # fmt: skip
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


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match='zip'):
        table('All', (HtmlColumn('Who'),), [('one', 1.0)])
