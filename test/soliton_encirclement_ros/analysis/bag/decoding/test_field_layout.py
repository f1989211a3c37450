"""Layouts found by walking one message, against the library's own deserialisation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.bag.decoding import message_decoder
from soliton_encirclement_ros.analysis.bag.decoding.field_layout import LayoutError, layout_of
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import MessageDecoder
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Channel, MessageBatch
from support.recorded.bags import TYPES, Scribe

JOINTS = 'sensor_msgs/msg/JointState'
NUMBERS = st.floats(width=64, allow_nan=False)


def batch(messages: list[bytes]) -> MessageBatch:
    sizes = np.array([len(data) for data in messages], np.int64)
    buffer = np.frombuffer(b''.join(messages), np.uint8)
    starts = np.cumsum(sizes) - sizes
    return MessageBatch(Channel('/a', JOINTS), np.arange(len(messages)), buffer, starts, sizes)


@settings(max_examples=60, deadline=None)
@given(
    said=st.lists(
        st.tuples(
            st.lists(st.text(max_size=6).filter(lambda text: '\0' not in text), max_size=5),
            st.lists(NUMBERS, max_size=5),
            st.integers(0, 2**31 - 1),
        ),
        min_size=1, max_size=12,
    ),
    little=st.booleans(),
)  # fmt: skip
def test_numbers_and_texts_are_those_that_were_written(said: list, little: bool) -> None:
    scribe = Scribe(little_endian=little)
    messages = [scribe.joints(at, names, numbers) for names, numbers, at in said]
    decoder, rows = MessageDecoder(TYPES.fielddefs, JOINTS), {}
    for group in decoder.groups(batch(messages)):
        field = group.layout.fields['position']
        for row, numbers in zip(group.rows.tolist(), group.take([field]).tolist(), strict=True):
            rows[row] = group.layout.texts['name'], numbers
    assert rows == {i: (tuple(names), list(numbers)) for i, (names, numbers, _) in enumerate(said)}
    assert decoder.odd == 0


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_layout_or_refused(data: bytes) -> None:
    try:
        layout = layout_of(TYPES.fielddefs, JOINTS, b'\0\1\0\0' + data)
    except LayoutError:
        return
    ends = [f.offset + f.count * int(f.code[2:]) for f in layout.fields.values()]
    assert max(ends) <= len(data) + 4


@pytest.mark.parametrize('change', ['short', 'long', 'encoding', 'length'])
def test_damaged_messages_are_counted(change: str) -> None:
    sound = Scribe().odometry(1, (1, 2, 3), (4, 5, 6))
    damaged = {
        'short': sound[:-8], 'long': sound + bytes(8), 'encoding': b'\7' + sound[1:],
        'length': sound[:12] + b'\xff\xff' + sound[14:],
    }[change]  # fmt: skip
    decoder = MessageDecoder(TYPES.fielddefs, 'nav_msgs/msg/Odometry')
    groups = list(decoder.groups(batch([sound, damaged, sound])))
    assert [row for group in groups for row in group.rows.tolist()] == [0, 2]
    assert decoder.odd == 1


def test_padding_may_hold_anything() -> None:
    sound = bytearray(Scribe().joints(1, ['ab', 'c'], [1.0, math.pi]))
    other = bytearray(sound)
    at = sound.index(b'ab\0') + 3
    assert sound[at] == 0
    other[at] = 77
    decoder = MessageDecoder(TYPES.fielddefs, JOINTS)
    (group,) = decoder.groups(batch([bytes(sound), bytes(other)]))
    assert group.rows.tolist() == [0, 1]


def test_pieces_of_a_long_bag_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_decoder, 'MAX_SMALL', 3)
    pieces = message_decoder.Pieces()
    for k in range(8):
        pieces.add(np.array([2 * k, 2 * k + 1]))
    (column,) = pieces.whole()
    assert column.tolist() == [*range(16)]
