"""Positions that cannot be those of vehicles in one map are named, and there is no verdict."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.bag.position_checks import (
    FramedTrack, origins_apart, vertical_plane
)
from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.recording import Member, Recording, Track
from support.recorded.bags import Raw, Scribe, write_bag

START, COUNT = 1_700_000_000 * 10**9, 200
ODOMETRY, TF = 'nav_msgs/msg/Odometry', 'tf2_msgs/msg/TFMessage'
SCRIBE = Scribe()
TIME = np.arange(COUNT) * 0.1


def ring(place: int, turn: float = 0.3) -> np.ndarray:
    """Return the way of one of three on a ring of 8 m round the origin, at a height of 2 m."""
    angle = turn * TIME + place * 2 * np.pi / 3
    return np.column_stack([8 * np.cos(angle), 8 * np.sin(angle), 0 * TIME + 2.0])


def told(
    topic: str, way: np.ndarray, frame: str = 'map', child: str = 'base_link', late_ns: int = 0
) -> list[Raw]:
    """Return odometry at 10 Hz with the velocity of a way in its own frame."""
    speeds = np.gradient(way, 0.1, axis=0)
    found = []
    for k, (place, speed) in enumerate(zip(way, speeds, strict=True)):
        at = START + k * 100_000_000 + late_ns
        data = SCRIBE.odometry(at, place, speed, child=child, frame=frame)
        found.append(Raw(topic, ODOMETRY, at, data))
    return found


def read(folder: Path, *parts: Iterable[Raw]) -> Recording:
    messages = sorted((raw for part in parts for raw in part), key=lambda one: one.time_ns)
    return read_recording(write_bag(folder / 'bag', messages))


def judged(recording: Recording) -> Findings:
    return find(recording, default_settings(recording, (0.0, 0.0, 0.0), 8.0))


def lines(recording: Recording, text: str) -> list[str]:
    return [line for line in recording.problems if text in line]


def test_vehicles_on_a_ring_give_a_verdict(tmp_path: Path) -> None:
    recording = read(tmp_path, *(told(f'/uav_{k}/odom', ring(k)) for k in range(3)))
    assert recording.problems == () and recording.doubt == '' and recording.fixtures == ()
    assert judged(recording).encircled


def test_a_map_whose_y_is_up_is_named(tmp_path: Path) -> None:
    ways = [ring(k)[:, [0, 2, 1]] * [1, 1, -1] for k in range(3)]
    recording = read(tmp_path, *(told(f'/uav_{k}/odom', way) for k, way in enumerate(ways)))
    (line,) = lines(recording, 'vertical plane')
    assert line.startswith('uav_0, uav_1, uav_2: move in a vertical plane, y within 0.00 m and z ')
    verdict = judged(recording)
    assert (verdict.encircled, verdict.why) == (None, 'y may be up instead of z')
    assert verdict.min_separation.distance == pytest.approx(13.86, abs=0.01)


def line_of(*corners: Sequence[float]) -> np.ndarray:
    """Return a way through corners, as long from each to the next."""
    at = np.linspace(0.0, len(corners) - 1.0, COUNT)
    columns = np.transpose(corners)
    return np.column_stack([np.interp(at, range(len(corners)), column) for column in columns])


@pytest.mark.parametrize('way', [
    line_of((0, 0, 0), (0, 0, 20)),
    line_of((0, 0, 0), (20, 0, 20)),
    line_of((0, 0, 0), (0, 0, 9), (10, 0, 9), (20, 0, 9), (20, 0, 0)),  # there and down again
    ring(0),
])  # fmt: skip
def test_a_flight_in_a_vertical_plane_is_none_with_another_axis_up(way: np.ndarray) -> None:
    track = Track(TIME, way, 0 * way, 0 * TIME)
    assert vertical_plane({name: Member(name, track) for name in ('uav_1', 'uav_2')}) is None


@pytest.mark.parametrize(('children', 'line'), [
    (('base_link', 'base_link'), '13.80 m apart: more than one publisher; give each vehicle'),
    (('', '', ''), '13.86 m apart: more than one publisher; give each vehicle'),
    (('a', 'b/base_link', 'c/base_link'),
     '13.86 m apart, 3 child frames on one topic (a, b/base_link, c/base_link): more than one'),
    (('a', 'b\x0cc'), "13.80 m apart, 2 child frames on one topic (a, 'b\\x0cc'): more than one"),
])  # fmt: skip
def test_several_publishers_on_one_topic_are_named(
    tmp_path: Path, children: tuple[str, ...], line: str
) -> None:
    shared = [told('/uav_1/odom', ring(k), child=child, late_ns=k * 3_000_000)
              for k, child in enumerate(children)]  # fmt: skip
    recording = read(tmp_path, told('/uav_4/odom', ring(1) + 1.0), *shared)
    (found,) = lines(recording, 'positions')
    assert found.startswith(f'/uav_1/odom: positions alternate between places {line}')
    verdict = judged(recording)
    assert (verdict.encircled, verdict.why) == (None, 'several publishers share a topic')


def test_one_publisher_may_name_several_frames_of_its_vehicle(tmp_path: Path) -> None:
    names = 'uav_1/base_link', 'uav_1/base_footprint'
    parts = [told('/uav_1/odom', ring(0), child=name)[k::2] for k, name in enumerate(names)]
    assert read(tmp_path, *parts).doubt == ''


def test_local_positions_from_homes_are_no_collision(tmp_path: Path) -> None:
    """As MAVROS tells them: all in 'map', each from where it was armed."""
    homes = [told(f'/uav_{k}/odom', ring(k) - ring(k)[0]) for k in range(3)]
    recording = read(tmp_path, *homes, told('/car/odom', ring(0) * 0.2))
    assert lines(recording, "uav_0, uav_1, uav_2 begin at one place of 'map': probably each has")
    verdict = judged(recording)
    assert (verdict.encircled, verdict.why) == (None, 'the origins of positions are not known')
    assert verdict.collisions == () and verdict.summary['min_separation_m'] is None


def test_vehicles_that_fly_alike_from_homes_of_their_own_do_not_collide(tmp_path: Path) -> None:
    recording = read(tmp_path, *(told(f'/uav_{k}/odom', ring(0)) for k in range(3)))
    assert lines(recording, "uav_0, uav_1, uav_2 are at one place of 'map' all the time: each has")
    verdict = judged(recording)
    assert (verdict.encircled, verdict.why) == (None, 'the origins of positions are not known')
    assert verdict.collisions == () and verdict.summary['min_separation_m'] is None


def begun(member: str, way: np.ndarray, frame: str, delay: float = 0.0) -> FramedTrack:
    return FramedTrack(member, frame, Track(TIME + delay, way, 0 * way, 0 * TIME))


@pytest.mark.parametrize(('bodies', 'is_foreign', 'count'), [
    ([begun('a', ring(0), 'map'), begun('b', ring(0, 0.1), 'map')], True, 1),
    ([begun('a', ring(0), 'map'), begun('b', ring(0, 0.1), 'map')], False, 0),
    ([begun('a', ring(0), 'map'), begun('b', ring(0), 'map')], True, 1),  # or one body
    ([begun('a', ring(0), 'map'), begun('b', ring(0), 'map', 5.0)], True, 0),  # at other times
    ([begun('a', ring(0), 'a/odom'), begun('b', ring(0), 'b/odom')], False, 1),
    ([begun('a', ring(0), 'a/odom'), begun('b', ring(1), 'b/odom')], True, 0),
])  # fmt: skip
def test_who_begins_at_one_place_with_others_has_an_origin_of_its_own(
    bodies: list[FramedTrack], is_foreign: bool, count: int
) -> None:
    assert len([*origins_apart(bodies, is_foreign)]) == count


def with_origins() -> list[list[Raw]]:
    """Return odometry from origins on the ring, turned by a quarter, and transforms to them."""
    parts = []
    for k in range(3):
        name, home = f'uav_{k}', ring(k)[0] * [1, 1, 0]
        x, y, z = (ring(k) - home).T
        parts.append(told(f'/{name}/odom', np.column_stack([y, -x, z]), f'{name}/odom'))
        data = SCRIBE.frames(START, ('map', f'{name}/odom', home, np.pi / 2))
        parts.append([Raw('/tf_static', TF, START, data)])
    return parts


def test_transforms_move_vehicles_into_one_map(tmp_path: Path) -> None:
    recording = read(tmp_path, *with_origins())
    assert recording.problems == (
        '/uav_0/odom, /uav_1/odom, /uav_2/odom: in a frame of its own: moved into '
        "'map' by the transforms in the bag",
    )
    track = recording.members['uav_1'].track
    assert np.allclose(track.position, ring(1)) and np.allclose(track.yaw, np.pi / 2)
    assert np.allclose(track.velocity, np.gradient(ring(1), 0.1, axis=0), atol=1e-9)
    assert judged(recording).encircled


def test_transforms_that_move_are_followed(tmp_path: Path) -> None:
    later = [Raw('/tf', TF, START + n * 10**9, SCRIBE.frames(
        START + n * 10**9, ('map', 'uav_1/odom', ring(1)[0] * [1, 1, 0] + [n, 0, 0], np.pi / 2)
    )) for n in range(21)]  # fmt: skip
    track = read(tmp_path, *with_origins(), later).members['uav_1'].track
    assert np.allclose(track.position[:, 0], ring(1)[:, 0] + TIME)


def test_a_frame_that_several_vehicles_name_is_not_moved(tmp_path: Path) -> None:
    """It is another one for each of them, and the transform that of one."""
    parts = [told(f'/uav_{k}/odom', ring(k) - ring(k)[0], 'odom') for k in range(2)]
    parts.append(told('/uav_2/odom', ring(2), 'uav_2/odom'))
    link = SCRIBE.frames(START, ('map', 'odom', (9, 9, 0), 0.0))
    recording = read(tmp_path, *parts, [Raw('/tf_static', TF, START, link)])
    assert np.array_equal(recording.members['uav_1'].track.position[0], [0, 0, 0])
    assert lines(recording, "uav_0, uav_1 begin at one place of 'odom'")
    assert judged(recording).encircled is None


STILL = np.zeros((COUNT, 3))
NEVER = ': never move (0.00 m in 20 s)'


def test_what_stands_beside_vehicles_is_no_agent(tmp_path: Path) -> None:
    bodies = {'cf1': ring(0), 'cf2': ring(1), 'cf3': ring(2), 'cf4': STILL + 20.0,
              'rover': STILL - 20.0}  # fmt: skip
    parts = [told(f'/{name}/odom', way) for name, way in bodies.items()]
    parts += [told('/wand/odom', STILL + 1.0), told('/table/odom', STILL - 2.0)]
    recording = read(tmp_path, *parts)
    assert recording.problems == (
        f'table, wand{NEVER}: taken for no agents; a map file (--map) names those that are',
    )
    assert [one.name for one in judged(recording).agents] == ['cf1', 'cf2', 'cf3', 'cf4', 'rover']
    assert default_settings(recording, 'wand').target == 'wand'
    text = 'cf1: {odom: /cf1/odom}, wand: {odom: /wand/odom}'
    (tmp_path / 'map.yaml').write_text(f'agents: {{{text}}}')
    mapped = read_recording(tmp_path / 'bag', load_topic_map(tmp_path / 'map.yaml'))
    assert mapped.fixtures == () and not lines(mapped, 'never move')


def test_where_names_tell_no_vehicles_who_stands_is_asked_for(tmp_path: Path) -> None:
    recording = read(tmp_path, told('/anna/odom', ring(0)), told('/bob/odom', STILL))
    assert recording.fixtures == () and recording.problems == (
        f'bob{NEVER}: if they are no vehicles, leave them out by a map file (--map)',
    )


def test_positions_in_degrees_are_named(tmp_path: Path) -> None:
    messages = []
    for k in range(3):
        way, speeds = ring(k), np.gradient(ring(k), 0.1, axis=0)
        geo = way * [1.3e-5, 0.9e-5, 1.0] + [8.5, 47.4, 500.0]
        for n in range(COUNT):
            at = START + n * 100_000_000
            data = SCRIBE.odometry(at, geo[n], speeds[n], frame='wgs84')
            messages.append(Raw(f'/uav_{k}/odom', ODOMETRY, at, data))
    recording = read(tmp_path, messages)
    (line,) = recording.problems
    assert line.startswith('/uav_0/odom, /uav_1/odom, /uav_2/odom: moves ')
    assert 'are its positions in degrees (longitude, latitude)? they must be in m' in line
    assert judged(recording).why == 'positions are hardly in metres'
    assert judged(recording).collisions == ()


def test_a_bag_of_nobody_has_no_verdict(tmp_path: Path) -> None:
    kind = 'sensor_msgs/msg/NavSatFix'
    status = SCRIBE.make('sensor_msgs/msg/NavSatStatus', status=0, service=1)
    data = SCRIBE.bytes(
        kind, header=SCRIBE.header(START, 'gps'), status=status, latitude=47.4, longitude=8.5,
        altitude=500.0, position_covariance=np.zeros(9), position_covariance_type=0,
    )  # fmt: skip
    recording = read(tmp_path, [Raw('/uav_1/gps/fix', kind, START, data)])
    assert 'navsat_transform_node of robot_localization' in recording.problems[0]
    assert judged(recording).encircled is None
    assert judged(recording).why == 'no place of any agent is known'
