"""Parts of a recorder: its bag, what it counts, its clock, what comes before the clock."""

import errno
import math
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from rclpy.qos import QoSProfile

from soliton_encirclement_ros.nodes.observers import bag_recording
from soliton_encirclement_ros.nodes.observers.bag_recording import (
    LARGEST_SKEW_NS, BagRecording, Early, LogClock, PreclockBuffer, TopicCounters
)
from soliton_encirclement_ros.nodes.observers.recorder_parameters import RecorderParameters
from velocity_mobility_ros.core.user_errors import ParameterError

pytestmark = pytest.mark.ros


class Bag:
    """A writer that holds so many messages and then is full."""

    def __init__(self, room: int, index: bool = True) -> None:
        """Begin empty; without ``index`` the end fails as well."""
        self.room, self.index = room, index
        self.messages = self.bytes = 0
        self.counts = {'/a': 0}

    def add_topic(self, topic: str, kind: str, **quality: object) -> SimpleNamespace:
        """Return the connection of a topic."""
        return SimpleNamespace(topic=topic)

    def write(self, connection: SimpleNamespace, log_ns: int, data: bytes) -> None:
        """Write, or fail."""
        if self.messages == self.room:
            raise OSError(errno.ENOSPC, 'No space left on device')
        self.messages += 1
        self.bytes += len(data)
        self.counts[connection.topic] += 1

    def close(self) -> None:
        """Close, or fail."""
        if not self.index:
            raise OSError(errno.ENOSPC, 'No space left on device')


def recorded(bag: Bag, count: int) -> tuple[BagRecording, list[str]]:
    """Return a recording of so many messages, and what it told."""
    told: list[str] = []
    recording = BagRecording(Path('/bag'), bag, told.append)
    recording.add_topic('/a', 'std_msgs/msg/String', QoSProfile(depth=1))
    for k in range(count):
        recording.write('/a', k, k, b'four')
    return recording, told


def test_numbers_stay_after_the_end():
    """Messages and bytes are those of the bag; nothing is written to it any more."""
    recording, told = recorded(Bag(9), 3)
    assert recording.is_open and recording.progress == 3
    recording.close()
    recording.write('/a', 3, 3, b'four')
    assert (recording.messages, recording.bytes, recording.progress) == (3, 12, 0)
    assert recording.complete and not recording.is_open and told == []


@pytest.mark.parametrize(
    ('index', 'end'), [(True, 'is kept'), (False, 'is kept, but it has no index')]
)
def test_a_full_disk_ends_it_once(index, end):
    """One line, and the message that did not fit is taken back from the counts."""
    recording, told = recorded(Bag(2, index), 5)
    recording.close()
    assert not recording.complete and not recording.is_open
    assert told == [f'/bag: No space left on device; recording stopped, everything before {end}']
    tally = recording.tallies['/a']
    assert (tally.count, tally.taken_back, recording.messages) == (3, 1, 2)


def test_an_end_without_index_is_told():
    """The messages are there, the index is not."""
    recording, told = recorded(Bag(9, index=False), 1)
    recording.close()
    assert told == ['/bag: the bag has no index: No space left on device']
    assert not recording.complete


def test_nothing_begins_before_the_first_message():
    """``begun`` is the time of the first message."""
    recording, _ = recorded(Bag(9), 0)
    assert recording.begun is None
    recording.write('/a', 0, None, b'')
    assert recording.begun is not None


def test_messages_bytes_and_rate_are_counted():
    tally = TopicCounters('/note', 'std_msgs/msg/String')
    assert math.isnan(tally.rate)
    for k in range(5):
        tally.add(10**9 + k * 10**8, None, 20)
    assert (tally.count, tally.bytes, tally.at_newest) == (5, 100, 0)
    assert math.isclose(tally.rate, 10.0)
    tally.taken_back = 2
    assert tally.recorded == 3 and math.isclose(tally.rate, 10.0)


def test_several_with_one_stamp_are_counted_and_older_ones_do_not_matter():
    tally = TopicCounters('/odom', 'nav_msgs/msg/Odometry')
    for stamp_ns in (5, 7, 7, 6, 7):
        tally.add(1, stamp_ns, 1)
    assert (tally.newest_ns, tally.at_newest) == (7, 3)
    assert math.isnan(tally.rate)


SECOND = 1_000_000_000


def test_in_real_time_everything_is_logged_when_it_comes():
    clock = LogClock(simulated=False, join=False)
    before = time.time_ns()
    assert before <= clock.log_time_ns(5) <= clock.now_ns() <= time.time_ns()


