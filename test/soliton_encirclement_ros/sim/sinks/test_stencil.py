"""Messages printed by a stencil are those of the serializer."""

import struct

import numpy as np
import pytest
from rosbags.typesys import Stores, get_typestore
from soliton_encirclement_ros.core.topics import TARGET
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    CLOCK_TYPE,
    JOINT_STATE_TYPE,
    ODOMETRY_TYPE,
    BagMessages,
)
from soliton_encirclement_ros.sim.sinks.stencil import Stencil

TYPES = get_typestore(Stores.LATEST)
MESSAGES = BagMessages(TYPES)
DRAWS = [
    (MESSAGES.clock(), 0, CLOCK_TYPE),
    (MESSAGES.odometry('uav_12'), 6, ODOMETRY_TYPE),
    (MESSAGES.odometry(TARGET), 6, ODOMETRY_TYPE),
    (MESSAGES.agent(3), 9, JOINT_STATE_TYPE),
    (MESSAGES.agent(1000), 9, JOINT_STATE_TYPE),
    (MESSAGES.target(), 8, JOINT_STATE_TYPE),
    (MESSAGES.adversary(), 7, JOINT_STATE_TYPE),
    (MESSAGES.telemetry(('u', 'loss')), 11, JOINT_STATE_TYPE),
    (MESSAGES.metrics(), 7, JOINT_STATE_TYPE),
]
STAMPS = np.array([0, 50_000_000, 1_000_000_000, 86_400_999_999_999])


@pytest.mark.parametrize(('draw', 'count', 'kind'), DRAWS)
def test_numbers_and_stamps_stand_where_the_serializer_puts_them(draw, count, kind) -> None:
    numbers = np.random.default_rng(5).normal(size=(len(STAMPS), count))
    numbers[1:2] = np.inf
    printed = Stencil(draw, count).print(STAMPS, numbers)
    for data, row, stamp_ns in zip(printed, numbers, STAMPS.tolist(), strict=True):
        expected = bytearray(draw(row.tolist()))
        struct.pack_into('<iI', expected, 4, *divmod(stamp_ns, 1_000_000_000))
        assert data == expected
        message = TYPES.deserialize_cdr(data, kind)
        stamp = getattr(message, 'clock', None) or message.header.stamp
        assert stamp.sec * 1_000_000_000 + stamp.nanosec == stamp_ns


def test_a_number_that_has_no_place_is_found_at_once() -> None:
    with pytest.raises(ValueError, match='not found'):
        Stencil(lambda numbers: struct.pack('<d', numbers[0]), 2)
