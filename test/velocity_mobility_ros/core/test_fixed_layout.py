"""Messages that hold numbers only, as bytes: each number at its place."""

import math
import struct

import pytest
from hypothesis import given, strategies as some

from velocity_mobility_ros.core.cdr import HEADER, NUMBERS
from velocity_mobility_ros.core.cdr_readers import FixedLayout

FIELDS = {
    'stamp': 'uint64', 'is_good': 'boolean', 'x': 'float', 'q': 'float[4]', 'mode': 'uint8',
    'place': 'double', 'count': 'int16', 'flags': 'boolean[3]', 'last': 'uint8',
}  # fmt: skip
VALUES = {
    'stamp': 2**60, 'is_good': True, 'x': 1.5, 'q': (1.0, 2.0, -3.0, math.inf), 'mode': 200,
    'place': 47.39, 'count': -7, 'flags': (True, False, True), 'last': 9,
}  # fmt: skip
PLACES = struct.Struct('<Q?3xf4fB7xdh3?B')
"""The same by hand: every number at a multiple of its size, as it is counted behind the header."""


def test_every_number_stands_at_a_multiple_of_its_size():
    layout = FixedLayout(FIELDS)
    flat = (2**60, True, 1.5, 1.0, 2.0, -3.0, math.inf, 200, 47.39, -7, True, False, True, 9)
    body = PLACES.pack(*flat)
    assert layout.size == len(HEADER) + len(body)
    data = layout.write(VALUES)
    assert data[: layout.size] == HEADER + body
    assert len(data) % 4 == 0 and layout.fits(data)
    assert layout.read(data)._asdict() == VALUES


@given(some.lists(some.sampled_from(sorted(NUMBERS)), min_size=1, max_size=12), some.data())
def test_there_and_back(kinds, data):
    fields = {f'f{k}': kind for k, kind in enumerate(kinds)}
    values = {}
    for name, kind in fields.items():
        size = 8 * struct.calcsize(NUMBERS[kind])
        if kind.startswith('float') or kind == 'double':
            values[name] = data.draw(some.floats(width=size, allow_nan=False))
        elif kind == 'boolean':
            values[name] = data.draw(some.booleans())
        else:
            low = -(2 ** (size - 1)) if kind.startswith('int') else 0
            values[name] = data.draw(some.integers(low, low + 2**size - 1))
    layout = FixedLayout(fields)
    assert layout.read(layout.write(values))._asdict() == values


@pytest.mark.parametrize(('change', 'fits'), [(0, True), (3, True), (4, False), (-1, False)])
def test_the_size_tells_whether_a_message_fits(change, fits):
    layout = FixedLayout(FIELDS)
    assert layout.fits(bytes(layout.size + change)) == fits


def test_other_encodings_are_left_to_ros():
    layout = FixedLayout({'x': 'float'})
    assert layout.read(b'\0\0\0\0' + struct.pack('>f', 1.5)) is None
    assert layout.read(b'\0\7\0\0' + struct.pack('<f', 1.5)) is None


@pytest.mark.parametrize('kind', ['string', 'sequence<float>', 'std_msgs/Header', 'float['])
def test_what_has_no_fixed_place_is_refused(kind):
    with pytest.raises(ValueError, match=r'has no fixed place|is no kind of field'):
        FixedLayout({'x': kind})


def test_a_field_that_is_missing_is_an_error():
    with pytest.raises(KeyError, match='last'):
        FixedLayout(FIELDS).write({name: VALUES[name] for name in [*VALUES][:-1]})
