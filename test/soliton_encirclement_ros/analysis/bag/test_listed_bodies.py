"""Bodies that share a topic: frames of /tf, and lists of motion capture."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.typesys import get_types_from_msg

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.bags import FORMS, Raw, Scribe, flight, px4_types, write_bag

START, STEP = 1_700_000_000 * 10**9, 50_000_000
TF, POSES = 'tf2_msgs/msg/TFMessage', 'geometry_msgs/msg/PoseArray'
MOCAP = 'motion_capture_tracking_interfaces/msg'

SCRIBE = Scribe()
Draw = Callable[[int, int], bytes]


def repeated(topic: str, kind: str, draw: Draw, count: int = 40) -> list[Raw]:
    """Return messages at 20 Hz, each drawn from its number and its time [ns]."""
    times = [START + k * STEP for k in range(count)]
    return [Raw(topic, kind, at, draw(k, at)) for k, at in enumerate(times)]


def read(folder: Path, messages: list[Raw], names: str = '', types: Any = None) -> Recording:
    """Write a bag and read it, with the text of a map if there is one."""
    messages = sorted(messages, key=lambda one: one.time_ns)
    bag = write_bag(folder / 'bag', messages, FORMS['mcap-none-9'], types or px4_types())
    if not names:
        return read_recording(bag)
    path = folder / 'map.yaml'
    path.write_text(names, encoding='utf-8')
    return read_recording(bag, load_topic_map(path))


def crazyflies(k: int, at: int) -> bytes:
    """Return two bodies on lines along x and y, one's deck, and a landmark that stands."""
    return SCRIBE.frames(
        at, ('world', 'cf1', (0.1 * k, 0, 1), 0.5), ('world', 'cf2', (0, 0.2 * k, 2), 0.0),
        ('cf1', 'cf1_deck', (0, 0, 0.1 * k), 0.0), ('world', 'pillar', (5, 5, 0), 0.0),
    )  # fmt: skip


def test_frames_that_move_in_the_fixed_one_are_bodies(tmp_path: Path) -> None:
    recording = read(tmp_path, repeated('/tf', TF, crazyflies))
    assert list(recording.members) == ['cf1', 'cf2']
    track = recording.members['cf1'].track
    assert np.allclose([track.position[7], track.velocity[7]], [(0.7, 0, 1), (2, 0, 0)])
    assert track.yaw[7] == pytest.approx(0.5) and track.time[7] == pytest.approx(0.35)
    assert recording.problems == (
        "/tf: cf1, cf2 are taken for bodies, by their frames in 'world'; a map file (--map) can "
        'name others, as /tf:cf1',
    )
    assert [source.topic for source in recording.sources] == ['/tf:cf1', '/tf:cf2']


def test_frames_are_joined_up_to_the_fixed_one(tmp_path: Path) -> None:
    still = SCRIBE.frames(START, ('earth', 'd1/map', (10, 0, 0), math.pi / 2))
    slow = repeated('/tf', TF, lambda k, at: SCRIBE.frames(
        START + k * 20 * STEP, ('d1/map', 'd1/odom', (2.0 * k, 0, 0), 0.0)), 3)  # fmt: skip
    fast = repeated('/tf', TF, lambda k, at: SCRIBE.frames(
        at, ('d1/odom', 'd1/base_link', (0, 0.1 * k, 1), 0.0),
        ('d1/base_link', 'd1/camera', (1, 0, 0), 0.0)))  # fmt: skip
    recording = read(tmp_path, [Raw('/tf_static', TF, START, still), *slow, *fast])
    track = recording.members['d1'].track
    assert list(recording.members) == ['d1']
    assert np.allclose(track.position[:, 0], 10 - 0.1 * np.arange(40))
    assert np.allclose(track.position[:, 1], 0.1 * np.arange(40))
    assert np.allclose(track.yaw, math.pi / 2)


def test_a_frame_that_is_not_tracked_is_nowhere(tmp_path: Path) -> None:
    still = SCRIBE.frames(START, ('world', 'vicon', (10, 0, 0), 0.0))
    moving = repeated('/tf', TF, lambda k, at: SCRIBE.frames(
        at, ('vicon', 'cf1/base_link', *(((0, 0, 0), None) if 5 <= k < 9 else ((k, 3, 1), 0.5)))
    ))  # fmt: skip
    names = 'agents: {cf1: {odom: "/tf:cf1/base_link"}}'
    recording = read(tmp_path, [Raw('/tf_static', TF, START, still), *moving], names)
    x = recording.members['cf1'].track.position[:, 0]
    assert x.tolist() == [10 + k for k in range(40) if not 5 <= k < 9]
    assert recording.problems == (
        '/tf:cf1/base_link: not tracked, position and quaternion are 0, in 4 samples '
        '(0.25..0.40 s): left out',
    )


def test_frames_with_stamps_that_are_no_times_have_those_of_reception(tmp_path: Path) -> None:
    def draw(k: int, at: int) -> bytes:
        told = SCRIBE.types.deserialize_cdr(crazyflies(k, at), TF)
        for link in told.transforms:
            link.header.stamp.nanosec = 2 * 10**9 + k
        return bytes(SCRIBE.types.serialize_cdr(told, TF))

    recording = read(tmp_path, repeated('/tf', TF, draw))
    assert recording.members['cf1'].track.time[7] == pytest.approx(0.35)
    assert recording.problems[0] == (
        '/tf:cf1, /tf:cf2: stamps have nanosec = 2000000039, must be below 1000000000: times of '
        'reception are used'
    )


