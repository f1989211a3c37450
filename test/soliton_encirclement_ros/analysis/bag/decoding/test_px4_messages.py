"""Flights of PX4: frames turned, units of time, origins joined, definitions from bag or length."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    KNOWN, Types, px4_definition
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Channel
from soliton_encirclement_ros.analysis.recording import HEADER
from support.recorded.bags import FORMS, Form, Raw, Scribe, as_humble, px4_types, write_bag
from velocity_mobility_ros.core.cdr import MAX_PADDING, Layout

TYPES = px4_types()
START_US = 1_700_000_000 * 10**6
OPEN = (math.nan,) * 3
REF = (47.3977, 8.5456, 488.0)
LOCAL, ODOMETRY, SETPOINT = (f'px4_msgs/msg/{name}' for name in (
    'VehicleLocalPosition', 'VehicleOdometry', 'TrajectorySetpoint'))  # fmt: skip


def local_position(at_us: int, ned: Any, velocity: Any, **changes: Any) -> bytes:
    fields = {
        'timestamp': at_us, 'timestamp_sample': at_us, 'xy_valid': True, 'z_valid': True,
        'v_xy_valid': True, 'v_z_valid': True, 'delta_xy': np.zeros(2, np.float32),
        'xy_reset_counter': 0, 'heading': 0.0, 'xy_global': True, 'z_global': True,
        'ref_timestamp': 1, **dict(zip(('ref_lat', 'ref_lon', 'ref_alt'), REF, strict=True)),
        **dict(zip(('x', 'y', 'z', 'vx', 'vy', 'vz'), (*ned, *velocity), strict=True)),
    }  # fmt: skip
    return Scribe(TYPES).bytes(LOCAL, **{**fields, **changes})


def vehicle_odometry(at_us: int, position: Any, velocity: Any, q: Any, frame: int) -> bytes:
    vectors = {'position': position, 'velocity': velocity, 'angular_velocity': (0, 0, 0), 'q': q}
    return Scribe(TYPES).bytes(
        ODOMETRY, timestamp=at_us, timestamp_sample=at_us, pose_frame=1, velocity_frame=frame,
        reset_counter=0, quality=0,
        **{name: np.array(value, np.float32) for name, value in vectors.items()},
    )  # fmt: skip


def setpoint(at_us: int, velocity: Any, yawspeed: float, position: Any = OPEN) -> bytes:
    nothing = np.full(3, np.nan, np.float32)
    return Scribe(TYPES).bytes(
        SETPOINT, timestamp=at_us, position=np.array(position, np.float32),
        velocity=np.array(velocity, np.float32), acceleration=nothing, jerk=nothing,
        yaw=math.nan, yawspeed=yawspeed,
    )  # fmt: skip


def leave(folder: Path, messages: list[Raw], form: Form = FORMS['mcap-none-9']) -> Path:
    return write_bag(folder, messages, form, TYPES)


def raws(topic: str, kind: str, draw: Any, count: int = 30) -> list[Raw]:
    """Return messages at 50 Hz, each received 3 ms after its stamp."""
    stamps = [START_US + k * 20_000 for k in range(count)]
    return [Raw(topic, kind, (at + 3_000) * 1000, draw(k, at)) for k, at in enumerate(stamps)]


@pytest.mark.parametrize('suffix', ['', '_v1'])
@pytest.mark.parametrize('form', ['mcap-none-9', 'mcap-message-9', 'sqlite3-file-9'])
def test_a_flight_north_is_one_along_y(tmp_path: Path, suffix: str, form: str) -> None:
    place = f'/px4_1/fmu/out/vehicle_local_position{suffix}'
    north = lambda k, at: local_position(at, (0.25 * k, 1.0, -2.0), (12.5, 0, -1))  # noqa: E731
    told = raws(place, LOCAL, north)
    wish = raws('/px4_1/fmu/in/trajectory_setpoint', SETPOINT,
                lambda k, at: setpoint(at, (2.0, 1.0, -0.5), 0.25))  # fmt: skip
    recording = read_recording(leave(tmp_path / 'bag', told + wish, FORMS[form]))
    assert recording.problems == () and recording.clock == HEADER
    assert list(recording.members) == ['uav_1']
    track, commands = recording.members['uav_1'].track, recording.members['uav_1'].commands
    k = np.arange(30)
    assert np.array_equal(track.time, k * 20_000_000 / 1e9)
    assert np.array_equal(track.position, np.column_stack([0 * k + 1.0, 0.25 * k, 0 * k + 2.0]))
    assert track.velocity[3].tolist() == [0.0, 12.5, 1.0]
    assert track.yaw[3] == math.pi / 2
    assert commands.velocity[3].tolist() == [1.0, 2.0, 0.5] and commands.yaw_rate[3] == -0.25
    topic = next(topic for topic in recording.topics if topic.name == place)
    assert topic.latency_median == pytest.approx(0.003)


@pytest.mark.parametrize(
    ('q', 'frame', 'velocity', 'yaw', 'expected'),
    [
        ((1, 0, 0, 0), 1, (2, 0, 0), math.pi / 2, (0, 2, 0)),
        ((0.707107, 0, 0, 0.707107), 3, (2, 0, 0), 0.0, (2, 0, 0)),
        ((0.707107, 0, 0, 0.707107), 3, (0, 2, 0), 0.0, (0, -2, 0)),
        ((0.500181, -0.027749, 0.134555, -0.854952), 1, (0, 2, -1), math.radians(-150), (2, 0, 1)),
    ],
)  # fmt: skip
def test_odometry_in_either_frame(
    tmp_path: Path, q: Any, frame: int, velocity: Any, yaw: float, expected: Any
) -> None:
    draw = lambda k, at: vehicle_odometry(at, (1, 2, 3), velocity, q, frame)  # noqa: E731
    told = raws('/fmu/out/vehicle_odometry', ODOMETRY, draw)
    recording = read_recording(leave(tmp_path / 'bag', told))
    track = recording.members['vehicle'].track
    assert track.position[0].tolist() == [2.0, 1.0, -3.0]
    assert np.allclose(track.velocity[0], expected, atol=1e-6)
    assert track.yaw[0] == pytest.approx(yaw, abs=1e-5)


def test_what_px4_calls_invalid_is_left_out(tmp_path: Path) -> None:
    draw = lambda k, at: local_position(at, (0, 0, 0), (0, 0, 0), xy_valid=k >= 10)  # noqa: E731
    told = raws('/px4_1/fmu/out/vehicle_local_position', LOCAL, draw)
    recording = read_recording(leave(tmp_path / 'bag', told))
    assert len(recording.members['uav_1'].track.time) == 20
    assert recording.problems == (
        '/px4_1/fmu/out/vehicle_local_position: 10 samples are no coordinates: left out',
    )


def test_a_place_without_a_heading_is_one(tmp_path: Path) -> None:
    nothing = (math.nan,) * 4
    draw = lambda k, at: vehicle_odometry(at, (1, 2, 3), (2, 0, 0), nothing, 1)  # noqa: E731
    told = raws('/px4_1/fmu/out/vehicle_odometry', ODOMETRY, draw)
    twist = Scribe().cmd_vel_stamped(START_US * 1000, (1.0, 0.0, 0.0), 'base_link')
    told.append(Raw('/uav_1/cmd_vel', 'geometry_msgs/msg/TwistStamped', told[0].time_ns, twist))
    recording = read_recording(leave(tmp_path / 'bag', told))
    track = recording.members['uav_1'].track
    assert track.position.tolist() == [[2.0, 1.0, -3.0]] * 30 and np.isnan(track.yaw).all()
    assert recording.problems == (
        '/uav_1/cmd_vel: 1 commands in the frame of a body whose heading is not known: left out',
    )


@pytest.mark.parametrize(('suffix', 'part'), [('', 'track'), ('_groundtruth', 'truth')])
def test_positions_count_from_one_origin(tmp_path: Path, suffix: str, part: str) -> None:
    topic = '/px4_{}/fmu/out/vehicle_local_position' + suffix
    here = raws(topic.format(1), LOCAL, lambda k, at: local_position(at, (0, 0, 0), (0, 0, 0)))
    there = raws(topic.format(2), LOCAL, lambda k, at: local_position(
        at, (10, -5, -3), (0, 0, 0), ref_lat=47.39769999969, ref_lon=8.54586571555, ref_alt=489.0
    ))  # fmt: skip
    members = read_recording(leave(tmp_path / 'bag', here + there)).members
    places = [getattr(members[name], part).position for name in ('uav_1', 'uav_2')]
    assert np.allclose(places[0], 0.0)
    assert np.allclose(places[1], [15.0, 10.0, 4.0], atol=1e-3)


def test_unknown_origins_are_reported(tmp_path: Path) -> None:
    messages = []
    for k in (1, 2):
        draw = lambda _, at: local_position(at, (0, 0, 0), (0, 0, 0), xy_global=False)  # noqa: E731
        messages += raws(f'/px4_{k}/fmu/out/vehicle_local_position', LOCAL, draw)
    recording = read_recording(leave(tmp_path / 'bag', messages))
    assert recording.problems == (
        'uav_1, uav_2: PX4 does not say where the origin lies: no distances to others',
    )


def test_without_definitions_the_topics_are_named(tmp_path: Path) -> None:
    topic = '/px4_1/fmu/out/vehicle_local_position'
    told = raws(topic, LOCAL, lambda k, at: local_position(at, (0, 0, 0), (0, 0, 0)))
    odometry = Scribe().odometry(START_US * 1000, (0, 0, 0), (0, 0, 0))
    bag = leave(
        tmp_path / 'bag',
        [*told, Raw('/uav_2/odom', 'nav_msgs/msg/Odometry', START_US * 1000, odometry)],
        Form(StoragePlugin.SQLITE3, version=8),
    )
    as_humble(bag)
    recording = read_recording(bag)
    assert list(recording.members) == ['uav_2']
    assert recording.problems == (
        f'{topic}: cannot be decoded: {LOCAL}: its definition is not in the bag: '
        'convert the bag to mcap where px4_msgs is installed (ros2 bag convert)',
    )


def test_without_definitions_a_known_length_tells_the_fields(tmp_path: Path) -> None:
    topic = '/px4_1/fmu/in/trajectory_setpoint'
    told = raws(topic, SETPOINT, lambda k, at: setpoint(at, (2.0, 1.0, -0.5), 0.25))
    bag = leave(tmp_path / 'bag', told, Form(StoragePlugin.SQLITE3, version=8))
    as_humble(bag)
    recording = read_recording(bag)
    assert recording.members['uav_1'].commands.velocity[7].tolist() == [1.0, 2.0, 0.5]
    assert recording.problems[:1] == (
        f'{topic}: the definition of {SETPOINT} is not in the bag: '
        'taken for that of PX4 1.14 or newer, by its length',
    )


def test_setpoints_of_positions_are_no_velocity_commands(tmp_path: Path) -> None:
    places = {0: (1, 2, -3), 1: OPEN, 2: (math.nan, math.nan, -3)}
    velocities = {0: (0, 0, 0), 1: (2, 1, 0), 2: (2, 1, math.nan)}
    draw = lambda k, at: setpoint(at, velocities[k % 3], math.nan, places[k % 3])  # noqa: E731
    topic = '/px4_1/fmu/in/trajectory_setpoint'
    recording = read_recording(leave(tmp_path / 'bag', raws(topic, SETPOINT, draw)))
    commands = recording.members['uav_1'].commands
    assert commands.velocity.tolist() == [[1.0, 2.0, 0.0]] * 10
    assert np.isnan(commands.yaw_rate).all()
    assert recording.problems[1:] == (
        f'{topic}: 20 setpoints of positions or of part of a velocity: left out',
    )


EVERY = [(kind, length) for kind, releases in KNOWN.items() for length in releases]


@pytest.mark.parametrize(('kind', 'length'), EVERY)
def test_a_definition_is_as_long_as_it_says(kind: str, length: int) -> None:
    message = bytes([0, 1, 0, 0]) + bytes(length - 4)
    assert px4_definition(kind, length)[0]
    assert Layout(fields_of(kind, length), message).size == length


def fields_of(kind: str, length: int) -> Any:
    types = Types()
    assert types.learn(Channel('/a', kind), length)
    return types.fields[kind]


@pytest.mark.parametrize(('kind', 'length'), EVERY)
def test_padding_changes_nothing_and_other_lengths_are_unknown(kind: str, length: int) -> None:
    assert px4_definition(kind, length + MAX_PADDING) == px4_definition(kind, length)
    assert px4_definition(kind, length - 1) != px4_definition(kind, length)
    assert px4_definition(kind, 2 * length) == ('', '')


def test_other_types_are_unknown() -> None:
    assert px4_definition('px4_msgs/msg/VehicleStatus', 84) == ('', '')


@pytest.mark.parametrize(('length', 'altitude'), [(184, 140), (188, 140), (204, 156), (220, 156)])
def test_fields_stand_where_px4_has_them(length: int, altitude: int) -> None:
    kind = 'px4_msgs/msg/VehicleLocalPosition'
    fields = Layout(fields_of(kind, length), bytes([0, 1, 0, 0]) + bytes(length - 4)).fields
    assert (fields['heading'].offset, fields['ref_alt'].offset) == (104, altitude)
