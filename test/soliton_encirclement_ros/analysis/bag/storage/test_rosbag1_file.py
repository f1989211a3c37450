"""A bag of ROS 1 is read like one of ROS 2."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.planted import QUAD, flight, steps
from support.recorded.ros1_bags import BEGIN, write_ros1_bag

CHANCE = np.random.default_rng(1)


@pytest.fixture(scope='module')
def member():
    """Return a flight."""
    return flight(steps(CHANCE, 10.0), QUAD, rate=25.0)


@pytest.fixture
def bag(member, tmp_path):
    """Write its odometry as ROS 1 does, beside messages of other kinds; return the file."""
    return write_ros1_bag(tmp_path / 'flight.bag', member)


def test_its_flight_is_that_which_was_written(bag, member):
    recording = read_recording(bag)
    track = recording.members['uav_1'].track
    assert track.time == pytest.approx(member.track.time, abs=1e-6)
    assert np.array_equal(track.position, member.track.position)
    assert np.array_equal(track.velocity, member.track.velocity)
    assert recording.start_ns == BEGIN * 10**9 and recording.problems == ()
    assert {topic.name: topic.count for topic in recording.topics} == {
        '/uav_1/odom': len(track.time), '/uav_1/own': len(track.time),
    }  # fmt: skip


def without_index(content, size):
    """Return the begin of a bag as a recorder leaves it that is cut off."""
    at = content.index(b'index_pos=') + 10
    return (content[:at] + bytes(8) + content[at + 8 :])[:size]


@pytest.mark.parametrize('share', [1.0, 0.4])
def test_without_its_index_it_is_read_as_far_as_it_goes(bag, member, share):
    content = bag.read_bytes()
    bag.write_bytes(without_index(content, round(share * len(content))))
    recording = read_recording(bag)
    track = recording.members['uav_1'].track
    count = len(track.time)
    assert share - 0.1 < count / len(member.track.time) <= share
    assert np.array_equal(track.position, member.track.position[:count])
    assert any('flight.bag: no index can be used, as of a recorder that was cut off' in line
               for line in recording.problems)  # fmt: skip


def test_of_a_bag_that_ends_before_its_messages_nothing_is_read(bag):
    bag.write_bytes(bag.read_bytes()[:3000])
    with pytest.raises(RunError, match=r'nothing can be read: flight\.bag: no index can be used'):
        read_recording(bag)
