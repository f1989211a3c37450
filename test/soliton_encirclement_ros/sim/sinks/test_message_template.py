"""Messages printed by a stencil are those of the serializer."""

import struct

import numpy as np
import pytest
from rosbags.typesys import Stores, get_typestore
from soliton_encirclement_ros.core.states.swarm_topics import TARGET
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    CLOCK_TYPE,
    JOINT_STATE_TYPE,
    ODOMETRY_TYPE,
    BagMessages,
    MessageTemplate,
    MessageTemplates,
)

TYPES = get_typestore(Stores.LATEST)
MESSAGES = BagMessages(TYPES)
DRAWS = [
    (MESSAGES.clock(), 0, CLOCK_TYPE),
    (MESSAGES.odometry('uav_12'), 6, ODOMETRY_TYPE),
    (MESSAGES.odometry(TARGET), 6, ODOMETRY_TYPE),
    (MESSAGES.agent(3), 9, JOINT_STATE_TYPE),
    (MESSAGES.agent(1000), 9, JOINT_STATE_TYPE),
    (MESSAGES.target([3, 12]), 10, JOINT_STATE_TYPE),
    (MESSAGES.adversary(), 7, JOINT_STATE_TYPE),
    (MESSAGES.telemetry(('u', 'loss')), 11, JOINT_STATE_TYPE),
    (MESSAGES.metrics(), 7, JOINT_STATE_TYPE),
]
STAMPS = np.array([0, 50_000_000, 1_000_000_000, 86_400_999_999_999])


@pytest.mark.parametrize(('draw', 'count', 'kind'), DRAWS)
def test_numbers_and_stamps_stand_where_the_serializer_puts_them(draw, count, kind) -> None:
    numbers = np.random.default_rng(5).normal(size=(len(STAMPS), count))
    numbers[1:2] = np.inf
    printed = MessageTemplate(draw, count).print(STAMPS, numbers)
    for data, row, stamp_ns in zip(printed, numbers, STAMPS.tolist(), strict=True):
        expected = bytearray(draw(row.tolist()))
        struct.pack_into('<iI', expected, 4, *divmod(stamp_ns, 1_000_000_000))
        assert data == expected
        message = TYPES.deserialize_cdr(data, kind)
        stamp = getattr(message, 'clock', None) or message.header.stamp
        assert stamp.sec * 1_000_000_000 + stamp.nanosec == stamp_ns


def test_a_number_that_has_no_place_is_found_at_once() -> None:
    with pytest.raises(ValueError, match='not found'):
        MessageTemplate(lambda numbers: struct.pack('<d', numbers[0]), 2)


def test_what_is_left_out_is_in_no_message() -> None:
    """Every row has a layout of its own, by what it tells."""
    ids = [1, 4, 9]
    numbers = np.random.default_rng(6).normal(size=(len(STAMPS), 11))
    numbers[0, 8:] = np.nan
    numbers[1, 9] = numbers[3, 9] = np.nan
    stencils = MessageTemplates(lambda told: MESSAGES.target([ids[i] for i in told]), 8)
    for data, row in zip(stencils.print(STAMPS, numbers), numbers, strict=True):
        told = [k for k, weight in zip(ids, row[8:], strict=True) if not np.isnan(weight)]
        found = TYPES.deserialize_cdr(data, JOINT_STATE_TYPE)
        assert [name for name in found.name if 'lambda' in name] == [
            f'uav_{k}/lambda' for k in told
        ]
        assert list(found.position) == [*row[:3], row[6], row[7], *row[8:][~np.isnan(row[8:])]]
