"""A bag of serialized messages."""

import math
from binascii import crc32
from pathlib import Path

import pytest
from mcap.reader import make_reader
from mcap.records import Chunk, Message
from mcap.stream_reader import CRCValidationError, StreamReader
from rosbags.rosbag2 import Reader

from soliton_encirclement_ros.core import bag_writer
from soliton_encirclement_ros.core.bag_writer import BagWriter
from support.full_disk import limit
from support.recorded.run_folder import read_bag_with_mcap, read_bag_with_rosbags, stream_log_times

__all__ = ['limit']

KIND = 'std_msgs/msg/String'
AT_ONCE, NEVER = -1.0, math.inf
"""After which wall time [s] a chunk ends; so no test depends on how fast the machine is."""

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


def test_messages_are_on_disk_before_the_end(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(bag_writer, 'CHUNK_PERIOD', AT_ONCE)
    bag = BagWriter(tmp_path / 'bag')
    note = add_note(bag)
    for stamp_ns in (1, 2):
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


def write_many(bag: BagWriter, topic, count: int) -> None:
    for stamp_ns in range(1, count + 1):
        bag.write(topic, stamp_ns, HELLO)


def chunks_of(path: Path) -> list:
    with path.open('rb') as file:
        records = StreamReader(file, emit_chunks=True).records
        return [record for record in records if isinstance(record, Chunk)]


def test_every_chunk_has_a_checksum_so_that_damage_is_told_from_data(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag')
    note = add_note(bag)
    for stamp_ns in range(1, 40_000):
        bag.write(note, stamp_ns, HELLO)
    bag.close()
    path = tmp_path / 'bag' / 'bag.mcap'
    chunks = chunks_of(path)
    assert len(chunks) > 1
    assert [chunk.uncompressed_crc for chunk in chunks] == [crc32(chunk.data) for chunk in chunks]
    with path.open('rb') as file:
        records = list(StreamReader(file, validate_crcs=True).records)
    assert len([record for record in records if isinstance(record, Message)]) == 39_999
    content = bytearray(path.read_bytes())
    content[content.index(b'hello')] ^= 1
    path.write_bytes(content)
    with path.open('rb') as file, pytest.raises(CRCValidationError):
        list(StreamReader(file, validate_crcs=True).records)


def test_a_silent_bag_is_on_disk_as_well(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(bag_writer, 'CHUNK_PERIOD', NEVER)
    bag = BagWriter(tmp_path / 'bag', durable=True)
    bag.write(add_note(bag), 5, HELLO)
    path = tmp_path / 'bag' / 'bag.mcap'
    size = path.stat().st_size
    monkeypatch.setattr(bag_writer, 'CHUNK_PERIOD', AT_ONCE)
    bag.keep()
    assert stream_log_times(path) == [5] and path.stat().st_size > size
    size = bag.bytes
    bag.keep()
    assert bag.bytes == path.stat().st_size == size
    bag.close()
    assert bag.bytes == path.stat().st_size


def test_a_bag_is_split_into_files_of_a_size(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'my.flight', max_bytes=1_000_000)
    note, other = add_note(bag), None
    for stamp_ns in range(1, 50_001):
        bag.write(note, stamp_ns, HELLO)
        if stamp_ns == 30_000:
            other = bag.add_topic('/other', KIND, reliable=True, latched=False, depth=1)
    bag.write(other, 50_001, HELLO)
    assert not (tmp_path / 'my.flight' / 'metadata.yaml').exists()
    bag.close()
    files = sorted(path.name for path in (tmp_path / 'my.flight').glob('*.mcap'))
    assert files == [f'my.flight_{k}.mcap' for k in range(len(files))]
    assert len(files) > 1, 'two on a slow machine, where chunks also end by time'
    assert bag.bytes == sum((tmp_path / 'my.flight' / name).stat().st_size for name in files)
    found = read_bag_with_rosbags(tmp_path / 'my.flight')
    assert [m.logged_ns for m in found['/note']] == list(range(1, 50_001))
    assert [m.logged_ns for m in found['/other']] == [50_001]
    with Reader(tmp_path / 'my.flight') as reader:
        assert reader.message_count == 50_001
        assert (reader.start_time, reader.duration) == (1, 50_001)
        assert {c.topic: c.msgcount for c in reader.connections} == {'/note': 50_000, '/other': 1}
    for name in files:
        with (tmp_path / 'my.flight' / name).open('rb') as file:
            assert make_reader(file).get_summary().statistics.message_count > 0


def test_of_a_split_bag_that_nobody_closed_every_file_is_seen(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag', max_bytes=1_000_000)
    note = add_note(bag)
    while len(list((tmp_path / 'bag').iterdir())) < 3:
        bag.write(note, bag.messages, HELLO)
    names = sorted(path.name for path in (tmp_path / 'bag').iterdir())
    assert names == ['bag_0.mcap', 'bag_1.mcap', 'bag_2.mcap']
    bag.close()


def test_a_disk_that_is_full_costs_the_last_chunk_and_the_bag_is_whole(
    tmp_path: Path, limit
) -> None:
    bag = BagWriter(tmp_path / 'bag')
    note = add_note(bag)
    limit(2_500_000)
    with pytest.raises(OSError, match='too large'):
        write_many(bag, note, 10**6)
    kept = bag.messages
    bag.close()
    for read in (read_bag_with_mcap, read_bag_with_rosbags):
        times = [m.logged_ns for m in read(tmp_path / 'bag')['/note']]
        assert times == list(range(1, kept + 1)) and kept > 20_000
    with Reader(tmp_path / 'bag') as reader:
        assert (reader.message_count, reader.end_time) == (kept, kept + 1)


def test_where_not_even_the_index_fits_the_chunks_are_read_without(
    tmp_path: Path, limit, monkeypatch
) -> None:
    monkeypatch.setattr(bag_writer, 'CHUNK_PERIOD', NEVER)
    bag = BagWriter(tmp_path / 'bag')
    note, path = add_note(bag), tmp_path / 'bag' / 'bag.mcap'
    while path.stat().st_size < 1_000_000:
        bag.write(note, bag.messages, HELLO)
    kept = bag.messages
    limit(path.stat().st_size + 10)
    bag.write(note, kept, HELLO)
    with pytest.raises(OSError, match='too large'):
        bag.close()
    assert stream_log_times(path) == list(range(kept))


MY_MSGS = {
    'my_msgs/msg/Thing': 'Part[] parts\nstd_msgs/Header header\nuint8 ON=1\n',
    'my_msgs/msg/Part': 'float64 x  # [m]\nstring<=5 name\n',
    'my_msgs/msg/Lost': 'your_msgs/Gone gone\n',
    'my_msgs/msg/Broken': 'this is not <<< a definition',
}


def test_definitions_of_other_types_are_taken_from_their_files(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / 'bag')
    assert bag.learn('my_msgs/msg/Thing', MY_MSGS.get) and bag.has_type('my_msgs/msg/Part')
    thing = bag.add_topic('/thing', 'my_msgs/msg/Thing', reliable=True, latched=False, depth=1)
    of = bag.types.types
    header = of['std_msgs/msg/Header'](of['builtin_interfaces/msg/Time'](1, 2), 'map')
    part = of['my_msgs/msg/Part'](2.5, 'rotor')
    data = bag.types.serialize_cdr(
        of['my_msgs/msg/Thing'](parts=[part], header=header), 'my_msgs/msg/Thing'
    )
    bag.write(thing, 1, data)
    bag.close()
    for read in (read_bag_with_mcap, read_bag_with_rosbags):
        (found,) = read(tmp_path / 'bag')['/thing']
        assert found.message.parts[0].x == 2.5 and found.message.header.frame_id == 'map'


@pytest.mark.parametrize('kind', ['my_msgs/msg/Lost', 'my_msgs/msg/Broken', 'my_msgs/msg/None'])
def test_a_type_without_a_whole_definition_stays_unknown(tmp_path: Path, kind: str) -> None:
    bag = BagWriter(tmp_path / 'bag')
    assert bag.has_type('nav_msgs/msg/Odometry')
    assert not bag.learn(kind, MY_MSGS.get) and not bag.has_type(kind)
    bag.close()
