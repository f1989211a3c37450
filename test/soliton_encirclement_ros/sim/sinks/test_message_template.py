"""Messages printed by a stencil are those of the serializer."""

import numpy as np
import pytest
from rosbags.typesys import Stores, get_typestore

from soliton_encirclement_ros.core.states.swarm_topics import TARGET
from soliton_encirclement_ros.sim.sinks import bag_messages
from soliton_encirclement_ros.sim.sinks.bag_messages import (
    CLOCK, JOINT_STATE, ODOMETRY, GroupTemplates, MessageTemplate
)
from velocity_mobility_ros.core import cdr

TYPES = get_typestore(Stores.LATEST)
SAID = [
    (CLOCK, bag_messages.nothing, 0),
    (ODOMETRY, bag_messages.odometry('uav_12'), 6),
    (ODOMETRY, bag_messages.odometry(TARGET, tilts=True), 13),
    (JOINT_STATE, bag_messages.agent(3), 9),
    (JOINT_STATE, bag_messages.agent(1000), 9),
    (JOINT_STATE, bag_messages.target([3, 12]), 10),
    (JOINT_STATE, bag_messages.adversary(), 7),
    (JOINT_STATE, bag_messages.telemetry(('u', 'loss')), 11),
    (JOINT_STATE, bag_messages.metrics, 7),
]
STAMPS = np.array([0, 50_000_000, 1_000_000_000, 86_400_999_999_999])


@pytest.mark.parametrize(('kind', 'values', 'count'), SAID)
def test_numbers_and_stamps_stand_where_the_serializer_puts_them(kind, values, count) -> None:
    numbers = np.random.default_rng(5).normal(size=(len(STAMPS), count))
    numbers[1:2] = np.inf
    printed = MessageTemplate(kind, values, count).serialize(STAMPS, numbers)
    for data, row, stamp_ns in zip(printed, numbers, STAMPS.tolist(), strict=True):
        sec, nanosec = divmod(stamp_ns, 1_000_000_000)
        told = {'sec': sec, 'nanosec': nanosec, **values(row.tolist())}
        assert data == cdr.encode(kind.fields, told)
        message = TYPES.deserialize_cdr(data, kind.name)
        assert bytes(TYPES.serialize_cdr(message, kind.name)) == data
        stamp = getattr(message, 'clock', None) or message.header.stamp
        assert stamp.sec * 1_000_000_000 + stamp.nanosec == stamp_ns


def test_a_number_that_has_no_place_is_found_at_once() -> None:
    with pytest.raises(ValueError, match='not in'):
        MessageTemplate(ODOMETRY, lambda numbers: {'linear': (numbers[0], 0.0, 0.0)}, 2)


def test_what_is_left_out_is_in_no_message() -> None:
    """Every row has a layout of its own, by what it tells."""
    ids = [1, 4, 9]
    numbers = np.random.default_rng(6).normal(size=(len(STAMPS), 11))
    numbers[0, 8:] = np.nan
    numbers[1, 9] = numbers[3, 9] = np.nan
    weights = numbers[:, 8:]
    named = np.where(np.isnan(weights), -1, np.arange(3))
    groups = np.stack([weights, named], axis=2).reshape(len(numbers), -1)
    templates = GroupTemplates(
        JOINT_STATE, lambda told: bag_messages.target([ids[i] for i in told]), 8, 1
    )
    messages = templates.serialize(STAMPS, np.hstack([numbers[:, :8], groups]))
    for data, row in zip(messages, numbers, strict=True):
        told = [k for k, weight in zip(ids, row[8:], strict=True) if not np.isnan(weight)]
        found = TYPES.deserialize_cdr(data, JOINT_STATE.name)
        assert [name for name in found.name if 'lambda' in name] == [
            f'uav_{k}/lambda' for k in told
        ]
        assert list(found.position) == [*row[:3], row[6], row[7], *row[8:][~np.isnan(row[8:])]]
