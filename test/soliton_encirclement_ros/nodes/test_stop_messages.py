"""Messages of the emergency stop: there and back; damaged ones are refused, item by item."""

from diagnostic_msgs.msg import DiagnosticStatus
from hypothesis import given, strategies as st
from rclpy.serialization import serialize_message

from soliton_encirclement_ros.core.emergency_stop import (
    HEARTBEAT, TO_RELEASE, TO_STOP, StopMessage
)
from soliton_encirclement_ros.nodes.stop_topic import read_words, stop_message

WORDS = [
    StopMessage(TO_STOP, 'uav_3', 'ann', 5),
    StopMessage(TO_RELEASE, '', 'bob', 6),
    StopMessage(HEARTBEAT, source='ann', timeout=0.1),
]


def test_items_there_and_back_with_the_levels_of_tools() -> None:
    message = stop_message(WORDS, 7_000_000_008)
    assert [status.level for status in message.status] == [b'\x02', b'\x00', b'\x01']
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (7, 8)
    assert read_words(serialize_message(message)) == (WORDS, [])


def test_an_invalid_item_spoils_no_other() -> None:
    message = stop_message(WORDS, 1)
    message.status.insert(0, DiagnosticStatus(name='uav_1/agent: control'))
    message.status[1].values[1].value = '-1'
    words, reasons = read_words(serialize_message(message))
    assert words == WORDS[1:]
    assert reasons[0] == "name = 'uav_1/agent: control' must be 'emergency stop'"
    assert reasons[1].startswith("stamp_ns = '-1' must be")


@given(st.integers(0, 200))
def test_a_cut_message_holds_nothing(length) -> None:
    data = serialize_message(stop_message(WORDS, 1))[:length]
    assert read_words(data)[0] == []
