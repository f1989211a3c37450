"""Databases of killed recorders, with pages missing, and with rows larger than a page."""

import os
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.storage import sqlite_file
from support.recorded.bags import FORMS, Raw, Scribe, flight, write_bag

LONG = 'x' * 20_000


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    return write_bag(tmp_path / 'bag', flight(Scribe(), count=2000), FORMS['sqlite3-none-9'])


def test_single_pages_hold_all_rows(tmp_path: Path) -> None:
    scribe = Scribe()
    big = Raw('/big', 'sensor_msgs/msg/JointState', 10**18, scribe.joints(1, [LONG], [1.0]))
    messages = [*flight(scribe), big, *flight(scribe, '/uav_2')]
    (file,) = write_bag(tmp_path / 'bag', messages, FORMS['sqlite3-none-9']).glob('*.db3')
    found = {number: tuple(values) for number, *values in sqlite_file.rows(file)
             if len(values) == 4 and isinstance(values[3], bytes)}  # fmt: skip
    with sqlite3.connect(file) as database:
        rows = database.execute('SELECT id, topic_id, timestamp, data FROM messages').fetchall()
    assert {n: values[1:] for n, values in found.items()} == {n: (*v,) for n, *v in rows}


@pytest.mark.parametrize(('share', 'name'), [(0.3, '/uav_1'), (0.7, 'uav_1')])
def test_of_a_cut_database_every_whole_page_counts(
    tmp_path: Path, share: float, name: str
) -> None:
    """Whether or not a slash is in front of the names of topics."""
    messages = flight(Scribe(), name, count=2000)
    (file,) = write_bag(tmp_path / 'bag', messages, FORMS['sqlite3-none-9']).glob('*.db3')
    os.truncate(file, int(share * file.stat().st_size))
    recording = read_recording(file)
    assert (share - 0.1) * 2000 < len(recording.members['uav_1'].track.time) < share * 2000
    assert any('cannot be opened' in p or 'not all of it can be read' in p
               for p in recording.problems)  # fmt: skip


def test_a_page_overwritten_costs_its_rows(bag: Path) -> None:
    (file,) = bag.glob('*.db3')
    data = bytearray(file.read_bytes())
    at = len(data) // 2 // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    file.write_bytes(data)
    recording = read_recording(bag)
    track = recording.members['uav_1'].track
    assert 1980 < len(track.time) < 2000
    assert np.isin(track.time, np.arange(2000) * 20_000_000 / 1e9).all()
    assert any('messages are missing, by their numbers' in p for p in recording.problems)


def test_rows_that_are_gone_are_counted(bag: Path) -> None:
    (file,) = bag.glob('*.db3')
    with sqlite3.connect(file) as database:
        database.execute('DELETE FROM messages WHERE id BETWEEN 100 AND 102')
    database.close()
    recording = read_recording(file)
    assert recording.problems == ('bag.db3: 3 messages are missing, by their numbers',)


def test_what_a_killed_recorder_left_in_its_log_counts(bag: Path, tmp_path: Path) -> None:
    (file,) = bag.glob('*.db3')
    database = sqlite3.connect(file)
    database.execute('PRAGMA journal_mode = WAL')
    query = 'SELECT topic_id, timestamp, data FROM messages WHERE id = 1'
    row = database.execute(query).fetchone()
    for k in range(50):
        database.execute('INSERT INTO messages (topic_id, timestamp, data) VALUES (?, ?, ?)',
                         (row[0], row[1] + (2000 + k) * 20_000_000, row[2]))  # fmt: skip
    database.commit()
    killed = tmp_path / 'killed'
    killed.mkdir()
    for path in bag.iterdir():
        if path.suffix != '.yaml' and not path.name.endswith('-shm'):
            shutil.copy(path, killed)
    database.close()
    before = sorted(path.name for path in killed.iterdir())
    recording = read_recording(killed)
    counts = {topic.name: topic.count for topic in recording.topics}
    assert counts == {'/uav_1/odom': 2050, '/uav_1/cmd_vel': 2000}
    assert sorted(path.name for path in killed.iterdir()) == before


@pytest.mark.parametrize('schema', [b'CREATE TAB\xff\n topics', b'CREATE TAB\n\n topics'])
def test_a_damaged_schema_is_quoted_in_one_line_and_the_rows_are_used(
    bag: Path, schema: bytes
) -> None:
    (file,) = bag.glob('*.db3')
    data = file.read_bytes()
    assert data.count(b'CREATE TABLE topics') == 1
    file.write_bytes(data.replace(b'CREATE TABLE topics', schema))
    recording = read_recording(bag)
    assert len(recording.members['uav_1'].track.time) == 2000
    (line,) = (line for line in recording.problems if 'not all of it can be read' in line)
    assert '\n' not in line


@pytest.mark.parametrize(('number', 'found'), [(b'\x05', [(5, None)]), (b'\xff' * 9, [])])
def test_a_row_with_a_number_that_no_row_has_is_none(
    tmp_path: Path, number: bytes, found: list[tuple]
) -> None:
    head, page, row = bytearray(512), bytearray(512), b'\2' + number + b'\2\0'
    head[16:18] = (512).to_bytes(2, 'big')
    page[0], page[4], page[9], page[100 : 100 + len(row)] = 13, 1, 100, row
    (tmp_path / 'a.db3').write_bytes(head + page)
    assert [*sqlite_file.rows(tmp_path / 'a.db3')] == found
