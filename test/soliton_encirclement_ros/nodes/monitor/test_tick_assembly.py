"""Messages gathered by tick: handed out whole, in order, or after the patience is over."""

import time

import pytest
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.monitor import tick_assembly
from soliton_encirclement_ros.nodes.monitor.tick_assembly import TickAssembly
from support.ros.bodies import adversary, agent, target

PATIENCE = 2.0
HERE = (1.0, 2.0, 3.0)


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests turn by hand."""
    now = [time.monotonic()]
    monkeypatch.setattr(tick_assembly.time, 'monotonic', lambda: now[0])
    return now


@pytest.fixture
def buckets(clock):
    """Return buckets for two agents, target and adversary."""
    return TickAssembly(['uav_1', 'uav_2'], ['target', 'adversary'], PATIENCE)


def row(k):
    return TelemetryRow(k, 0.05, HERE, HERE, False, ())


def fill(bucket, agents=(1, 2), rows=(1, 2)):
    for k in agents:
        assert bucket.add_state(f'uav_{k}', agent(k, 1, HERE))
    for k in rows:
        assert bucket.add_row(row(k))
    assert bucket.add_state('target', target(1))
    assert bucket.add_state('adversary', adversary(1))


def test_nothing_is_handed_out_before_it_is_complete(buckets):
    fill(buckets.of(50), rows=(1,))
    assert list(buckets.take_complete()) == []
    assert len(buckets) == 1
    buckets.of(50).add_row(row(2))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [50]
    assert len(buckets) == 0


def test_ticks_come_in_order(buckets):
    fill(buckets.of(100))
    fill(buckets.of(50), rows=(1,))
    assert list(buckets.take_complete()) == []
    buckets.of(50).add_row(row(2))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [50, 100]


def test_states_come_in_the_order_of_members_whatever_the_order_of_arrival(buckets):
    fill(buckets.of(50), agents=(2, 1))
    (bucket,) = buckets.take_complete()
    assert bucket.states() == [agent(1, 1, HERE), agent(2, 1, HERE), adversary(1), target(1)]


def test_silence_is_an_answer(buckets):
    fill(buckets.of(50), agents=(1,))
    assert buckets.of(50).add_state('uav_2', None)
    (bucket,) = buckets.take_complete()
    assert bucket.states() == [agent(1, 1, HERE), adversary(1), target(1)]


def test_the_first_word_of_a_member_counts(buckets):
    bucket = buckets.of(50)
    assert bucket.add_state('uav_1', agent(1, 1, HERE))
    assert not bucket.add_state('uav_1', agent(1, 9, HERE))
    assert bucket.add_row(row(1))
    assert not bucket.add_row(row(1))
    assert bucket.states() == [agent(1, 1, HERE)]


def test_a_stranger_does_not_count(buckets):
    assert not buckets.of(50).add_state('uav_9', agent(9, 1, HERE))
    assert buckets.of(50).states() == []


def test_the_true_motion_of_all_is_waited_for_where_it_is_published(clock):
    buckets = TickAssembly(['uav_1'], ['target'], PATIENCE, truth=True)
    bucket, pose = buckets.of(50), Pose(HERE, HERE)
    bucket.add_state('uav_1', agent(1, 1, HERE))
    bucket.add_state('target', target(1))
    bucket.add_row(row(1))
    assert bucket.add_truth('uav_1', pose) and not bucket.add_truth('uav_1', pose)
    assert list(buckets.take_complete()) == []
    bucket.add_truth('target', pose)
    (complete,) = buckets.take_complete()
    assert complete.truth == {'uav_1': pose, 'target': pose}


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
    assert buckets.of(50).add_state('uav_2', agent(2, 1, HERE))
    assert buckets.of(50).add_row(row(2))
    assert [bucket.stamp_ns for bucket in buckets.take_complete()] == [50]


def test_everything_left_is_handed_out_in_order(buckets):
    buckets.of(100).add_row(row(1))
    buckets.of(50).add_row(row(1))
    assert [bucket.stamp_ns for bucket in buckets.take_all()] == [50, 100]
    assert len(buckets) == 0
