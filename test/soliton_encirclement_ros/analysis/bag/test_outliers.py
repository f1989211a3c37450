"""Samples that no body makes are left out; what lasts is kept and reported."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from support.recorded.bags import Raw, Scribe, circle, flight, read_messages as read

NS = 1_700_000_000 * 10**9
LEVEL = (0.0, 0.0, 0.0, 1.0)
NO_ATTITUDE = (0.0, 0.0, 0.0, 0.0)
NORTH = (0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5))


def bodies(positions: np.ndarray, velocities: np.ndarray, **how: Any) -> list[Raw]:
    scribe, stamps = Scribe(), [NS + k * 20_000_000 for k in range(len(positions))]
    return [
        Raw('/uav_1/odom', 'nav_msgs/msg/Odometry', at, scribe.odometry(at, p, v, **how))
        for at, p, v in zip(stamps, positions, velocities, strict=True)
    ]


@pytest.mark.parametrize('at', [0, 77, 199])
@pytest.mark.parametrize('part', ['position', 'velocity'])
def test_a_spike_is_left_out(tmp_path: Path, at: int, part: str) -> None:
    position, velocity = circle()
    {'position': position, 'velocity': velocity}[part][at, 1] += 20.0
    recording = read(tmp_path, bodies(position, velocity, child='map'))
    track = recording.members['uav_1'].track
    assert len(track.time) == 199 and at * 0.02 not in track.time.round(6)
    assert recording.problems == (
        '/uav_1/odom: 1 samples are off the path by a jump there and back: left out',
    )


def test_what_is_said_twice_at_a_late_tick_is_a_step_behind_and_not_off_the_path(
    tmp_path: Path,
) -> None:
    position, velocity = circle()
    position, velocity = 4.0 * position, 4.0 * velocity
    for part in (position, velocity):
        part[77] = part[76]
        part[120] = part[119]
    recording = read(tmp_path, bodies(position, velocity, child='map'))
    assert (recording.problems, len(recording.members['uav_1'].track.time)) == ((), 200)


@pytest.mark.parametrize('value', [np.nan, -np.inf, 1e10])
def test_what_is_no_coordinate_is_left_out(tmp_path: Path, value: float) -> None:
    position, velocity = circle()
    position[50, 2] = value
    recording = read(tmp_path, bodies(position, velocity, child='map'))
    assert len(recording.members['uav_1'].track.time) == 199
    assert recording.problems == ('/uav_1/odom: 1 samples are no coordinates: left out',)


def test_a_jump_that_lasts_is_kept_and_reported(tmp_path: Path) -> None:
    position, velocity = circle()
    position[120:, 0] += 8.0
    recording = read(tmp_path, bodies(position, velocity, child='map'))
    assert len(recording.members['uav_1'].track.time) == 200
    assert recording.problems == (
        '/uav_1/odom: 1 jumps of position, the largest by 7.93 m at 2.38 s',
    )


@pytest.mark.parametrize('noise', [0.0, 0.5])
def test_noise_and_hard_turns_are_true(tmp_path: Path, noise: float) -> None:
    position, velocity = circle(500)
    t = np.maximum(np.arange(500) * 0.02 - 5.0, 0.0)  # 20 m/s2 for 0.4 s, then 8 m/s up
    velocity[:, 2] = np.minimum(20.0 * t, 8.0)
    position[:, 2] = np.where(t < 0.4, 10.0 * t**2, 1.6 + 8.0 * (t - 0.4))
    rng = np.random.default_rng(2)
    position += rng.normal(0, noise, position.shape)
    velocity += rng.normal(0, noise, velocity.shape)
    recording = read(tmp_path, bodies(position, velocity, child='map'))
    assert recording.problems == () and len(recording.members['uav_1'].track.time) == 500


def test_a_body_that_stops_dead_is_true(tmp_path: Path) -> None:
    position, velocity = circle()
    position[100:], velocity[100:] = position[100], 0.0
    recording = read(tmp_path, bodies(position, velocity, child='map'))
    assert recording.problems == () and len(recording.members['uav_1'].track.time) == 200


@pytest.mark.parametrize('attitude', [(0, 0, 0.7, 0), (0, 0, 0, 0), (np.nan, 0, 0, 1)])
@pytest.mark.parametrize('odd', [range(9, 10), range(200)])
@pytest.mark.parametrize('of_body', [True, False])
def test_an_attitude_that_is_no_rotation_costs_the_heading_alone(
    tmp_path: Path, odd: range, attitude: tuple[float, ...], of_body: bool
) -> None:
    position, velocity = circle()
    twist = np.column_stack([velocity[:, 1], -velocity[:, 0], velocity[:, 2]])
    messages = bodies(position, twist, attitude=NORTH)
    for i in odd:
        told = (twist if of_body else velocity)[i]
        data = Scribe().odometry(messages[i].time_ns, position[i], told, attitude)
        messages[i] = messages[i]._replace(data=data)
    recording = read(tmp_path, messages)
    track = recording.members['uav_1'].track
    assert np.array_equal(track.position, position)
    assert np.flatnonzero(np.isnan(track.yaw)).tolist() == list(odd)
    assert np.allclose(track.velocity, velocity, atol=0.06)
    assert recording.problems == (
        f'/uav_1/odom: {len(odd)} attitudes are no rotations: headings left out, velocities that '
        'they turn are those of the path',
    )


def poses(positions: np.ndarray, attitudes: list[tuple[float, ...]]) -> list[Raw]:
    scribe, stamps = Scribe(), [NS + k * 20_000_000 for k in range(len(positions))]
    return [
        Raw('/vicon/cf1/cf1', 'geometry_msgs/msg/PoseStamped', at, scribe.pose_stamped(at, p, q))
        for at, p, q in zip(stamps, positions, attitudes, strict=True)
    ]


def test_a_body_that_motion_capture_does_not_see_is_nowhere(tmp_path: Path) -> None:
    position, _ = circle()
    lost = [*range(30, 80), *range(100, 101)]
    position[lost] = 0.0
    attitudes = [NO_ATTITUDE if k in lost else NORTH for k in range(200)]
    recording = read(tmp_path, poses(position, attitudes))
    track = recording.members['cf1'].track
    kept = np.delete(np.arange(200), lost)
    assert np.allclose(track.time, 0.02 * kept) and np.array_equal(track.position, position[kept])
    assert recording.problems == (
        '/vicon/cf1/cf1: not tracked, position and quaternion are 0, in 51 samples '
        '(0.60..1.58 s, 2.00..2.00 s): left out',
    )


@pytest.mark.parametrize(('attitude', 'other'), [
    (NO_ATTITUDE, NO_ATTITUDE), (NORTH, NORTH), ((0.0, 0.0, 0.7, 0.0), NORTH)
])  # fmt: skip
def test_the_origin_is_a_place_where_an_attitude_is_told_or_none_ever(
    tmp_path: Path, attitude: tuple[float, ...], other: tuple[float, ...]
) -> None:
    position = circle()[0] - [5.0, 0.0, 0.0]
    recording = read(tmp_path, poses(position, [attitude, *[other] * 199]))
    track = recording.members['cf1'].track
    assert np.array_equal(track.position, position)
    assert not [line for line in recording.problems if 'not tracked' in line]
    assert not np.isinf(track.yaw).any()


@pytest.mark.parametrize('how', ['stamped', 'map'])
def test_commands_of_the_body_are_turned_by_its_heading(tmp_path: Path, how: str) -> None:
    position, velocity = circle()
    messages, scribe = bodies(position, velocity, attitude=NORTH), Scribe()
    if how == 'stamped':
        kind, name = 'geometry_msgs/msg/TwistStamped', 'uav_1/base_link'
        wishes = [scribe.cmd_vel_stamped(m.time_ns, (1, 0, 0.5), name) for m in messages]
        given = []
    else:
        kind = 'geometry_msgs/msg/Twist'
        wishes = [scribe.cmd_vel((1, 0, 0.5)) for _ in messages]
        topics = 'odom: /uav_1/odom, cmd_vel: /uav_1/cmd_vel, cmd_vel_frame: base_link'
        (tmp_path / 'map.yaml').write_text(f'agents: {{uav_1: {{{topics}}}}}')
        given = [load_topic_map(tmp_path / 'map.yaml')]
    told = [Raw('/uav_1/cmd_vel', kind, m.time_ns, wish)
            for m, wish in zip(messages, wishes, strict=True)]  # fmt: skip
    commands = read(tmp_path, messages + told, *given).members['uav_1'].commands
    assert np.allclose(commands.velocity, [0.0, 1.0, 0.5], atol=1e-12)


@pytest.mark.parametrize(('speed', 'left'), [(30.0, 100), (np.nan, 99), (1e10, 99)])
def test_commands_may_jump_as_they_like(tmp_path: Path, speed: float, left: int) -> None:
    messages = flight(Scribe())
    odd = [i for i, raw in enumerate(messages) if raw.topic.endswith('cmd_vel')][40]
    messages[odd] = messages[odd]._replace(data=Scribe().cmd_vel((speed, 0, 0)))
    recording = read(tmp_path, messages)
    assert len(recording.members['uav_1'].commands.time) == left
    assert bool(recording.problems) == (left < 100)
