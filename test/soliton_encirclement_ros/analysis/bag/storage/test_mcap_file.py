"""Files of mcap as other writers leave them, and the damages that only a close look finds."""

from pathlib import Path

import pytest
from mcap.writer import CompressionType

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.storage.mcap_file import (
    MAGIC, MESSAGE_HEAD, MOST_PLACES, RECORD, McapInput
)
from soliton_encirclement_ros.core.errors import RunError
from support.chunks import lively
from support.recorded.bags import fly_bag, raw_messages, same, samples, with_mcap


@pytest.fixture(scope='module')
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fly_bag(tmp_path_factory.mktemp('own') / 'bag', lively(run={'sim_duration': 2.0}))


HOW = {
    'zstd': {'compression': CompressionType.ZSTD},
    'lz4': {'compression': CompressionType.LZ4},
    'plain': {'compression': CompressionType.NONE},
    'unchunked': {'use_chunking': False},
    'unchecked': {'compression': CompressionType.NONE, 'enable_crcs': False},
    'without summary': {'use_statistics': False, 'use_summary_offsets': False,
                        'repeat_channels': False, 'repeat_schemas': False},
}  # fmt: skip


@pytest.mark.parametrize('how', HOW)
def test_what_another_library_writes(own: Path, tmp_path: Path, how: str) -> None:
    recording = read_recording(with_mcap(tmp_path / 'a.mcap', list(raw_messages(own)), **HOW[how]))
    assert recording.problems == () and same(recording, read_recording(own))


@pytest.mark.parametrize('how', HOW)
def test_what_is_left_of_a_killed_recorder(own: Path, tmp_path: Path, how: str) -> None:
    path = with_mcap(tmp_path / 'a.mcap', list(raw_messages(own)), **HOW[how])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    recording, whole = read_recording(path), read_recording(own)
    assert 0.4 * whole.duration < recording.duration < 0.95 * whole.duration
    assert any('ends without its summary' in problem for problem in recording.problems)


@pytest.mark.parametrize('chunks', [0, 2])
def test_a_chunk_with_a_wrong_checksum_is_left_out(own: Path, tmp_path: Path, chunks: int) -> None:
    path = with_mcap(tmp_path / 'a.mcap', list(raw_messages(own)), **HOW['plain'])
    data, whole = bytearray(path.read_bytes()), read_recording(own)
    data[40_000 * chunks + 15_000] ^= 1
    path.write_bytes(data)
    recording = read_recording(path)
    assert sum('has a wrong checksum: left out' in p for p in recording.problems) == 1
    missing = [p for p in recording.problems if 'were written' in p]
    assert missing
    assert recording.duration == whole.duration


DAMAGES = {
    'overwritten': lambda data, n: data[:n] + bytes(n) + data[2 * n :],
    'its begin is gone': lambda data, n: data[n:],
    'longer': lambda data, n: data[:n] + bytes(range(256)) + data[n:],
}


