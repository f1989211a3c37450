"""A bag of serialized messages."""

import time
from pathlib import Path

import pytest
from rosbags.rosbag2 import Reader
from soliton_encirclement_ros.core import bag_writer
from soliton_encirclement_ros.core.bag_writer import BagWriter
from support.run_folder import read_bag_with_mcap, read_bag_with_rosbags, stream_log_times

KIND = 'std_msgs/msg/String'
HELLO = b'\x00\x01\x00\x00\x06\x00\x00\x00hello\x00'


def add_note(bag: BagWriter):
    return bag.add_topic('/note', KIND, reliable=True, latched=True, depth=3)


def test_what_was_written_is_read_by_two_libraries(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag')
    note = add_note(bag)
    for stamp_ns in (5, 7):
        bag.write(note, stamp_ns, HELLO)
    assert bag.messages == 2
    bag.close()
    bag.close()
    for read in (read_bag_with_mcap, read_bag_with_rosbags):
        found = read(tmp_path / 'bag')['/note']
        assert [(m.logged_ns, m.message.data) for m in found] == [(5, 'hello'), (7, 'hello')]


def test_the_offer_is_kept(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag')
    add_note(bag)
    bag.close()
    with Reader(tmp_path / 'bag') as reader:
        (offer,) = reader.connections[0].ext.offered_qos_profiles
    assert (offer.reliability.name, offer.durability.name, offer.depth) == (
        'RELIABLE', 'TRANSIENT_LOCAL', 3
    )  # fmt: skip


def test_it_knows_standard_types_only(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag')
    assert bag.knows('nav_msgs/msg/Odometry')
    assert not bag.knows('my_msgs/msg/Thing')
    bag.close()


def test_messages_are_on_disk_before_the_end(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(bag_writer, 'CHUNK_PERIOD', 0.01)
    bag = BagWriter(tmp_path / 'bag')
    note = add_note(bag)
    for stamp_ns in (1, 2):
        time.sleep(0.02)
        bag.write(note, stamp_ns, HELLO)
        assert max(stream_log_times(tmp_path / 'bag' / 'bag.mcap')) == stamp_ns
    bag.close()


def test_a_bag_that_cannot_be_ended_is_an_error_once(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag')
    bag.write(add_note(bag), 5, HELLO)
    (tmp_path / 'bag').rename(tmp_path / 'elsewhere')
    with pytest.raises(FileNotFoundError, match='No such file'):
        bag.close()
    bag.close()
    assert stream_log_times(tmp_path / 'elsewhere' / 'bag.mcap') == [5]