def test_frames_without_a_prefix_are_of_the_namespace(tmp_path: Path) -> None:
    messages = []
    for name in ('r1', 'r2'):
        messages += repeated(f'/{name}/tf', TF, lambda k, at: SCRIBE.frames(
            at, ('odom', 'base_footprint', (k, 0, 0), 0.0),
            ('base_footprint', 'base_link', (0, 0, 1), 0.0)))  # fmt: skip
    assert list(read(tmp_path, messages).members) == ['r1', 'r2']


def test_frames_without_names_are_no_bodies(tmp_path: Path) -> None:
    nameless = lambda k, at: SCRIBE.frames(at, ('', '', (k, 0, 0), 0.0))  # noqa: E731
    recording = read(tmp_path, repeated('/world/field/dynamic_pose/info', TF, nameless))
    assert recording.members == {} and recording.problems == (
        '/world/field/dynamic_pose/info: its bodies have no names: none is used',
    )


def test_a_topic_of_its_own_tells_more_than_a_list(tmp_path: Path) -> None:
    recording = read(tmp_path, [*flight(SCRIBE, '/uav_1'), *repeated('/tf', TF, crazyflies)])
    assert list(recording.members) == ['uav_1'] and recording.problems == ()


def test_a_map_names_frames_and_what_to_count_from(tmp_path: Path) -> None:
    names = (
        'agents: {anna: {odom: /tf:cf1.cf1_deck}, bob: {ground_truth: /tf:cf2}, '
        'carl: {odom: /tf:cf9}, dora: {odom: /tf}}\ntarget: {odom: /tf:world.pillar}'
    )
    recording = read(tmp_path, repeated('/tf', TF, crazyflies), names)
    assert list(recording.members) == ['anna', 'bob', 'target']
    assert np.allclose(recording.members['anna'].track.position[7], (0, 0, 0.7))
    assert np.allclose(recording.members['bob'].truth.velocity[7], (0, 4, 0))
    there = 'there are cf1, cf1_deck, cf2, pillar'
    assert recording.problems[:2] == (
        f"map.yaml: carl.odom = /tf:cf9 holds no 'cf9'; {there}",
        f'map.yaml: dora.odom = /tf tells of several bodies: write /tf:NAME; {there}',
    )


def test_a_map_without_a_frame_in_the_bag_is_refused(tmp_path: Path) -> None:
    messages = [*repeated('/tf', TF, crazyflies, 2), *flight(SCRIBE, '/uav_1', count=2)]
    names = 'agents: {a: {odom: /tf:map.cf1}, b: {odom: /uav_1/odom:cf1}}'
    with pytest.raises(RunError, match=r"none of its topics is of use: .* holds no 'map.cf1'"):
        read(tmp_path, messages, names)


def test_poses_with_names_are_bodies_before_frames(tmp_path: Path) -> None:
    types, array = px4_types(), f'{MOCAP}/NamedPoseArray'
    for kind, text in (
        (f'{MOCAP}/NamedPose', 'string name\ngeometry_msgs/Pose pose'),
        (array, 'std_msgs/Header header\nmotion_capture_tracking_interfaces/NamedPose[] poses'),
    ):
        types.register(get_types_from_msg(text, kind))
    scribe = Scribe(types)

    def draw(k: int, at: int) -> bytes:
        poses = [
            scribe.make(f'{MOCAP}/NamedPose', name=name, pose=scribe.pose(place, (0, 0, 0, 1)))
            for name, place in (('cf5', (k, 0, 0)), ('target', (0, 0, 1)))
        ]
        return scribe.bytes(array, header=scribe.header(at, 'world'), poses=poses)

    messages = [*repeated('/poses', array, draw), *repeated('/tf', TF, crazyflies)]
    recording = read(tmp_path, messages, types=types)
    assert list(recording.members) == ['cf5', 'target'] and recording.problems == ()
    assert recording.members['cf5'].track.velocity[3].tolist() == [20.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ('count', 'members', 'line'),
    [
        (lambda k: 2, ['pose_0', 'pose_1'], 'pose_0, pose_1 are taken for bodies, by their'),
        (lambda k: 1 + k % 2, [], 'its poses have no names, and their number changes: left out'),
    ],
)
def test_poses_without_names_keep_their_places(
    tmp_path: Path, count: Any, members: list[str], line: str
) -> None:
    draw = lambda k, at: SCRIBE.pose_array(at, [(k, i, 0) for i in range(count(k))])  # noqa: E731
    plan = lambda k, at: SCRIBE.pose_array(at, [(k, 9, 0)])  # noqa: E731
    messages = repeated('/mocap/poses', POSES, draw)
    recording = read(tmp_path, [*messages, *repeated('/uav_1/trajectory/poses', POSES, plan)])
    assert list(recording.members) == members
    assert recording.problems[0].startswith(f'/mocap/poses: {line}')
