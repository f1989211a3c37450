"""Messages of PX4 that nothing in the bag defines: their length tells the release."""

import pytest
from rosbags.typesys import get_types_from_msg
from soliton_encirclement_ros.analysis.bag.decoding.field_layout import layout_of
from soliton_encirclement_ros.analysis.bag.decoding.px4_definitions import (
    KNOWN,
    PADDING,
    px4_definition,
)

EVERY = [(kind, length) for kind, releases in KNOWN.items() for length in releases]


@pytest.mark.parametrize(('kind', 'length'), EVERY)
def test_a_definition_is_as_long_as_it_says(kind: str, length: int) -> None:
    release, text = px4_definition(kind, length)
    types = get_types_from_msg(text, kind)
    message = bytes([0, 1, 0, 0]) + bytes(length - 4)
    last = max(layout_of(types, kind, message).fields.values(), key=lambda field: field.offset)
    size = {'u1': 1, 'f4': 4, 'f8': 8, 'u8': 8}[last.code[1:]]
    assert release and last.offset + size * last.count == length


@pytest.mark.parametrize(('kind', 'length'), EVERY)
def test_padding_changes_nothing_and_other_lengths_are_unknown(kind: str, length: int) -> None:
    assert px4_definition(kind, length + PADDING) == px4_definition(kind, length)
    assert px4_definition(kind, length - 1) != px4_definition(kind, length)
    assert px4_definition(kind, 2 * length) == ('', '')


def test_other_types_are_unknown() -> None:
    assert px4_definition('px4_msgs/msg/VehicleStatus', 84) == ('', '')


@pytest.mark.parametrize(('length', 'altitude'), [(184, 140), (188, 140), (204, 156), (220, 156)])
def test_fields_stand_where_px4_has_them(length: int, altitude: int) -> None:
    kind = 'px4_msgs/msg/VehicleLocalPosition'
    types = get_types_from_msg(px4_definition(kind, length)[1], kind)
    fields = layout_of(types, kind, bytes([0, 1, 0, 0]) + bytes(length - 4)).fields
    assert (fields['heading'].offset, fields['ref_alt'].offset) == (104, altitude)
