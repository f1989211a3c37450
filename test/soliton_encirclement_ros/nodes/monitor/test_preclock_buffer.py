"""What is said before the clock is known."""

from soliton_encirclement_ros.nodes.monitor import preclock_buffer
from soliton_encirclement_ros.nodes.monitor.preclock_buffer import Early, PreclockBuffer


def test_everything_comes_back_in_order_once_and_what_is_latched_first():
    early = PreclockBuffer()
    early.add(Early('/odom', 5, b'a'), latched=False)
    early.add(Early('/map', None, b'b'), latched=True)
    early.add(Early('/odom', 6, b'c'), latched=False)
    assert [one.data for one in early.take()] == [b'b', b'a', b'c']
    assert early.take() == [] and early.left_out == 0


def test_the_oldest_go_when_there_is_too_much_but_nothing_latched(monkeypatch):
    monkeypatch.setattr(preclock_buffer, 'LARGEST', 10)
    early = PreclockBuffer()
    early.add(Early('/map', None, bytes(100)), latched=True)
    for stamp_ns in range(5):
        early.add(Early('/odom', stamp_ns, bytes(4)), latched=False)
    assert [one.stamp_ns for one in early.take()] == [None, 3, 4]
    assert early.left_out == 3
