"""Commands that name no frame: the velocity of their vehicle tells it."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.position_checks import BOTH, fitting_commands
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.findings.finding import find
from soliton_encirclement_ros.analysis.recording import Recording
from support.recorded.bags import Raw, Scribe, write_bag
from velocity_mobility_ros.core.coordinate_frames import levelled_to_world, quaternion_from_yaw

NS = 1_700_000_000 * 10**9
PERIOD, LAG = 0.05, 0.15
ODOMETRY, TWIST = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/Twist'


class Driven(NamedTuple):
    """A flight at 20 Hz: commands and velocity in map (K, 3), and heading (K,)."""

    time: np.ndarray
    command: np.ndarray
    velocity: np.ndarray
    yaw: np.ndarray


def rover(in_body: bool = True, speed: float = 0.2, turn: float = 0.3) -> Driven:
    """Return 30 s of a vehicle with a lag that is driven forwards, or to the east."""
    time = np.arange(600) * PERIOD
    yaw = turn * time
    told = np.column_stack([speed * (1.0 + 0.5 * np.sin(time)), 0 * time, 0 * time])
    command = levelled_to_world(yaw, told) if in_body else told
    velocity = np.zeros_like(command)
    for k in range(1, len(time)):
        velocity[k] = velocity[k - 1] + (command[k - 1] - velocity[k - 1]) * PERIOD / LAG
    return Driven(time, command, velocity, yaw)


def messages(driven: Driven, told: np.ndarray) -> list[Raw]:
    scribe, found = Scribe(), []
    place = np.cumsum(driven.velocity, axis=0) * PERIOD
    for k in range(len(driven.time)):
        at = NS + k * 50_000_000
        attitude = quaternion_from_yaw(driven.yaw[k])
        data = scribe.odometry(at, place[k], driven.velocity[k], attitude, 'odom', 'odom')
        found.append(Raw('/odom', ODOMETRY, at, data))
        found.append(Raw('/cmd_vel', TWIST, at + 1, scribe.cmd_vel(told[k])))
    return found


def read(folder: Path, driven: Driven, told: np.ndarray, *given: str) -> Recording:
    maps = []
    for frame in given:
        topics = f'odom: /odom, cmd_vel: /cmd_vel, cmd_vel_frame: {frame}'
        (folder / 'map.yaml').write_text(f'agents: {{vehicle: {{{topics}}}}}')
        maps = [load_topic_map(folder / 'map.yaml')]
    return read_recording(write_bag(folder / 'bag', messages(driven, told)), *maps)


def in_body(driven: Driven) -> np.ndarray:
    return levelled_to_world(-driven.yaw, driven.command)


def test_the_twist_of_a_ground_robot_is_in_its_own_frame(tmp_path: Path) -> None:
    driven = rover()
    recording = read(tmp_path, driven, in_body(driven))
    commands = recording.members['vehicle'].commands
    assert np.allclose(commands.velocity, driven.command, atol=1e-6)
    assert recording.problems == (
        '/cmd_vel: commands name no frame; its velocity fits them 3 times better or more in that '
        'of the body (base_link) than in map: taken so; cmd_vel_frame: map in a map file (--map) '
        'takes them for those in map',
    )
    (agent,) = find(recording).agents
    assert agent.tracking_rms < 0.02  # 0.25 in map


def test_a_map_file_says_that_they_are_in_map_all_the_same(tmp_path: Path) -> None:
    driven = rover()
    recording = read(tmp_path, driven, in_body(driven), 'map')
    assert np.allclose(recording.members['vehicle'].commands.velocity, in_body(driven))
    assert recording.problems == ()


def test_commands_in_map_stay_so_without_a_line(tmp_path: Path) -> None:
    driven = rover(in_body=False)
    recording = read(tmp_path, driven, driven.command)
    assert np.allclose(recording.members['vehicle'].commands.velocity, driven.command)
    assert recording.problems == ()


def test_what_is_assumed_is_told_where_neither_frame_fits(tmp_path: Path) -> None:
    driven = rover()
    stuck = driven._replace(velocity=0.0 * driven.velocity)
    recording = read(tmp_path, stuck, in_body(driven))
    assert np.allclose(recording.members['vehicle'].commands.velocity, in_body(driven))
    assert recording.problems == (
        '/cmd_vel: commands name no frame, and its velocity fits neither map nor base_link '
        'clearly better: taken for those in map; cmd_vel_frame: base_link in a map file (--map) '
        'takes them for those of the body',
    )


@pytest.mark.parametrize(('is_of_body', 'noise', 'found'), [
    (True, 0.02, 1), (False, 0.02, 0), (True, 0.5, BOTH),
])  # fmt: skip
def test_a_frame_is_found_beneath_lag_and_noise(
    is_of_body: bool, noise: float, found: int
) -> None:
    driven = rover(is_of_body)
    velocity = driven.velocity + np.random.default_rng(1).normal(0.0, noise, (600, 3))
    told = in_body(driven) if is_of_body else driven.command
    readings = told, levelled_to_world(driven.yaw, told)
    assert fitting_commands(driven.time, velocity, driven.time, readings) == found


@pytest.mark.parametrize('driven', [rover(turn=0.0), rover(speed=0.01)])
def test_readings_that_are_one_tell_nothing(driven: Driven) -> None:
    told = in_body(driven)
    readings = told, levelled_to_world(driven.yaw, told)
    assert fitting_commands(driven.time, driven.velocity, driven.time, readings) is None
