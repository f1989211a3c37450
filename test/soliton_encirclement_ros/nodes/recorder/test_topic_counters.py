"""What has come on a topic."""

import math

from soliton_encirclement_ros.nodes.recorder.topic_counters import TopicCounters


def test_messages_bytes_and_rate_are_counted():
    tally = TopicCounters('/note', 'std_msgs/msg/String')
    assert math.isnan(tally.rate)
    for k in range(5):
        tally.add(10**9 + k * 10**8, None, 20)
    assert (tally.count, tally.bytes, tally.at_newest) == (5, 100, 0)
    assert math.isclose(tally.rate, 10.0)
    tally.taken_back = 2
    assert tally.kept == 3 and math.isclose(tally.rate, 10.0)


def test_several_with_one_stamp_are_counted_and_older_ones_do_not_matter():
    tally = TopicCounters('/odom', 'nav_msgs/msg/Odometry')
    for stamp_ns in (5, 7, 7, 6, 7):
        tally.add(1, stamp_ns, 1)
    assert (tally.newest_ns, tally.at_newest) == (7, 3)
    assert math.isnan(tally.rate)
