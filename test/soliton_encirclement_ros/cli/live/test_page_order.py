"""What a page may send, and all the rest, which is no order."""

import json

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.cli.live.live_server import VERBS, PageOrder, read_order

SHORT = st.text(max_size=9)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | SHORT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SHORT, inner, max_size=3),
)


def said(verb='hold', members=(), values=(), **more):
    return json.dumps({'verb': verb, 'members': [*members], 'values': [*values], **more})


def test_orders_are_read_as_they_are_meant():
    assert read_order(said('hold')) == PageOrder('hold')
    twice = read_order(said('land', ['uav_2', 'uav_10', 'uav_2']))
    assert twice == PageOrder('land', ('uav_2', 'uav_10'))
    sent = read_order(said('send target', values=[3, -1.5]))
    assert sent == PageOrder('send target', (), (3.0, -1.5))
    assert sent.text == 'send target 3 -1.5'


@pytest.mark.parametrize('text', [
    '', '{', 'null', '3', '[]', '{}', '"hold"', '{"verb": "hold"}', '[' * 100_000,
    said('Hold'), said('kill'), said(['hold']), said(3), said('fail'), said('pace'),
    said('pace', values=['x']), said('pace', values=[None]), said('pace', values=[1, 2]),
    said('pace', values=[10**400]), '{"verb": "pace", "members": [], "values": [NaN]}',
    '{"verb": "pace", "members": [], "values": [1e999]}', said('hold', more=1),
    said('hold', ['--all']), said('hold', ['uav_1; rm']), said('hold', ['']), said('hold', [3]),
    said('hold', ['a' * 81]), said('hold', [f'uav_{k}' for k in range(1001)]),
    said('restart', values=[0, 1]), said('restart', values=[3, -1]),
])  # fmt: skip
def test_what_is_no_order(text):
    assert read_order(text) is None


NEARLY = st.builds(said, st.sampled_from([*VERBS]), st.lists(JSON | SHORT), st.lists(JSON))


@given(st.text() | JSON.map(json.dumps) | NEARLY)
def test_whatever_is_sent_is_an_order_of_known_verb_and_names_or_none(text):
    found = read_order(text)
    if found is not None:
        assert found.verb in VERBS
        assert all(name.isascii() and name.isidentifier() for name in found.members)
