"""The stamp of a serialized message."""

import pytest
from soliton_encirclement_ros.nodes.raw_stamp import stamp_ns

ODOMETRY = 'nav_msgs/msg/Odometry'


@pytest.mark.parametrize('order', ['little', 'big'])
def test_either_byte_order_is_read(order):
    head = bytes([0, 1 if order == 'little' else 0, 0, 0])
    data = head + (-2).to_bytes(4, order, signed=True) + (5).to_bytes(4, order) + b'more'
    assert stamp_ns(ODOMETRY, data) == -2 * 10**9 + 5


@pytest.mark.parametrize(
    ('kind', 'data'), [('std_msgs/msg/String', bytes(20)), (ODOMETRY, bytes(11)), (ODOMETRY, b'')]
)
def test_what_has_no_stamp_has_none(kind, data):
    assert stamp_ns(kind, data) is None
