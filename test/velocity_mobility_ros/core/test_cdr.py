"""Many messages read and written at once, against the library's own serialization."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from support.recorded.bags import TYPES, Scribe
from velocity_mobility_ros.core.cdr import (
    BILLION, JOINT_STATE, ODOMETRY, Layout, LayoutError, encode
)
from velocity_mobility_ros.core.cdr_readers import (
    MAX_LAYOUT_BYTES, MAX_LAYOUTS, BatchReader, MessageReader, take
)

JOINTS = 'sensor_msgs/msg/JointState'
NUMBERS = st.floats(width=64, allow_nan=False)


def batch(messages: list[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sizes = np.array([len(data) for data in messages], np.int64)
    return np.frombuffer(b''.join(messages), np.uint8), np.cumsum(sizes) - sizes, sizes


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
    reader, rows = BatchReader(JOINT_STATE), {}
    buffer, starts, sizes = batch(messages)
    for found, layout in reader.groups(buffer, starts, sizes):
        told = take(buffer, starts[found], [layout.fields['position']])
        for row, numbers in zip(found.tolist(), told.tolist(), strict=True):
            rows[row] = layout.texts['name'], numbers
    assert rows == {i: (tuple(names), list(numbers)) for i, (names, numbers, _) in enumerate(said)}
    assert reader.odd == 0


def test_what_is_written_the_library_reads() -> None:
    stamps = np.array([5, 2**40 + 7])
    columns = np.arange(2 * 5.0).reshape(2, 5) / 3.0
    values = {'frame': 'map', 'name': ['a', 'bcd'], 'position': [0.0] * 3, 'velocity': [0.0] * 2}
    messages = Layout(JOINT_STATE, encode(JOINT_STATE, values)).write_many(stamps, columns)
    for data, stamp_ns, numbers in zip(messages, stamps.tolist(), columns.tolist(), strict=True):
        message = TYPES.deserialize_cdr(data, JOINTS)
        assert (message.header.frame_id, message.name) == ('map', ['a', 'bcd'])
        assert message.header.stamp.sec * BILLION + message.header.stamp.nanosec == stamp_ns
        assert [*message.position, *message.velocity, *message.effort] == numbers


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_layout_or_refused(data: bytes) -> None:
    try:
        layout = Layout(JOINT_STATE, b'\0\1\0\0' + data)
    except LayoutError:
        return
    assert max(field.end for field in layout.fields.values()) <= len(data) + 4


@pytest.mark.parametrize('change', ['short', 'long', 'encoding', 'length', 'text'])
def test_damaged_messages_are_counted(change: str) -> None:
    sound = Scribe().odometry(1, (1, 2, 3), (4, 5, 6))
    damaged = {
        'short': sound[:-8], 'long': sound + bytes(8), 'encoding': b'\7' + sound[1:],
        'length': sound[:12] + b'\xff\xff' + sound[14:], 'text': sound.replace(b'map', b'm\0p'),
    }[change]  # fmt: skip
    reader = BatchReader(ODOMETRY)
    groups = [*reader.groups(*batch([sound, damaged, sound]))]
    assert [row for rows, _ in groups for row in rows.tolist()] == [0, 2]
    assert reader.odd == 1


def test_padding_may_hold_anything() -> None:
    sound = bytearray(Scribe().joints(1, ['ab', 'c'], [1.0, math.pi]))
    other = bytearray(sound)
    at = sound.index(b'ab\0') + 3
    assert sound[at] == 0
    other[at] = 77
    ((rows, _),) = BatchReader(JOINT_STATE).groups(*batch([bytes(sound), bytes(other)]))
    assert rows.tolist() == [0, 1]


@pytest.mark.parametrize('kind', ['one by one', 'many at once'])
def test_long_texts_that_are_never_the_same_do_not_fill_the_memory(kind: str) -> None:
    """A stranger may send them for ever; twelve times what may be kept is enough to see it."""
    size = MAX_LAYOUT_BYTES // 40
    reader = MessageReader(JOINT_STATE, lambda layout: None, MAX_LAYOUTS)
    batches = BatchReader(JOINT_STATE)
    tracemalloc.start()
    for k in range(480):
        data = encode(JOINT_STATE, {'name': [str(k) * (size // len(str(k)))]})
        if kind == 'one by one':
            reader.read(data)
        else:
            list(batches.groups(*batch([data])))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 6 * MAX_LAYOUT_BYTES
