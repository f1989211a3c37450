"""How a page is put together."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.report import template
from soliton_encirclement_ros.core.errors import RunError


def nested(inner):
    return st.lists(inner) | st.dictionaries(st.text(), inner)


@given(st.recursive(st.text() | st.integers() | st.none(), nested))
def test_json_in_a_page_comes_back_and_never_ends_its_element(content):
    text = template.json_text(content)
    assert json.loads(text) == content
    assert '<' not in text


def test_numbers_that_json_lacks_are_refused():
    with pytest.raises(ValueError, match='JSON'):
        template.json_text([float('nan')])


def test_a_part_is_not_looked_into_again():
    names = set(re.findall(r'\{\{(\w+)\}\}', template.asset('page.html')))
    parts = {name: '{{data}}' for name in names}
    assert template.filled('page.html', parts).count('{{data}}') == len(
        re.findall(r'\{\{\w+\}\}', template.asset('page.html'))
    )


def test_scripts_are_strict_and_in_order():
    text = template.joined(('decode', 'clock'))
    assert text.startswith("'use strict';\n")
    assert text.index('function unpacked') < text.index('function repaint')


def test_a_page_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / 'page.html'
    assert template.write_whole(path, 'Eᵣ').read_text(encoding='utf-8') == 'Eᵣ'
    path.unlink()
    path.mkdir()
    with pytest.raises(RunError, match='cannot write the page'):
        template.write_whole(path, 'x')
