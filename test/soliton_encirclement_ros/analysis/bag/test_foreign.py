"""Bags of strangers: whatever is not as usual is read all the same, or a line says what to do."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from mcap.writer import Writer as McapWriter

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.recording import SIMULATED
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.bags import FORMS, Raw, Scribe, flight, write_bag

LFS_POINTER = b'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 614\n'
STAMP = 1_700_000_000 * 10**9


@pytest.mark.parametrize('form', ['mcap-none-9', 'sqlite3-none-9', 'sqlite3-none-8'])
def test_names_without_a_slash_in_front_are_topics(tmp_path: Path, form: str) -> None:
    messages = flight(Scribe(), 'drone1')
    recording = read_recording(write_bag(tmp_path / 'bag', messages, FORMS[form]))
    assert recording.problems == () and list(recording.members) == ['drone1']
    assert len(recording.members['drone1'].commands.time) == 100
    assert [topic.name for topic in recording.topics] == ['/drone1/cmd_vel', '/drone1/odom']


@pytest.mark.parametrize(
    ('name', 'content', 'what'),
    [
        ('bag.mcap', LFS_POINTER, 'bag.mcap is only a pointer of Git LFS: bring'),
        ('bag.db3', LFS_POINTER, 'bag.db3 is only a pointer of Git LFS: bring'),
        ('flight.bag', b'#ROSBAG V2.0\n', 'flight.bag: no index can be used'),
        ('flight.ulg', b'ULog\x01\x12\x35\x01', 'is a log of PX4, no bag: its name must end'),
        ('nowhere', None, 'no such file or folder'),
        ('empty', b'', 'is empty'),
        ('text', b'hello, world', 'neither an mcap file nor a database'),
        ('.', None, 'holds no bag'),
    ],
)
def test_what_is_no_bag_is_named_in_one_line(
    tmp_path: Path, name: str, content: bytes | None, what: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(RunError, match=re.escape(what)) as refused:
        read_recording(tmp_path / name)
    assert '\n' not in str(refused.value)


@pytest.mark.parametrize('change', [
    lambda name: f'bag\\{name}', lambda name: f'/home/me/bag/{name}', lambda name: f'{name}.zstd'
])  # fmt: skip
def test_files_are_where_the_metadata_are(tmp_path: Path, change: Any) -> None:
    bag = write_bag(tmp_path / 'bag', flight(Scribe()))
    path = bag / 'metadata.yaml'
    content = yaml.safe_load(path.read_text())
    told = content['rosbag2_bagfile_information']
    told['relative_file_paths'] = [change(name) for name in told['relative_file_paths']]
    path.write_text(yaml.safe_dump(content))
    assert read_recording(bag).problems == ()


def test_messages_that_are_no_cdr_are_named(tmp_path: Path) -> None:
    path = tmp_path / 'bag.mcap'
    with path.open('wb') as file:
        writer = McapWriter(file)
        writer.start('ros1', 'somebody')
        schema = writer.register_schema('nav_msgs/Odometry', 'ros1msg', b'float64 x')
        channel = writer.register_channel('/odom', 'ros1', schema)
        writer.add_message(channel, STAMP, bytes(80), STAMP)
        writer.finish()
    assert read_recording(path).problems == (
        "/odom: written as 'ros1', but only cdr is read: convert the bag to ROS 2",
    )


def test_a_file_that_only_the_metadata_know_is_named(tmp_path: Path) -> None:
    bag = write_bag(tmp_path / 'bag', flight(Scribe()))
    (bag / 'bag.mcap').unlink()
    with pytest.raises(RunError, match=r'holds no bag: bag\.mcap is missing'):
        read_recording(bag)


def test_without_metadata_the_reason_that_nothing_is_read_is_of_the_file(tmp_path: Path) -> None:
    bag = write_bag(tmp_path / 'bag', flight(Scribe()))
    (bag / 'metadata.yaml').unlink()
    os.truncate(bag / 'bag.mcap', 60)
    with pytest.raises(RunError, match=r'nothing can be read: bag\.mcap: the last record is cut'):
        read_recording(bag)


def test_a_folder_of_bags_names_them(tmp_path: Path) -> None:
    for k in (10, 9):
        write_bag(tmp_path / f'flight_{k}', flight(Scribe()))
    with pytest.raises(RunError, match='but its folders do: name one of flight_9, flight_10'):
        read_recording(tmp_path)


def test_the_folder_of_a_report_names_its_bag(tmp_path: Path) -> None:
    (tmp_path / 'findings.json').write_text('{"path": "flights/day_3"}')
    with pytest.raises(RunError, match=r'holds no bag: it is a report on flights/day_3$'):
        read_recording(tmp_path)
    (tmp_path / 'findings.json').write_text('[1')
    with pytest.raises(RunError, match='a bag has files that end in'):
        read_recording(tmp_path)


def test_flights_side_by_side_are_no_splits(tmp_path: Path) -> None:
    for k, name in enumerate(('one', 'two')):
        messages = flight(Scribe(), start_ns=STAMP + 4 * k * 10**9)
        (bag,) = write_bag(tmp_path / name, messages).glob('*.mcap')
        bag.rename(tmp_path / f'{name}_0.mcap')
    assert read_recording(tmp_path).problems == (
        'metadata.yaml is missing: the files in the folder are read without it',
        'files of different names, read as one bag: one_0.mcap, two_0.mcap; name one of them to '
        'read it alone',
    )
    (tmp_path / 'two_0.mcap').rename(tmp_path / 'one_1.mcap')
    assert len(read_recording(tmp_path).problems) == 1


def test_flights_whose_files_come_in_another_order_tell_of_no_clock_that_was_set(
    tmp_path: Path,
) -> None:
    for k, name in enumerate(('two', 'one')):
        messages = flight(Scribe(), start_ns=STAMP + 50 * k * 10**9)
        (bag,) = write_bag(tmp_path / name, messages).glob('*.mcap')
        bag.rename(tmp_path / f'{name}_0.mcap')
    recording = read_recording(tmp_path)
    assert recording.duration == pytest.approx(51.98, abs=0.01)
    assert not [line for line in recording.problems if 'moved on' in line]


def test_a_bag_that_tells_of_nobody_says_what_it_takes(tmp_path: Path) -> None:
    scribe = Scribe()
    joints = scribe.joints(STAMP, ['wheel'], [1.0])
    messages = [Raw('/joint_states', 'sensor_msgs/msg/JointState', STAMP, joints)]
    recording = read_recording(write_bag(tmp_path / 'bag', messages))
    assert recording.problems == (
        'no place is known: that takes an Odometry, a PoseStamped called pose, or a '
        'VehicleLocalPosition or VehicleOdometry of PX4; there are /joint_states (JointState)',
    )


@pytest.mark.parametrize('with_metadata', [True, False])
@pytest.mark.parametrize('form', ['mcap-none-9', 'sqlite3-none-9'])
def test_a_vehicle_whose_topic_is_empty_is_named(
    tmp_path: Path, form: str, with_metadata: bool
) -> None:
    empty = [('/b/odom', 'nav_msgs/msg/Odometry'), ('/b/cmd_vel', 'geometry_msgs/msg/Twist'),
             ('/camera', 'sensor_msgs/msg/Image')]  # fmt: skip
    bag = write_bag(tmp_path / 'bag', flight(Scribe(), '/a'), FORMS[form], empty=empty)
    if not with_metadata:
        (bag / 'metadata.yaml').unlink()
    recording = read_recording(bag)
    assert [*recording.members] == ['a']
    assert '/b/cmd_vel, /b/odom: no messages' in recording.problems
    assert not [line for line in recording.problems if '/camera' in line]


@pytest.mark.parametrize(('begin', 'zero'), [(0, 0.0), (1, 0.0), (2300, 2300.0)])
def test_a_simulation_that_ran_before_does_not_make_a_recording_long(
    tmp_path: Path, begin: int, zero: float
) -> None:
    scribe, messages = Scribe(), []
    for raw in flight(scribe, start_ns=begin * 10**9, latency_ns=0):
        at = STAMP + 2 * (raw.time_ns - begin * 10**9)  # at half the pace of the wall
        tick = Raw('/clock', 'rosgraph_msgs/msg/Clock', at, scribe.clock(raw.time_ns))
        messages += [tick, raw._replace(time_ns=at)]
    recording = read_recording(write_bag(tmp_path / 'bag', messages))
    assert recording.clock == SIMULATED and recording.start_ns == zero * 10**9
    assert recording.duration == pytest.approx(begin - zero + 1.98)
    assert recording.members['uav_1'].track.time[0] == pytest.approx(begin - zero)
    commands = recording.members['uav_1'].commands.time
    assert np.allclose(commands, begin - zero + np.arange(100) * 0.02, rtol=0, atol=1e-9)
    late = 'simulated time was at 2300.000 s at first: this is time 0 here'
    assert recording.problems == ((late,) if zero else ())


def test_a_latency_of_years_is_none(tmp_path: Path) -> None:
    messages = flight(Scribe())
    scribe, last = Scribe(), messages[-1].time_ns
    for k in range(20):
        old = 1 if k % 5 == 0 else last
        data = scribe.cmd_vel_stamped(old, (0.0, 0.0, 0.0), 'map')
        messages.append(Raw('/goal', 'geometry_msgs/msg/TwistStamped', last + 10**6, data))
    recording = read_recording(write_bag(tmp_path / 'bag', messages))
    (topic,) = (topic for topic in recording.topics if topic.name == '/goal')
    assert topic.latency_median == pytest.approx(0.001)
    assert np.isnan(topic.latency_p95)


def test_poses_with_covariances_are_places(tmp_path: Path) -> None:
    scribe, kind = Scribe(), 'geometry_msgs/msg/PoseWithCovarianceStamped'
    messages = []
    for k in range(50):
        at, posed = STAMP + k * 20_000_000, scribe.pose((0.1 * k, 2, 3), (0, 0, 0.6, 0.8))
        covered = scribe.make(
            'geometry_msgs/msg/PoseWithCovariance', pose=posed, covariance=np.zeros(36)
        )
        data = scribe.bytes(kind, header=scribe.header(at), pose=covered)
        messages.append(Raw('/amcl_pose', kind, at, data))
    bag, path = write_bag(tmp_path / 'bag', messages), tmp_path / 'map.yaml'
    assert '/amcl_pose (PoseWithCovarianceStamped); a map file' in read_recording(bag).problems[0]
    path.write_text('agents: {uav_1: {odom: /amcl_pose}}')
    recording = read_recording(bag, load_topic_map(path))
    track = recording.members['uav_1'].track
    assert recording.problems == ()
    assert np.allclose(track.position[7], (0.7, 2, 3))
    assert np.allclose(track.velocity[7], (5, 0, 0))
    assert track.yaw[7] == pytest.approx(2 * np.arctan2(0.6, 0.8))


FIRST_BY_NAME = (
    'not used, since /uav_1/odom comes first by type and name{}; a map file (--map) chooses '
    'another'
)


@pytest.mark.parametrize(('count', 'off', 'why'), [
    (100, 0.1, 'not used, since /uav_1/odom tells the same of uav_1'),
    (100, 7.0, FIRST_BY_NAME.format(': up to 7.0 m apart')),
    (1, 7.0, FIRST_BY_NAME.format('')),
])  # fmt: skip
def test_of_two_topics_that_tell_a_place_the_better_one_is_used(
    tmp_path: Path, count: int, off: float, why: str
) -> None:
    raw = [one for one in flight(Scribe()) if one.topic.endswith('odom')]
    others = []
    for k, one in enumerate(raw[:count]):
        place = (5 * np.cos(0.02 * k), 5 * np.sin(0.02 * k), 2.0 + off)
        data = Scribe().odometry(STAMP + k * 20_000_000, place, (0.0, 0.0, 0.0))
        others.append(one._replace(topic='/uav_1/odometry/filtered', data=data))
    recording = read_recording(write_bag(tmp_path / 'bag', [*others, *raw]))
    assert recording.members['uav_1'].track.position[0].tolist() == [5.0, 0.0, 2.0]
    assert recording.problems == (f'/uav_1/odometry/filtered: {why}',)


def test_an_unusual_name_is_told_with_the_way_out(tmp_path: Path) -> None:
    scribe = Scribe()
    command = scribe.cmd_vel((1.0, 0.0, 0.0))
    messages = flight(scribe)
    messages.append(Raw('/uav_1/twist', 'geometry_msgs/msg/Twist', messages[-1].time_ns, command))
    bag = write_bag(tmp_path / 'bag', messages)
    assert read_recording(bag).problems == (
        'not used, since other names are usual: /uav_1/twist (Twist); '
        'a map file (--map) can name them',
    )
    path = tmp_path / 'map.yaml'
    path.write_text('agents: {uav_1: {odom: /uav_1/odom, cmd_vel: /uav_1/twist}}')
    assert read_recording(bag, load_topic_map(path)).problems == ()
    path.write_text('agents: {uav_1: {odom: /uav_1/cmd_vel}, uav_2: {odom: /uav_1/odom}}')
    assert read_recording(bag, load_topic_map(path)).problems == (
        'map.yaml: uav_1.odom = /uav_1/cmd_vel is of type geometry_msgs/msg/Twist, which tells no '
        'odom (Odometry, VehicleLocalPosition, VehicleOdometry, PoseStamped, '
        'PoseWithCovarianceStamped, TransformStamped, NamedPoseArray, RigidBodies, TFMessage, '
        'PoseArray do)',
    )


def test_members_are_in_order_of_their_numbers_with_and_without_leading_zeros(
    tmp_path: Path,
) -> None:
    names = ['uav_00', 'uav_02', 'uav_09', 'uav_10', 'uav_11']
    messages = [one for name in reversed(names) for one in flight(Scribe(), name, 5)]
    recording = read_recording(write_bag(tmp_path / 'bag', messages))
    assert [*recording.members] == names
    assert [source.member for source in recording.sources if source.quantity == 'odom'] == names
