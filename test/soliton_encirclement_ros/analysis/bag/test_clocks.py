"""Clocks that jump, drift or disagree: what is done is said."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.recording import HEADER, RECEIVED, SIMULATED, Recording
from support.recorded.bags import FORMS, Raw, Scribe, flight, write_bag

SECOND = 10**9
NOON = 1_700_000_000 * SECOND


def read(folder: Path, messages: list[Raw]) -> Recording:
    return read_recording(write_bag(folder / 'bag', messages))


def odometry(latency_ns: list[int]) -> list[Raw]:
    """Return odometry of one vehicle, received as late as told."""
    told = [raw for raw in flight(Scribe(), latency_ns=0) if raw.topic.endswith('odom')]
    return [raw._replace(time_ns=raw.time_ns + late)
            for raw, late in zip(told, latency_ns, strict=True)]  # fmt: skip


def test_a_clock_that_jumps_is_not_used(tmp_path: Path) -> None:
    recording = read(tmp_path, odometry([0] * 50 + [7 * SECOND] * 50))
    drift, gap = recording.problems
    assert drift == (
        '/uav_1/odom: stamps and reception drift apart by 7.0 s: times of reception are used'
    )
    assert gap.startswith('nothing was recorded for 7.0 s from 0.98 s on: ')
    assert recording.members['uav_1'].track.time[-1] == pytest.approx(8.98)


def test_stamps_since_the_start_of_a_sender_are_one_line(tmp_path: Path) -> None:
    """PX4 counts from its start, each vehicle from its own."""
    messages = [
        raw._replace(time_ns=raw.time_ns + 1_759_999_900 * SECOND - k)
        for k in range(2)
        for raw in flight(Scribe(), f'/uav_{k}', start_ns=(100 + 7 * k) * SECOND)
        if raw.topic.endswith('odom')
    ]
    recording = read(tmp_path, sorted(messages, key=lambda raw: raw.time_ns))
    assert recording.problems[0] == (
        '/uav_0/odom, /uav_1/odom: stamps count from the start of their sender: shifted to the '
        'recorder'
    )


@pytest.mark.parametrize('behind', [0, 3 * SECOND // 2, 60 * SECOND])
def test_a_recorder_that_stood_still_changes_no_time(tmp_path: Path, behind: int) -> None:
    told = [raw for raw in flight(Scribe(), count=2000) if raw.topic.endswith('odom')]
    jitter = np.random.default_rng(1).integers(0, 10**6, 2000).tolist()
    stalled = range(1000, 1150)  # in a burst, just before the first after them
    messages = [
        raw._replace(time_ns=behind + (told[1150].time_ns - 1151 + k if k in stalled
                                       else raw.time_ns + jitter[k]))
        for k, raw in enumerate(told)
    ]  # fmt: skip
    messages.sort(key=lambda raw: raw.time_ns)
    recording = read(tmp_path, messages)
    by = behind / SECOND + 0.002
    shifted = f'/uav_1/odom: stamps are {by:.3f} s behind the recorder: shifted by that'
    assert recording.problems == ((shifted,) if behind else ())
    assert np.allclose(np.diff(recording.members['uav_1'].track.time), 0.02)


def test_a_clock_that_drifts_through_a_long_recording_is_not_used(tmp_path: Path) -> None:
    told = [raw for raw in flight(Scribe(), count=2000) if raw.topic.endswith('odom')]
    slow = [raw._replace(time_ns=told[0].time_ns + int(1.2 * (raw.time_ns - told[0].time_ns)))
            for raw in told]  # fmt: skip
    (problem,) = read(tmp_path, slow).problems[:1]
    assert 'stamps and reception drift apart by 7.2 s: times of reception are used' in problem


def test_stamps_of_a_slow_simulation_are_the_clock(tmp_path: Path) -> None:
    messages = [
        raw._replace(time_ns=1_700_000_000 * SECOND + 2 * raw.time_ns)
        for raw in flight(Scribe(), start_ns=SECOND, count=500, latency_ns=0)
    ]
    recording = read(tmp_path, messages)
    assert recording.clock == SIMULATED
    assert recording.problems == ('there is no /clock: simulated time is that of the stamps',)
    member = recording.members['uav_1']
    assert np.allclose(member.track.time, 1.0 + np.arange(500) * 0.02)
    assert np.allclose(member.commands.time, member.track.time)


def test_a_single_stamp_off_is_left_out(tmp_path: Path) -> None:
    recording = read(tmp_path, odometry([0] * 30 + [-500_000] + [0] * 69))
    assert recording.problems == (
        '/uav_1/odom: 1 stamps do not fit the time of reception: left out',
    )
    assert len(recording.members['uav_1'].track.time) == 99


def test_jitter_of_a_live_recording_is_fine(tmp_path: Path) -> None:
    late = np.random.default_rng(1).exponential(3e6, 100).astype(int)
    recording = read(tmp_path, sorted(odometry(late.tolist()), key=lambda raw: raw.time_ns))
    assert recording.problems == ()
    assert np.array_equal(recording.members['uav_1'].track.time, np.arange(100) * 20_000_000 / 1e9)


def flown(
    own_clock: bool, step_ns: int = 0, rate: int = 50, begin_ns: int = 1_700_000_000 * SECOND
) -> list[Raw]:
    """Return two vehicles at 50 Hz, the second one by its own clock or by the recorder's.

    After 2 s the recorder's clock is set back, and the second vehicle's if it is the same.
    """
    scribe, messages = Scribe(), []
    for k in range(4 * rate):
        at, t = begin_ns + k * SECOND // rate, k / rate
        step = step_ns if k >= 2 * rate else 0
        for n in (1, 2):
            stamp = at if own_clock and n == 2 else at - step
            data = scribe.odometry(stamp, (t, 3.0 * n, 2.0), (1.0, 0.0, 0.0))
            messages.append(Raw(f'/uav_{n}/odom', 'nav_msgs/msg/Odometry', at - step, data))
        if k % rate == 0:  # too slow to show the step
            slow = scribe.cmd_vel((1.0, 0.0, 0.0))
            messages.append(Raw('/uav_1/cmd_vel', 'geometry_msgs/msg/Twist', at - step, slow))
    return messages


@pytest.mark.parametrize('form', ['mcap-none-9', 'sqlite3-none-9'])
@pytest.mark.parametrize('own_clock', [False, True])
@pytest.mark.parametrize('step', [0.6, 3600.0])
def test_a_clock_of_the_recorder_that_was_set_back_is_mended_by_the_order_of_messages(
    tmp_path: Path, form: str, own_clock: bool, step: float
) -> None:
    told = flown(own_clock, round(step * SECOND))
    recording = read_recording(write_bag(tmp_path / 'bag', told, FORMS[form]))
    assert recording.problems == (
        f'the clock of the recorder jumps back by {step:.1f} s, 2.0 s after the first message: '
        'what came later is moved on by that',
    )
    for n in (1, 2):
        track = recording.members[f'uav_{n}'].track
        assert np.allclose(track.time, np.arange(200) * 0.02, rtol=0, atol=1e-6)
        assert np.allclose(np.diff(track.position[:, 0]), 0.02)
    assert recording.members['uav_1'].commands.time == pytest.approx([0.0, 1.0, 2.0, 3.0])


def test_what_a_clock_without_a_battery_logged_before_it_was_set_gets_its_date(
    tmp_path: Path,
) -> None:
    began_ns, set_on_ns = 40 * SECOND, 1_700_000_000 * SECOND
    recording = read(tmp_path, flown(own_clock=False, step_ns=-set_on_ns, begin_ns=began_ns))
    assert recording.problems == (
        'the clock of the recorder jumps on by 1700000000.0 s, 2.0 s after the first message: '
        'what came before is moved on by that',
    )
    assert (recording.clock, recording.start_ns) == (HEADER, began_ns + set_on_ns)
    for n in (1, 2):
        times = recording.members[f'uav_{n}'].track.time
        assert np.allclose(times, np.arange(200) * 0.02, rtol=0, atol=1e-6)


@pytest.mark.parametrize('latency_ns', [4_000_000, 4_000_123])
def test_a_clock_that_was_never_set_is_wall_time_of_an_unknown_day(
    tmp_path: Path, latency_ns: int
) -> None:
    began_ns = 25 * SECOND
    recording = read(tmp_path, flight(Scribe(), 'cf1', began_ns, latency_ns=latency_ns))
    assert recording.problems == (
        'the clock of the recorder was never set: the date is not known',
    )
    assert (recording.clock, recording.start_ns) == (HEADER, began_ns)
    assert recording.members['cf1'].track.time == pytest.approx(np.arange(100) * 0.02)
    assert recording.duration == pytest.approx(1.98 + latency_ns / SECOND)


def test_log_times_that_are_the_stamps_are_simulated_time_without_a_clock(tmp_path: Path) -> None:
    recording = read(tmp_path, flight(Scribe(), 'cf1', SECOND, latency_ns=0))
    assert (recording.clock, recording.start_ns, recording.problems) == (SIMULATED, 0, ())


def by_topic(raw: Raw) -> str:
    return raw.topic


def merged(told: list[Raw]) -> list[Raw]:
    """Return the bags of two recorders one after the other, with a topic that both have."""
    ticks = [raw._replace(topic='/uav_3/odom') for raw in told if raw.topic == '/uav_1/odom']
    bags = [[raw for raw in told if raw.topic == f'/uav_{n}/odom'] for n in (1, 2)]
    return [*bags[0], *ticks[::4], *bags[1], *ticks[1::4]]


@pytest.mark.parametrize('order', [lambda told: sorted(told, key=by_topic), merged])
def test_files_that_are_not_in_order_of_time_tell_of_no_step(tmp_path: Path, order: Any) -> None:
    recording = read(tmp_path, order(flown(own_clock=False)))
    assert not [line for line in recording.problems if 'moved on' in line]
    for n in (1, 2):
        times = recording.members[f'uav_{n}'].track.time
        assert np.allclose(times, np.arange(200) * 0.02, rtol=0, atol=1e-6)


def test_a_message_logged_far_from_its_neighbours_is_left_out(tmp_path: Path) -> None:
    told = [raw for raw in flight(Scribe()) if raw.topic.endswith('cmd_vel')]
    told[40] = told[40]._replace(time_ns=told[40].time_ns + 3600 * SECOND)
    recording = read(tmp_path, told)
    assert recording.problems[1:] == (
        '/uav_1/cmd_vel: 1 messages were logged out of order: left out',
    )
    assert len(recording.members['uav_1'].commands.time) == 99
    assert recording.duration < 3.0


def test_vehicles_with_different_clocks_fly_at_the_same_time(tmp_path: Path) -> None:
    scribe = Scribe()
    one = flight(scribe, '/uav_1', latency_ns=0)
    ahead = flight(scribe, '/uav_2', one[0].time_ns + 100 * SECOND, latency_ns=0)
    two = [raw._replace(time_ns=raw.time_ns - 100 * SECOND) for raw in ahead]
    recording = read(tmp_path, sorted(one + two, key=lambda raw: raw.time_ns))
    assert 'stamps are 100.000 s ahead of' in recording.problems[0]
    times = [recording.members[f'uav_{k}'].track.time for k in (1, 2)]
    assert np.array_equal(*times)
    (ahead,) = (one for one in recording.topics if one.name == '/uav_2/odom')
    assert np.isnan(ahead.latency_median)


def stamped_at(seconds: int, like: Raw) -> Raw:
    """Return odometry with another stamp, that of a whole second."""
    stamped = Scribe().odometry(seconds * SECOND, (1.0, 2.0, 3.0), (0.0, 0.0, 0.0))
    return like._replace(data=stamped)


def test_stamps_before_time_0_are_no_times(tmp_path: Path) -> None:
    told = [stamped_at(-1_000_000_000, raw) for raw in odometry([0] * 100)]
    recording = read(tmp_path, told)
    assert recording.problems == (
        '/uav_1/odom: stamps before time 0 (-1000000000.000 s): times of reception are used',
    )
    assert (recording.clock, recording.duration) == (RECEIVED, pytest.approx(1.98))
    assert recording.members['uav_1'].track.time[-1] == pytest.approx(1.98)


def overflowing(time_ns: int) -> bytes:
    """Return odometry of a driver that writes the lowest 32 bits of the time into nanosec."""
    sec, nanosec = time_ns // SECOND, time_ns & 0xFFFFFFFF
    position, still = (time_ns % (100 * SECOND) / 1e9, 0.0, 1.0), (0.0, 0.0, 0.0)
    return with_stamp(Scribe().odometry(0, position, still), sec, nanosec)


def with_stamp(data: bytes, sec: int, nanosec: int) -> bytes:
    return data[:4] + struct.pack('<iI', sec, nanosec) + data[12:]


def test_stamps_with_more_than_a_second_in_nanosec_are_no_times(tmp_path: Path) -> None:
    told = [raw._replace(data=overflowing(raw.time_ns)) for raw in odometry([0] * 100)]
    recording = read(tmp_path, told)
    line = '/uav_1/odom: stamps have nanosec = 2888722176, must be below 1000000000: '
    assert recording.problems[0] == f'{line}times of reception are used'
    assert recording.clock == RECEIVED and np.isnan(recording.topics[0].latency_median)
    track = recording.members['uav_1'].track
    assert np.allclose(np.diff(track.position[:, 0]), np.diff(track.time))


def test_single_stamps_with_more_than_a_second_in_nanosec_cost_these_alone(
    tmp_path: Path,
) -> None:
    told = odometry([1_000_000] * 100)
    told[40] = told[40]._replace(data=with_stamp(told[40].data, 1_700_000_000, 4 * 10**9))
    recording = read(tmp_path, told)
    assert recording.problems == (
        '/uav_1/odom: stamps have nanosec = 4000000000, must be below 1000000000: times of '
        'reception are used for these',
        '/uav_1/odom: 1 messages without stamps among others with them',
    )
    assert np.allclose(np.diff(recording.members['uav_1'].track.time), 0.02, atol=0.0011)


def test_a_clock_before_time_0_is_not_used(tmp_path: Path) -> None:
    told = odometry([0] * 100)
    ticks = [
        Raw('/clock', 'rosgraph_msgs/msg/Clock', raw.time_ns, Scribe().clock(k * 10**7 - SECOND))
        for k, raw in enumerate(told[:90])
    ]
    recording = read(tmp_path, sorted(told + ticks, key=lambda raw: raw.time_ns))
    assert recording.problems == ('/clock: stamps before time 0 (-0.560 s): it is not used',)
    assert (recording.clock, recording.duration) == (HEADER, pytest.approx(1.98))


@pytest.mark.parametrize(('begun', 'burst'), [((100, 1_690_000_000), 1), ((40, 100), 3)])
def test_of_two_publishers_on_clock_that_counts_which_fits_the_stamps(
    tmp_path: Path, begun: tuple[int, int], burst: int
) -> None:
    scribe, messages = Scribe(), []
    for k, raw in enumerate(flight(scribe, start_ns=100 * SECOND, count=200, latency_ns=0)):
        at = raw.time_ns - 100 * SECOND
        messages.append(raw._replace(time_ns=NOON + at + 2))
        tick = scribe.clock(begun[k // burst % 2] * SECOND + at)
        messages.append(Raw('/clock', 'rosgraph_msgs/msg/Clock', NOON + at, tick))
    recording = read(tmp_path, messages)
    assert recording.problems == (
        f'two publishers on /clock, at {begun[0]} s and {begun[1]} s at first: that of 100 s fits '
        'the stamps',
        'simulated time was at 100.000 s at first: this is time 0 here',
    )
    assert (recording.clock, recording.duration) == (SIMULATED, pytest.approx(3.98, abs=0.03))
    assert np.allclose(recording.members['uav_1'].track.time, np.arange(200) * 0.02, atol=0.001)


def test_of_two_publishers_on_clock_none_counts_if_none_fits(tmp_path: Path) -> None:
    told = odometry([0] * 100)
    ticks = [Raw('/clock', 'rosgraph_msgs/msg/Clock', raw.time_ns + n,
                 Scribe().clock((begun + k) * SECOND))
             for k, raw in enumerate(told) for n, begun in enumerate((100, 900))]  # fmt: skip
    recording = read(tmp_path, sorted(told + ticks, key=lambda raw: raw.time_ns))
    assert recording.problems == (
        'two publishers on /clock, at 100 s and 900 s at first: no stamps fit either, so it is '
        'not used',
    )
    assert (recording.clock, recording.duration) == (HEADER, pytest.approx(1.98))


def test_a_gap_in_all_topics_is_named(tmp_path: Path) -> None:
    years = 3650 * 86400 * SECOND
    first = flight(Scribe(), latency_ns=0)
    again = flight(Scribe(), start_ns=first[0].time_ns + years, latency_ns=0)
    (line,) = read(tmp_path, [*first, *again]).problems
    assert line == (
        'nothing was recorded for 315359998.0 s from 1.98 s on: the clock jumped, or the recorder '
        'or all of the swarm was suspended; --between A..B looks at one part'
    )


@pytest.mark.parametrize(('gap', 'is_named'), [(2.5, False), (6.0, True)])
def test_a_swarm_that_was_suspended_is_named(tmp_path: Path, gap: float, is_named: bool) -> None:
    first = flight(Scribe(), latency_ns=0)
    again = flight(Scribe(), start_ns=first[-1].time_ns + round(gap * SECOND), latency_ns=0)
    said = f'nothing was recorded for {gap:.1f} s from 1.98 s on'
    problems = read(tmp_path, [*first, *again]).problems
    assert any(line.startswith(said) for line in problems) == is_named


def test_a_gap_of_one_vehicle_and_a_slow_sender_are_none(tmp_path: Path) -> None:
    slow = flight(Scribe(), '/uav_2', period_ns=70 * SECOND, count=19, latency_ns=0)
    paused = flight(Scribe(), start_ns=slow[0].time_ns + 900 * SECOND, latency_ns=0)
    begun = flight(Scribe(), latency_ns=0)
    told = sorted([*slow, *begun, *paused], key=lambda raw: raw.time_ns)
    assert not [line for line in read(tmp_path, told).problems if 'nothing was recorded' in line]
