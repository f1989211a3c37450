"""A bag of ROS 1 is read like one of ROS 2."""

import numpy as np
import pytest
from rosbags.rosbag1 import Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.planted import QUAD, flight, steps

CHANCE = np.random.default_rng(1)
ODOMETRY = 'nav_msgs/msg/Odometry'
BEGIN = 1_600_000_000
OWN = 'own_msgs/msg/Own'


@pytest.fixture(scope='module')
def member():
    """Return a flight."""
    return flight(steps(CHANCE, 10.0), QUAD, rate=25.0)


@pytest.fixture
def bag(member, tmp_path):
    """Write its odometry as ROS 1 does, beside messages of other kinds; return the file."""
    store = get_typestore(Stores.ROS1_NOETIC)
    store.register(get_types_from_msg('std_msgs/Header header\nfloat64 x\n', OWN))
    kinds = {name.rpartition('/')[2]: kind for name, kind in store.types.items()}
    kinds['Time'] = store.types['builtin_interfaces/msg/Time']
    path, still = tmp_path / 'flight.bag', kinds['Vector3'](0.0, 0.0, 0.0)
    level, zeros = kinds['Quaternion'](0.0, 0.0, 0.0, 1.0), np.zeros(36)
    with Writer(path) as writer:
        odom = writer.add_connection('/uav_1/odom', ODOMETRY, typestore=store)
        own = writer.add_connection('/uav_1/own', OWN, typestore=store)
        for seq, (time, place, speed, _) in enumerate(zip(*member.track, strict=True)):
            time_ns = round((BEGIN + time) * 1e9)
            header = kinds['Header'](seq, kinds['Time'](*divmod(time_ns, 10**9)), 'map')
            pose = kinds['Pose'](kinds['Point'](*place), level)
            twist = kinds['Twist'](kinds['Vector3'](*speed), still)
            message = kinds['Odometry'](header, 'map', kinds['PoseWithCovariance'](pose, zeros),
                                        kinds['TwistWithCovariance'](twist, zeros))  # fmt: skip
            writer.write(odom, time_ns, store.serialize_ros1(message, ODOMETRY))
            writer.write(own, time_ns, store.serialize_ros1(kinds['Own'](header, 1.0), OWN))
    return path


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
