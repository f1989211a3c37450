"""Items of messages about the emergency stop: there and back, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.errors import MalformedStateError
from soliton_encirclement_ros.core.stop.stop_order import EVERYBODY, StopOrder
from soliton_encirclement_ros.core.stop.stop_words import (
    END_HOLD,
    HEARTBEAT,
    HEARTBEAT_ENDS,
    KINDS,
    LARGEST_STAMP_NS,
    StopWord,
    fields_of,
    order_of,
    read_word,
    word_of,
)


@given(
    st.sampled_from([EVERYBODY, 'uav_3', 'target']),
    st.booleans(),
    st.integers(1, LARGEST_STAMP_NS - 1),
)
def test_an_order_there_and_back(scope, stop, stamp_ns) -> None:
    order = StopOrder(scope, stop, stamp_ns, 'ann')
    assert order_of(read_word('ann', fields_of(word_of(order)))) == order


@given(st.floats(1e-6, 60.0))
def test_a_heartbeat_there_and_back(timeout) -> None:
    word = StopWord(HEARTBEAT, source='ann', timeout=timeout)
    assert read_word('ann', fields_of(word)) == word


@pytest.mark.parametrize('kind', [HEARTBEAT_ENDS, END_HOLD])
def test_other_items_there_and_back(kind) -> None:
    word = StopWord(kind, source='ann')
    assert read_word('ann', fields_of(word)) == word
    assert order_of(word) is None


@pytest.mark.parametrize(
    ('fields', 'reason'),
    [
        ({}, "kind = '' must be stop"),
        ({'kind': 'Release'}, "kind = 'Release'"),
        ({'kind': 'release'}, "stamp_ns = ''"),
        ({'kind': 'release', 'stamp_ns': 'nan'}, "stamp_ns = 'nan'"),
        ({'kind': 'release', 'stamp_ns': '-5'}, "stamp_ns = '-5'"),
        ({'kind': 'release', 'stamp_ns': '0'}, "stamp_ns = '0'"),
        ({'kind': 'release', 'stamp_ns': '1e18'}, "stamp_ns = '1e18'"),
        ({'kind': 'release', 'stamp_ns': '9' * 30}, 'stamp_ns'),
        ({'kind': 'release', 'stamp_ns': '\u0665'}, 'stamp_ns'),
        ({'kind': 'stop', 'stamp_ns': '5', 'member': 'uav 3'}, "member = 'uav 3'"),
        ({'kind': 'stop', 'stamp_ns': '5', 'member': '/uav_3'}, "member = '/uav_3'"),
        ({'kind': 'heartbeat'}, "timeout_s = ''"),
        ({'kind': 'heartbeat', 'timeout_s': 'nan'}, "timeout_s = 'nan'"),
        ({'kind': 'heartbeat', 'timeout_s': 'inf'}, "timeout_s = 'inf'"),
        ({'kind': 'heartbeat', 'timeout_s': '0'}, "timeout_s = '0'"),
        ({'kind': 'heartbeat', 'timeout_s': '61'}, "timeout_s = '61'"),
    ],
)
def test_invalid_items_are_refused_with_the_value(fields, reason) -> None:
    with pytest.raises(MalformedStateError, match='must be') as found:
        read_word('ann', fields)
    assert reason in str(found.value)


@given(st.dictionaries(st.sampled_from(['kind', 'stamp_ns', 'member', 'timeout_s']), st.text()))
def test_any_text_is_read_or_refused(fields) -> None:
    try:
        word = read_word('ann', fields)
    except MalformedStateError:
        return
    assert word.kind in KINDS
