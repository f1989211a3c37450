"""Parts of the monitor: markers, a swarm that is too slow, messages gathered by tick."""

import time

import pytest
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from visualization_msgs.msg import Marker

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.observers import tick_input
from soliton_encirclement_ros.nodes.observers.health_status import late_members
from soliton_encirclement_ros.nodes.observers.markers import MOST_SINGLE, swarm_markers
from soliton_encirclement_ros.nodes.observers.tick_input import TickAssembly
from support.ros.bodies import adversary, agent, target
from velocity_mobility_ros.ros_io.conditions import Level

pytestmark = pytest.mark.ros

ORIGIN = (0.0, 0.0, 0.0)


def drawn(count):
    """Return the markers of so many agents, every third of which is down, by namespace."""
    agents = {k: ((float(k), 0.0, 1.0), k % 3 == 0) for k in range(1, count + 1)}
    found: dict[str, list[Marker]] = {}
    for marker in swarm_markers(5_000_000_001, agents, ORIGIN, None, 20.0).markers:
        assert (marker.header.stamp.sec, marker.header.stamp.nanosec) == (5, 1)
        assert marker.header.frame_id == 'map'
        assert marker.pose.orientation.w == 1.0
        found.setdefault(marker.ns, []).append(marker)
    return found


def test_a_small_swarm_has_a_body_and_a_label_each():
    found = drawn(MOST_SINGLE)
    assert [len(found[name]) for name in ('agents', 'labels', 'target', 'ring')] == [
        MOST_SINGLE, MOST_SINGLE, 1, 1,
    ]  # fmt: skip
    assert found['agents'][2].color.r > found['agents'][1].color.r
    assert found['labels'][4].text == 'uav_5'


def test_a_large_swarm_has_two_lists_and_no_labels():
    found = drawn(1000)
    assert sorted(found) == ['agents', 'ring', 'target']
    up, down = found['agents']
    assert {up.type, down.type} == {Marker.SPHERE_LIST}
    assert (len(up.points), len(down.points)) == (667, 333)
    assert [point.x for point in down.points[:2]] == [3.0, 6.0]
    assert up.color.b > up.color.r
    assert down.color.r > down.color.b
    assert up.id != down.id


def test_what_is_not_known_is_not_drawn():
    assert swarm_markers(0, {}, None, None, 20.0).markers == []


def missed(**shares: str) -> list[DiagnosticStatus]:
    """Return statuses of members with shares of missed ticks."""
    values = [KeyValue(key='ticks', value='9')]
    return [
        DiagnosticStatus(
            hardware_id=f'alpha/{member}',
            values=[*values, KeyValue(key='missed_ticks', value=share)],
        )
        for member, share in shares.items()
    ]


def test_members_that_miss_ticks_are_named_with_the_figure():
    (condition,) = late_members(missed(uav_1='0.420', uav_2='0.120', target='0.000'))
    assert condition.level is Level.WARN
    assert condition.reason.startswith(
        'alpha/uav_1, alpha/uav_2 miss up to 42 % of their control ticks: '
    )


@pytest.mark.parametrize('share', ['0.05', 'nan', 'much', '-1', '7'])
def test_small_shares_and_odd_values_do_not_count(share):
    assert late_members([*missed(uav_1=share), DiagnosticStatus()]) == []


