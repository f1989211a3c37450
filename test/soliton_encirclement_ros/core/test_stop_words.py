"""Orders of the emergency stop on the wire, and the stamps that decide which one counts."""

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.emergency_stop import (
    CLOCK_TOLERANCE_NS, END_HOLD, EVERYBODY, HEARTBEAT, HEARTBEAT_ENDS, KINDS, LARGEST_STAMP_NS,
    StopMessage, StopOrder, fields_of, is_premature, message_of_order, next_stamp_ns, order_of,
    overrules, read_stop
)
from soliton_encirclement_ros.core.errors import MalformedStateError


@given(
    st.sampled_from([EVERYBODY, 'uav_3', 'target']),
    st.booleans(),
    st.integers(1, LARGEST_STAMP_NS - 1),
)
def test_an_order_there_and_back(scope, stop, stamp_ns) -> None:
    order = StopOrder(scope, stop, stamp_ns, 'ann')
    assert order_of(read_stop('ann', fields_of(message_of_order(order)))) == order


@given(st.floats(1e-6, 60.0))
def test_a_heartbeat_there_and_back(timeout) -> None:
    word = StopMessage(HEARTBEAT, source='ann', timeout=timeout)
    assert read_stop('ann', fields_of(word)) == word


@pytest.mark.parametrize('kind', [HEARTBEAT_ENDS, END_HOLD])
def test_other_items_there_and_back(kind) -> None:
    word = StopMessage(kind, source='ann')
    assert read_stop('ann', fields_of(word)) == word
    assert order_of(word) is None


@pytest.mark.parametrize(
    ('fields', 'reason'),
    [
        ({}, "kind = '' must be stop"),
        ({'kind': 'release'}, "stamp_ns = ''"),
        ({'kind': 'release', 'stamp_ns': '-5'}, "stamp_ns = '-5'"),
        ({'kind': 'release', 'stamp_ns': '0'}, "stamp_ns = '0'"),
        ({'kind': 'release', 'stamp_ns': '9' * 30}, 'stamp_ns'),
        ({'kind': 'release', 'stamp_ns': '\u0665'}, 'stamp_ns'),
        ({'kind': 'stop', 'stamp_ns': '5', 'member': 'uav 3'}, "member = 'uav 3'"),
        ({'kind': 'heartbeat', 'timeout_s': 'nan'}, "timeout_s = 'nan'"),
        ({'kind': 'heartbeat', 'timeout_s': '0'}, "timeout_s = '0'"),
        ({'kind': 'heartbeat', 'timeout_s': '61'}, "timeout_s = '61'"),
    ],
)
def test_invalid_items_are_refused_with_the_value(fields, reason) -> None:
    with pytest.raises(MalformedStateError, match='must be') as found:
        read_stop('ann', fields)
    assert reason in str(found.value)


@given(st.dictionaries(st.sampled_from(['kind', 'stamp_ns', 'member', 'timeout_s']), st.text()))
def test_any_text_is_read_or_refused(fields) -> None:
    try:
        word = read_stop('ann', fields)
    except MalformedStateError:
        return
    assert word.kind in KINDS


STAMPS = st.integers(1, 10 * CLOCK_TOLERANCE_NS)


@given(STAMPS, STAMPS, st.booleans(), st.booleans())
def test_an_order_given_after_one_that_is_known_counts(known_ns, now_ns, was_stop, stop) -> None:
    """A slow clock loses no order, and none of a clock that runs ahead is refused for it."""
    before = StopOrder(EVERYBODY, was_stop, known_ns, 'ann')
    stamp_ns = next_stamp_ns({EVERYBODY: before}, EVERYBODY, now_ns)
    order = StopOrder(EVERYBODY, stop, stamp_ns, 'bob')
    assert overrules(order, before)
    assert not is_premature(order, before, now_ns)


def test_a_release_from_the_future_is_premature_and_a_stop_never() -> None:
    ahead = StopOrder(EVERYBODY, False, 100 + CLOCK_TOLERANCE_NS + 1, 'ann')
    assert is_premature(ahead, None, 100)
    assert is_premature(ahead, StopOrder(EVERYBODY, True, 50, 'bob'), 100)
    assert not is_premature(ahead, StopOrder(EVERYBODY, True, 101, 'bob'), 100)
    assert not is_premature(ahead._replace(stop=True), None, 100)
