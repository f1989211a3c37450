"""Bags of every form, read as the plain library reads them, message by message."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.run_folder import MANIFEST, manifest, write_json
from support.chunks import lively
from support.recorded.bags import (
    FORMS, Raw, Scribe, as_humble, flight, fly_bag, raw_messages, same, write_bag
)

START = 1_700_000_000 * 10**9


@pytest.fixture(scope='module')
def bag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fly_bag(tmp_path_factory.mktemp('flown') / 'bag', lively())


def by_library(bag: Path) -> dict[str, list[Any]]:
    """Return all messages by topic as rosbags deserialises them, with the time in front."""
    found: dict[str, list[Any]] = {}
    with AnyReader([bag], default_typestore=get_typestore(Stores.LATEST)) as reader:
        for connection, time_ns, data in reader.messages():
            message = reader.deserialize(data, connection.msgtype)
            found.setdefault(connection.topic, []).append((time_ns, message))
    return found


def test_every_number_is_that_of_the_library(bag: Path) -> None:
    recording, told = read_recording(bag), by_library(bag)
    assert recording.problems == () and recording.clock == SIMULATED
    assert list(recording.members) == ['uav_1', 'uav_2', 'uav_3', 'uav_4', 'target', 'adversary']
    for name, member in recording.members.items():
        points = [m.pose.pose.position for _, m in told[f'/{name}/odom']]
        assert member.track.position.tolist() == [[p.x, p.y, p.z] for p in points]
        speeds = [m.twist.twist.linear for _, m in told[f'/{name}/odom']]
        assert member.track.velocity.tolist() == [[v.x, v.y, v.z] for v in speeds]
        assert member.track.time.tolist() == [t / 1e9 for t, _ in told[f'/{name}/odom']]
    for k in range(1, 5):
        rows = [m for _, m in told['/swarm/agent_states'] if m.name[0] == f'uav_{k}/x']
        words = recording.members[f'uav_{k}'].states
        assert words.position.tolist() == [m.position[:3].tolist() for m in rows]
        assert words.velocity.tolist() == [m.velocity[:3].tolist() for m in rows]
        assert words.seq.tolist() == [m.position[3] for m in rows]
        inner = recording.members[f'uav_{k}'].telemetry
        rows = [m for _, m in told[f'/uav_{k}/telemetry']]
        assert inner.failed.tolist() == [m.position[3] != 0.0 for m in rows]
        for i, name in enumerate(rows[0].name[6:], 6):
            assert inner.values[name].tolist() == [m.position[i] for m in rows]
    metrics = [m for _, m in told['/swarm/metrics']]
    for i, name in enumerate(metrics[0].name):
        assert recording.metrics[name].tolist() == [m.position[i] for m in metrics]


@pytest.mark.one_in(3)
@pytest.mark.parametrize('form', FORMS)
def test_every_form_gives_the_same_samples(bag: Path, tmp_path: Path, form: str) -> None:
    other = read_recording(write_bag(tmp_path / 'copy', raw_messages(bag), FORMS[form]))
    assert other.problems == ()
    assert same(read_recording(bag), other)


@pytest.mark.parametrize('version', [5, 6])
def test_a_bag_of_humble(bag: Path, tmp_path: Path, version: int) -> None:
    copy = write_bag(tmp_path / 'copy', raw_messages(bag), FORMS['sqlite3-none-8'])
    as_humble(copy, version)
    other = read_recording(copy)
    assert other.problems == () and same(read_recording(bag), other)


@pytest.mark.parametrize('form', ['mcap-none-9', 'sqlite3-file-9', 'mcap-file-9'])
def test_a_single_file_is_a_bag(bag: Path, tmp_path: Path, form: str) -> None:
    copy = write_bag(tmp_path / 'copy', raw_messages(bag), FORMS[form])
    (file,) = (path for path in copy.iterdir() if path.name != 'metadata.yaml')
    other = read_recording(file)
    assert other.problems == () and same(read_recording(bag), other)


@pytest.mark.parametrize('with_metadata', [True, False])
@pytest.mark.parametrize('name', ['whole_{}.mcap', '{}_whole_2026_05_23-10_00_0{}.mcap'])
def test_a_bag_in_eleven_files(
    bag: Path, tmp_path: Path, name: str, with_metadata: bool
) -> None:
    """Named as by Kilted, and as by Lyrical."""
    messages = list(raw_messages(bag))
    whole, names = tmp_path / 'whole', []
    whole.mkdir()
    for k, part in enumerate(np.array_split(np.arange(len(messages)), 11)):
        copy = write_bag(tmp_path / f'part_{k}', [messages[i] for i in part])
        (file,) = copy.glob('*.mcap')
        names.append(name.format(k, k % 10))
        file.rename(whole / names[-1])
    if with_metadata:
        text = (tmp_path / 'part_0' / 'metadata.yaml').read_text()
        listed = ''.join(f'  - {name}\n' for name in names)
        (whole / 'metadata.yaml').write_text(text.replace('  - part_0.mcap\n', listed))
    other = read_recording(whole)
    assert same(read_recording(bag), other)
    assert not with_metadata or all('messages found, metadata.yaml' in p for p in other.problems)
    assert with_metadata or other.problems == (
        'metadata.yaml is missing: the files in the folder are read without it',
    )


def test_the_bags_of_a_restarted_recorder_are_one_recording(bag: Path, tmp_path: Path) -> None:
    messages = list(raw_messages(bag))
    for k, part in enumerate(np.array_split(np.arange(len(messages)), 3), 1):
        write_bag(tmp_path / ('bag' if k == 1 else f'bag_{k}'), [messages[i] for i in part])
    write_json(tmp_path / MANIFEST, manifest(lively(), []))
    assert read_recording(tmp_path).problems == ()
    assert same(read_recording(bag), read_recording(tmp_path))
    (tmp_path / 'bag_2' / 'metadata.yaml').unlink()
    (tmp_path / 'bag_4').mkdir()
    other = read_recording(tmp_path)
    assert same(read_recording(bag), other)
    assert other.problems == (
        'bag_2: metadata.yaml is missing: the files in the folder are read without it',
        'bag_4: holds no bag (a bag has files that end in .mcap, .db3 or .bag)',
    )


def test_a_run_whose_law_is_gone_is_judged_all_the_same(bag: Path, tmp_path: Path) -> None:
    write_bag(tmp_path / 'bag', raw_messages(bag))
    content = manifest(lively(), [])
    content['scenario']['control']['controller'] = 'lost.py'
    write_json(tmp_path / MANIFEST, content)
    recording = read_recording(tmp_path)
    assert recording.problems == () and recording.scenario.control.controller == 'lost.py'
    del content['scenario']['mobility']['max_acc_z']
    write_json(tmp_path / MANIFEST, content)
    assert read_recording(tmp_path).problems == (
        'what was flown is not known: manifest.json: scenario.mobility.max_acc_z is missing',
    )


def test_progress_is_told_and_ends_with_all(bag: Path) -> None:
    calls: list[tuple[int, int]] = []
    recording = read_recording(bag, progress=lambda done, whole: calls.append((done, whole)))
    messages = sum(topic.count for topic in recording.topics)
    assert calls[-1] == (messages, messages)
    assert all(done <= whole for done, whole in calls)


@pytest.mark.parametrize('little_endian', [True, False])
def test_a_flight_with_header_time(tmp_path: Path, little_endian: bool) -> None:
    scribe = Scribe(little_endian=little_endian)
    recording = read_recording(write_bag(tmp_path / 'bag', flight(scribe)))
    assert recording.clock == HEADER and recording.problems == ()
    assert recording.start_ns == START
    track = recording.members['uav_1'].track
    t = np.arange(100) * 20_000_000 / 1e9
    assert np.array_equal(track.time, t)
    assert np.array_equal(track.position[:, 0], 5 * np.cos(t))
    assert np.array_equal(track.velocity[:, 1], 5 * np.cos(t))
    topic = next(topic for topic in recording.topics if topic.name == '/uav_1/odom')
    assert topic.latency_median == pytest.approx(0.001) and topic.rate == pytest.approx(50.0)
    assert topic.longest_gap == pytest.approx(0.02) and topic.count == 100


def test_without_stamps_the_time_of_reception_counts(tmp_path: Path) -> None:
    messages = [m for m in flight(Scribe()) if m.topic.endswith('cmd_vel')]
    recording = read_recording(write_bag(tmp_path / 'bag', messages))
    assert recording.clock == RECEIVED and list(recording.members) == ['uav_1']
    assert recording.start_ns == START + 1_000_000
    assert recording.members['uav_1'].commands.time[1] == 0.02
    (problem,) = recording.problems
    assert problem.startswith('no place is known: ') and '/uav_1/cmd_vel (Twist)' in problem


@pytest.mark.parametrize('form', ['mcap-none-9', 'sqlite3-none-9'])
def test_a_name_with_control_characters_stays_one_line(tmp_path: Path, form: str) -> None:
    """Of a damaged file."""
    messages = [m._replace(topic=m.topic.replace('cmd', 'c\r\0d')) for m in flight(Scribe())
                if m.topic.endswith('cmd_vel')]  # fmt: skip
    empty = [('/no\nbody', 'nav_msgs/msg/Odometry')]
    bag = write_bag(tmp_path / 'bag', messages, FORMS[form], empty=empty)
    recording = read_recording(bag)
    lines = '\n'.join(recording.problems)
    assert '/uav_1/c??d_vel' in lines and '/no?body' in lines
    assert len(lines.splitlines()) == len(recording.problems)


def test_stamps_of_zero_are_told(tmp_path: Path) -> None:
    scribe = Scribe()
    messages = [
        Raw('/a/odom', 'nav_msgs/msg/Odometry', START + k * 10**8,
            scribe.odometry(0, (0.1 * k, 0.0, 0.0), (1.0, 0.0, 0.0), child='map'))
        for k in range(50)
    ]  # fmt: skip
    recording = read_recording(write_bag(tmp_path / 'bag', messages))
    assert recording.clock == RECEIVED
    assert '/a/odom: all stamps are 0: times of reception are used' in recording.problems


def test_a_map_names_foreign_topics(tmp_path: Path) -> None:
    messages = [
        raw._replace(topic=raw.topic.replace('/odom', '/odometry/filtered'))
        for raw in flight(Scribe(), '/drone7')
    ]
    path = tmp_path / 'map.yaml'
    path.write_text('agents: {uav_3: {odom: /drone7/odometry/filtered}}')
    bag = write_bag(tmp_path / 'bag', messages)
    assert list(read_recording(bag).members) == ['drone7']
    recording = read_recording(bag, load_topic_map(path))
    assert list(recording.members) == ['uav_3']
    assert recording.members['uav_3'].track is not None
    assert recording.members['uav_3'].commands is None


def test_frames_of_different_names_are_reported(tmp_path: Path) -> None:
    scribe, messages = Scribe(), []
    for k in range(50):
        for y, name in enumerate(('uav_1', 'uav_2')):
            at, frame = START + k * 20_000_000, f'{name}/odom'
            data = scribe.odometry(at, (0.1 * k, y, 0), (5, 0, 0), child='', frame=frame)
            messages.append(Raw(f'/{name}/odom', 'nav_msgs/msg/Odometry', at, data))
    assert read_recording(write_bag(tmp_path / 'bag', messages)).problems == (
        "bodies are told in different frames, taken for one: 'uav_1/odom' (/uav_1/odom), "
        "'uav_2/odom' (/uav_2/odom)",
    )


def test_a_topic_of_the_map_that_is_not_in_the_bag_is_named(tmp_path: Path) -> None:
    path = tmp_path / 'map.yaml'
    path.write_text('agents: {uav_1: {odom: /uav_1/odom}, uav_2: {odom: /uav_1/odon}}')
    bag = write_bag(tmp_path / 'bag', flight(Scribe()))
    (problem,) = read_recording(bag, load_topic_map(path)).problems
    assert problem == "map.yaml: uav_2.odom = /uav_1/odon is not in the bag; meant '/uav_1/odom'?"
    path.write_text('agents: {uav_1: {odom: /a}}')
    with pytest.raises(RunError, match=r'none of its topics is of use: .* is not in the bag'):
        read_recording(bag, load_topic_map(path))


def test_a_bag_without_messages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match='it holds no messages'):
        read_recording(write_bag(tmp_path / 'bag', []))