PATIENCE = 2.0
HERE = (1.0, 2.0, 3.0)


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests turn by hand."""
    now = [time.monotonic()]
    monkeypatch.setattr(tick_input.time, 'monotonic', lambda: now[0])
    return now


@pytest.fixture
def buckets(clock):
    """Return buckets for two agents, target and adversary."""
    return TickAssembly(['uav_1', 'uav_2'], ['target', 'adversary'], PATIENCE)


def row(k):
    return TelemetryRow(k, 0.05, HERE, HERE, False, ())


def fill(bucket, agents=(1, 2), rows=(1, 2)):
    for k in agents:
        assert bucket.add('state', f'uav_{k}', agent(k, 1, HERE))
    for k in rows:
        assert bucket.add('row', f'uav_{k}', row(k))
    assert bucket.add('state', 'target', target(1))
    assert bucket.add('state', 'adversary', adversary(1))


def test_nothing_is_handed_out_before_it_is_complete(buckets):
    fill(buckets.of(50), rows=(1,))
    assert list(buckets.take_complete()) == []
    assert len(buckets) == 1
    buckets.of(50).add('row', 'uav_2', row(2))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [50]
    assert len(buckets) == 0


def test_ticks_come_in_order(buckets):
    fill(buckets.of(100))
    fill(buckets.of(50), rows=(1,))
    assert list(buckets.take_complete()) == []
    buckets.of(50).add('row', 'uav_2', row(2))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [50, 100]


def test_states_come_in_the_order_of_members_whatever_the_order_of_arrival(buckets):
    fill(buckets.of(50), agents=(2, 1))
    (bucket,) = buckets.take_complete()
    assert bucket.states() == [agent(1, 1, HERE), agent(2, 1, HERE), adversary(1), target(1)]


def test_silence_is_an_answer(buckets):
    fill(buckets.of(50), agents=(1,))
    assert buckets.of(50).add('state', 'uav_2', None)
    (bucket,) = buckets.take_complete()
    assert bucket.states() == [agent(1, 1, HERE), adversary(1), target(1)]


def test_the_first_word_of_a_member_counts(buckets):
    bucket = buckets.of(50)
    assert bucket.add('state', 'uav_1', agent(1, 1, HERE))
    assert not bucket.add('state', 'uav_1', agent(1, 9, HERE))
    assert bucket.add('row', 'uav_1', row(1))
    assert not bucket.add('row', 'uav_1', row(1))
    assert bucket.states() == [agent(1, 1, HERE)]


def test_a_stranger_does_not_count(buckets):
    assert not buckets.of(50).add('state', 'uav_9', agent(9, 1, HERE))
    assert buckets.of(50).states() == []


def test_the_true_motion_of_all_is_waited_for_where_it_is_published(clock):
    buckets = TickAssembly(['uav_1'], ['target'], PATIENCE, truth=True)
    bucket, pose = buckets.of(50), Pose(HERE, HERE)
    bucket.add('state', 'uav_1', agent(1, 1, HERE))
    bucket.add('state', 'target', target(1))
    bucket.add('row', 'uav_1', row(1))
    assert bucket.add('truth', 'uav_1', pose) and not bucket.add('truth', 'uav_1', pose)
    assert list(buckets.take_complete()) == []
    bucket.add('truth', 'target', pose)
    (complete,) = buckets.take_complete()
    assert complete.said('truth') == {'uav_1': pose, 'target': pose}


def look_for(buckets, clock, seconds):
    """Let time pass and look every tenth of a second, as the monitor does; return what came."""
    handed_out = []
    for _ in range(round(seconds / 0.1)):
        clock[0] += 0.1
        handed_out += [bucket.stamp_ns for bucket in buckets.take_complete()]
    return handed_out


def test_whoever_is_missing_is_waited_for_once(buckets, clock):
    fill(buckets.of(50), agents=(1,), rows=(1,))
    assert look_for(buckets, clock, PATIENCE - 0.5) == []
    assert look_for(buckets, clock, 1.0) == [50]
    fill(buckets.of(100), agents=(1,), rows=(1,))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [100]


def test_a_stall_of_the_monitor_itself_is_no_sign_of_death(buckets, clock):
    fill(buckets.of(50), agents=(1,), rows=(1,))
    assert look_for(buckets, clock, 0.3) == []
    clock[0] += 10.0 * PATIENCE
    assert list(buckets.take_complete()) == []
    assert buckets.of(50).add('state', 'uav_2', agent(2, 1, HERE))
    assert buckets.of(50).add('row', 'uav_2', row(2))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [50]


def test_everything_left_is_handed_out_in_order(buckets):
    buckets.of(100).add('row', 'uav_1', row(1))
    buckets.of(50).add('row', 'uav_1', row(1))
    assert [bucket.stamp_ns for bucket in buckets.take_all()] == [50, 100]
    assert len(buckets) == 0
