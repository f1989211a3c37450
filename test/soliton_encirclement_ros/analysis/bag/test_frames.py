"""Frames that are not what a message says, or not said: found by displacements, or asked for."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.findings.finding import find
from support.recorded.bags import Raw, Scribe, circle, read_messages as read

NS = 1_700_000_000 * 10**9
NORTH = (0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5))
STAMPED = 'geometry_msgs/msg/TwistStamped'


def turned(velocity: np.ndarray, quarters: int) -> np.ndarray:
    """Return velocities turned to the left by quarters of a turn."""
    x, y, z = velocity.T
    return np.column_stack([[x, -y, -x, y][quarters], [y, x, -y, -x][quarters], z])


def odometry(position: np.ndarray, twist: np.ndarray, **how: Any) -> list[Raw]:
    """Return odometry of a body that looks north all the time."""
    scribe, stamps = Scribe(), [NS + k * 20_000_000 for k in range(len(position))]
    return [
        Raw('/uav_1/odom', 'nav_msgs/msg/Odometry', at, scribe.odometry(at, p, v, NORTH, **how))
        for at, p, v in zip(stamps, position, twist, strict=True)
    ]


@pytest.mark.parametrize(('child', 'of_body'), [('base_link', True), ('', False)])
def test_a_twist_in_the_frame_that_the_message_says_is_read_so(
    tmp_path: Path, child: str, of_body: bool
) -> None:
    position, velocity = circle()
    twist = turned(velocity, 3) if of_body else velocity
    recording = read(tmp_path, odometry(position, twist, child=child))
    track = recording.members['uav_1'].track
    assert np.allclose(track.velocity, velocity, atol=1e-12) and recording.problems == ()
    assert np.allclose(track.yaw, np.pi / 2)


@pytest.mark.parametrize(
    ('child', 'up', 'told', 'true'),
    [
        ('base_link', 0.0, 'body', 'pose'),
        ('base_link', -0.5, 'body', 'pose'),  # a sign of MAVROS's global_position/local
        ('', 0.0, 'pose', 'body'),  # diff drives of Gazebo
    ],
)
def test_a_twist_in_the_other_frame_is_found_by_displacements(
    tmp_path: Path, child: str, up: float, told: str, true: str
) -> None:
    position, velocity = circle()
    position[:, 2] -= up * np.arange(200) * 0.02
    velocity[:, 2] = up
    twist = velocity if true == 'pose' else turned(velocity, 3)
    recording = read(tmp_path, odometry(position, twist, child=child))
    assert np.allclose(recording.members['uav_1'].track.velocity, velocity, atol=1e-12)
    assert recording.problems == (
        f'/uav_1/odom: its twist is in the frame of the {true}, not of the {told} as '
        'child_frame_id says, by its displacements: taken so',
    )


@pytest.mark.parametrize('quarters', [1, 2])
def test_a_twist_in_neither_frame_is_read_as_told_and_named(
    tmp_path: Path, quarters: int
) -> None:
    position, velocity = circle()
    recording = read(tmp_path, odometry(position, turned(velocity, quarters)))
    track = recording.members['uav_1'].track
    assert np.allclose(track.velocity, turned(velocity, quarters + 1 & 3), atol=1e-12)
    (problem,) = recording.problems
    assert problem.startswith('uav_1: displacement in 1 s differs from its velocity by')


@pytest.mark.parametrize('speed', [5.0, 0.0])
def test_a_twist_of_zeros_is_none_if_the_body_moves(tmp_path: Path, speed: float) -> None:
    position, velocity = circle()
    place = position if speed else position[:1] + 0.02 * np.random.default_rng(1).normal(
        size=position.shape
    )
    recording = read(tmp_path, odometry(place, 0.0 * velocity))
    track = recording.members['uav_1'].track
    assert np.allclose(track.velocity, velocity if speed else 0.0, atol=0.06)
    line = '/uav_1/odom: its twist is 0 although it moves: velocities are those of the path'
    assert recording.problems == ((line,) if speed else ())


def commanded(frame: str, child: str, header: str, wish: tuple[float, ...]) -> list[Raw]:
    """Return odometry of a flight to the north at 1 m/s, and commands in a frame."""
    position = np.column_stack([np.zeros(100), np.arange(100) * 0.02, np.zeros(100)])
    messages = odometry(position, np.tile([1.0, 0.0, 0.0], (100, 1)), child=child, frame=header)
    scribe = Scribe()
    for at in [message.time_ns for message in messages]:
        data = scribe.cmd_vel_stamped(at, wish, frame)
        messages.append(Raw('/uav_1/cmd_vel', STAMPED, at, data))
    return messages


@pytest.mark.parametrize('frame', ['fcu', 'base_stabilized', 'body', 'uav_1/base_link_ned'])
def test_commands_in_a_frame_that_nobody_knows_are_left_out(tmp_path: Path, frame: str) -> None:
    messages = commanded(frame, 'base_link', 'map', (1.0, 0.0, 0.0))
    recording = read(tmp_path, messages)
    assert recording.members['uav_1'].commands is None
    assert recording.problems == (
        f'/uav_1/cmd_vel: 100 commands in {frame!r}, which is not known: left out; cmd_vel_frame '
        'in a map file (--map) says whether it is base_link or map',
    )


@pytest.mark.parametrize(('frame', 'child', 'header', 'given', 'wish'), [
    ('fcu', 'uav_1/fcu', 'map', '', (1.0, 0.0, 0.0)),
    ('uav_1/local_origin', 'base_link', 'uav_1/local_origin', '', (0.0, 1.0, 0.0)),
    ('fcu', 'base_link', 'map', 'base_link', (1.0, 0.0, 0.0)),
    ('vicon', 'base_link', 'map', 'map', (0.0, 1.0, 0.0)),
])  # fmt: skip
def test_the_odometry_or_a_map_file_says_what_the_frame_of_commands_is(
    tmp_path: Path, frame: str, child: str, header: str, given: str, wish: tuple[float, ...]
) -> None:
    maps = []
    if given:
        topics = f'odom: /uav_1/odom, cmd_vel: /uav_1/cmd_vel, cmd_vel_frame: {given}'
        (tmp_path / 'map.yaml').write_text(f'agents: {{uav_1: {{{topics}}}}}')
        maps = [load_topic_map(tmp_path / 'map.yaml')]
    recording = read(tmp_path, commanded(frame, child, header, wish), *maps)
    assert recording.problems == ()
    assert np.allclose(recording.members['uav_1'].commands.velocity, [0.0, 1.0, 0.0], atol=1e-12)


DRIFTED = (
    '/uav_1/{}: not used, since /uav_1/{} tells of uav_1 in {!r}, this one in {!r}, whose origin '
    'may be that of uav_1 alone: up to 8.0 m apart'
)


@pytest.mark.parametrize(('names', 'frame', 'every', 'is_chosen'), [
    (('odometry/filtered', 'odometry/filtered_map'), 'map', 1, True),  # of robot_localization
    (('odom', 'global/pose'), 'site', 2, True),
    (('odom', 'global/pose'), 'map', 5, False),  # too seldom to tell who flies
    (('odom', 'odometry/filtered'), '', 1, False),
    (('odom', 'odometry/filtered'), 'base_link', 1, False),
])  # fmt: skip
def test_an_estimate_in_a_frame_that_vehicles_share_comes_before_one_with_its_own_origin(
    tmp_path: Path, names: tuple[str, str], frame: str, every: int, is_chosen: bool
) -> None:
    position, velocity = circle()
    away = position + np.array([8.0, 0.0, 0.0])
    own = [raw._replace(topic=f'/uav_1/{names[0]}')
           for raw in odometry(position, turned(velocity, 3), frame='uav_1/odom')]  # fmt: skip
    shared = [raw._replace(topic=f'/uav_1/{names[1]}')
              for raw in odometry(away, turned(velocity, 3), frame=frame)[::every]]  # fmt: skip
    recording = read(tmp_path, [*own, *shared])
    used = away[::every] if is_chosen else position
    assert np.array_equal(recording.members['uav_1'].track.position, used)
    line = DRIFTED.format(*names, frame, 'uav_1/odom')
    assert (line in recording.problems) == is_chosen


@pytest.mark.parametrize('reach', [2.0, 0.2])
def test_positions_in_the_frame_of_the_body_are_named_if_they_move(
    tmp_path: Path, reach: float
) -> None:
    scribe, kind, messages = Scribe(), 'geometry_msgs/msg/PoseStamped', []
    for k in range(100):
        for n in (1, 2):
            at, posed = NS + k * 20_000_000, scribe.pose((0.01 * reach * k, 3 * n, 1), NORTH)
            header = scribe.header(at, 'base_link')
            data = scribe.bytes(kind, header=header, pose=posed)
            messages.append(Raw(f'/uav_{n}/pose', kind, at, data))
    recording = read(tmp_path, messages)
    named = [line for line in recording.problems if 'the frame of a body' in line]
    assert named == [
        "/uav_1/pose, /uav_2/pose: positions in 'base_link', the frame of a body, that "
        'move: taken for those in map'
    ] * (reach > 1.0)


def test_a_frame_that_is_named_north_east_down_is_turned(tmp_path: Path) -> None:
    """As AirSim tells it; a body whose twist is in the frame of the pose, and has no child."""
    position, velocity = circle()
    north_first = [np.column_stack([v[:, 1], v[:, 0], -v[:, 2]]) for v in (position, velocity)]
    recording = read(tmp_path, odometry(*north_first, frame='world_ned', child=''))
    track = recording.members['uav_1'].track
    assert np.allclose(track.position, position) and np.allclose(track.velocity, velocity)
    assert np.allclose(track.yaw, 0.0)  # it looks east, by the heading of 90 degrees
    assert "'world_ned' is north, east, down by its name" in recording.problems[0]


def test_positions_in_millimetres_are_named_in_one_line(tmp_path: Path) -> None:
    position, velocity = circle()
    one = odometry(1000.0 * position, velocity)
    both = [raw._replace(topic=f'/uav_{k}/odom') for raw in one for k in (1, 2)]
    text = '/uav_1/odom, /uav_2/odom: moves at 5000 m/s: are its positions in mm?'
    assert [line for line in read(tmp_path, both).problems if line.startswith(text)]


@pytest.mark.parametrize(('frame', 'is_told'), [('odom', True), ('map', False)])
def test_vehicles_at_one_place_of_a_frame_that_each_may_have_alone_are_named(
    tmp_path: Path, frame: str, is_told: bool
) -> None:
    position, velocity = circle()
    one = odometry(position, turned(velocity, 3), frame=frame)
    two = odometry(position - [0.0, 0.05, 0.0], turned(velocity, 3), frame=frame)
    both = [raw for pair in zip(one, [raw._replace(topic='/uav_2/odom') for raw in two],
                                strict=True) for raw in pair]  # fmt: skip
    text = (f'uav_1, uav_2 are at one place of {frame!r} all the time: each has an origin of its '
            'own, or they are one body; distances mean nothing')  # fmt: skip
    recording = read(tmp_path, both)
    assert (text in recording.problems) == is_told
    findings = find(recording)
    assert (findings.min_separation is None, findings.collisions == ()) == (is_told, is_told)