@pytest.mark.parametrize('how', ['zstd', 'lz4', 'plain', 'unchecked', 'unchunked'])
@pytest.mark.parametrize('damage', DAMAGES)
def test_after_damaged_bytes_reading_goes_on_at_the_next_records(
    own: Path, tmp_path: Path, how: str, damage: str
) -> None:
    path = with_mcap(tmp_path / 'a.mcap', list(raw_messages(own)), **HOW[how])
    data = path.read_bytes()
    path.write_bytes(DAMAGES[damage](data, len(data) // 4))
    recording, whole = read_recording(path), read_recording(own)
    assert any('on are damaged: left out' in problem for problem in recording.problems)
    found, sound = (len(one.members['uav_1'].track.time) for one in (recording, whole))
    assert 0.5 * sound < found <= sound
    assert recording.duration >= (0.6 if damage == 'its begin is gone' else 1.0) * whole.duration


@pytest.mark.parametrize('how', ['unchecked', 'unchunked'])
def test_the_message_in_which_damaged_bytes_begin_is_left_out(
    own: Path, tmp_path: Path, how: str
) -> None:
    messages = list(raw_messages(own))
    path = with_mcap(tmp_path / 'a.mcap', messages, **HOW[how])
    data, whole = bytearray(path.read_bytes()), samples(read_recording(own))
    message = [one.data for one in messages if one.topic == '/uav_1/odom'][5]
    at = data.index(message) + len(message) // 2  # behind the place, before the velocity
    data[at : at + 4096] = bytes(4096)
    path.write_bytes(data)
    for key, rows in samples(read_recording(path)).items():
        assert {row.tobytes() for row in rows} <= {row.tobytes() for row in whole[key]}, key


@pytest.mark.parametrize('how', ['unchecked', 'unchunked'])
def test_a_damaged_declaration_costs_itself_alone_and_is_told(
    own: Path, tmp_path: Path, how: str
) -> None:
    path = with_mcap(tmp_path / 'a.mcap', list(raw_messages(own)), **HOW[how])
    data = bytearray(path.read_bytes())
    at = data.index(b'ros2msg')  # of the first; length, then the name of the definition's form
    data[at - 4 : at] = b'\xff' * 4
    path.write_bytes(data)
    recording, whole = read_recording(path), read_recording(own)
    assert any('damaged: left out' in problem for problem in recording.problems)
    counts = [sum(topic.count for topic in one.topics) for one in (recording, whole)]
    assert counts[0] > 0.99 * counts[1]


def test_private_records_of_others_are_passed_over(own: Path, tmp_path: Path) -> None:
    (file,) = own.glob('*.mcap')
    path, data = tmp_path / 'a.mcap', file.read_bytes()
    private = (RECORD.pack(0x80, 3) + b'abc') * (MOST_PLACES + 1)
    path.write_bytes(data[: len(MAGIC)] + private + data[len(MAGIC) :])
    assert same(read_recording(path), read_recording(own))


@pytest.mark.parametrize('how', ['plain', 'zstd', 'lz4'])
def test_the_whole_messages_of_a_chunk_that_is_cut_off_are_used(
    own: Path, tmp_path: Path, how: str
) -> None:
    path = tmp_path / 'a.mcap'
    with_mcap(path, list(raw_messages(own)), **HOW[how], chunk_size=10**9)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 4])
    recording, whole = read_recording(path), read_recording(own)
    assert 0.1 * whole.duration < recording.duration < 0.95 * whole.duration
    assert any('complete messages' in problem for problem in recording.problems)


def test_a_header_that_is_no_mcap(tmp_path: Path, own: Path) -> None:
    (file,) = own.glob('*.mcap')
    path = tmp_path / 'a.mcap'
    path.write_bytes(b'12345678' + file.read_bytes()[8:])
    recording = read_recording(path)
    assert 'a.mcap: does not begin as an mcap file' in recording.problems
    assert same(recording, read_recording(own))


def test_what_stands_behind_the_end_of_a_file_is_named(own: Path, tmp_path: Path) -> None:
    first, second = (
        with_mcap(tmp_path / f'{name}.mcap', list(raw_messages(own)))
        for name in ('first', 'second')
    )
    appended = second.read_bytes()
    first.write_bytes(first.read_bytes() + appended)
    recording = read_recording(first)
    assert recording.problems == (
        f'first.mcap: {len(appended)} bytes behind its end are left out: '
        'was another file appended to it?',
    )
    assert same(recording, read_recording(second))


def torn_file(own: Path, folder: Path, how: str) -> Path:
    """Return a file that ends within a chunk, whose compressed bytes make no sense."""
    path = with_mcap(folder / 'a.mcap', list(raw_messages(own)), **HOW[how])
    data = bytearray(path.read_bytes())
    chunk = data.rindex(how.encode(), 0, 2 * len(data) // 3)  # the chunk names its compression
    begin = chunk + len(how) + 8
    data[begin : begin + 64] = b'\x00' * 64
    path.write_bytes(data[: begin + 200])
    return path


@pytest.mark.parametrize('how', ['zstd', 'lz4'])
def test_a_torn_chunk_that_cannot_be_unpacked_is_told_with_the_reason(
    own: Path, tmp_path: Path, how: str
) -> None:
    problems = read_recording(torn_file(own, tmp_path, how)).problems
    assert any('cannot be decompressed: ' in problem for problem in problems), problems


def test_a_file_that_is_damaged_everywhere_is_given_up(tmp_path: Path) -> None:
    """Else it would take hours, and lines without end."""
    path, message = tmp_path / 'a.mcap', MESSAGE_HEAD.pack(5, 22, 1, 0, 1, 1)
    path.write_bytes(MAGIC + (4 * message + b'\x11') * (MOST_PLACES + 10))
    file = McapInput(path)
    assert sum(len(batch.logged) for batch in file.batches()) == 0
    line = 'damaged in more than 1000 places: left out from byte 125132 on'
    assert f'a.mcap: {line}' in file.problems and len(file.problems) == MOST_PLACES + 3


def test_a_file_with_nothing_in_it_is_not_said_to_be_used(tmp_path):
    (tmp_path / 'x.mcap').write_bytes(b'\x89MCAP0\r\n')
    with pytest.raises(RunError, match=r'read: x\.mcap: ends without its summary$'):
        read_recording(tmp_path / 'x.mcap')