@pytest.mark.parametrize('step_ns', [-6 * SECOND, 6 * SECOND])
def test_log_times_go_on_evenly_when_the_clock_is_set(monkeypatch, step_ns):
    """Of what arrives around a step nobody knows by which clock."""
    clock, wall = LogClock(simulated=False, join=False), [100 * SECOND]
    monkeypatch.setattr(bag_recording, 'time', SimpleNamespace(time_ns=lambda: wall[0]))
    clock.look(lambda: 0)
    assert clock.log_time_ns(None, 99 * SECOND) == 99 * SECOND
    wall[0] += SECOND + step_ns
    clock.look(lambda: clock.move(step_ns))
    for received_ns in (100 * SECOND, 101 * SECOND + step_ns, None):
        assert clock.log_time_ns(None, received_ns) == 101 * SECOND
    clock.look(lambda: 0)
    assert clock.log_time_ns(None, 102 * SECOND + step_ns) == 102 * SECOND
    assert clock.now_ns() == wall[0]


def test_in_simulated_time_a_stamp_counts_and_the_clock_without_one():
    clock = LogClock(simulated=True, join=False)
    clock.receive(3 * SECOND)
    assert clock.log_time_ns(2 * SECOND) == 2 * SECOND
    assert clock.log_time_ns(None) == clock.now_ns() == 3 * SECOND


@pytest.mark.parametrize('stamp_ns', [-1, LARGEST_SKEW_NS + 4 * SECOND])
def test_a_stamp_from_nowhere_is_logged_at_the_present(stamp_ns):
    clock = LogClock(simulated=True, join=False)
    clock.receive(3 * SECOND)
    assert clock.log_time_ns(stamp_ns) == 3 * SECOND


@pytest.mark.parametrize('stamp_ns', [-1, 2 * SECOND, LARGEST_SKEW_NS + 4 * SECOND])
def test_the_clock_of_a_run_of_our_own_neither_leaps_nor_goes_back(stamp_ns):
    clock = LogClock(simulated=True, join=False)
    assert clock.known
    clock.receive(3 * SECOND)
    assert clock.receive(stamp_ns) == 0
    assert clock.now_ns() == 3 * SECOND


def test_who_joins_a_simulation_takes_its_clock_as_it_is():
    clock = LogClock(simulated=True, join=True)
    assert not clock.known
    assert clock.receive(-1) == 0 and not clock.known
    assert clock.receive(7200 * SECOND) == 0 and clock.known
    assert clock.log_time_ns(7201 * SECOND) == 7201 * SECOND
    assert clock.receive(1 * SECOND) == 7199 * SECOND
    assert clock.now_ns() == 1 * SECOND


def test_everything_comes_back_in_order_once_and_what_is_latched_first():
    early = PreclockBuffer()
    early.add(Early('/odom', 5, b'a'), latched=False)
    early.add(Early('/map', None, b'b'), latched=True)
    early.add(Early('/odom', 6, b'c'), latched=False)
    assert [one.data for one in early.take()] == [b'b', b'a', b'c']
    assert early.take() == [] and early.left_out == 0


def test_the_oldest_go_when_there_is_too_much_but_nothing_latched(monkeypatch):
    monkeypatch.setattr(bag_recording, 'LARGEST', 10)
    early = PreclockBuffer()
    early.add(Early('/map', None, bytes(100)), latched=True)
    for stamp_ns in range(5):
        early.add(Early('/odom', stamp_ns, bytes(4)), latched=False)
    assert [one.stamp_ns for one in early.take()] == [None, 3, 4]
    assert early.left_out == 3


@pytest.mark.parametrize('size', [0.0, 0.001, 1e6])
def test_a_file_has_a_size_or_there_is_only_one(size):
    assert RecorderParameters(max_file_size=size).max_file_size == size


@pytest.mark.parametrize('size', [0.000999, 5e-324])
def test_a_size_that_no_file_has_is_not_one_file(size):
    with pytest.raises(ParameterError) as caught:
        RecorderParameters(max_file_size=size)
    assert str(caught.value) == (
        f'max_file_size = {size} must be 0 (one file) or at least 0.001 MB'
    )


@pytest.mark.parametrize('size', [1.1e6, -1.0])
def test_a_size_out_of_its_range_is_refused(size):
    with pytest.raises(ParameterError, match=r'must be at least 0 and at most 1e\+06 MB'):
        RecorderParameters(max_file_size=size)
