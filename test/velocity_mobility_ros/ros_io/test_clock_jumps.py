"""Jumps of a node's clock, and simulated time that does not come."""

import pytest
from rclpy.node import Node
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from velocity_mobility_ros.ros_io.clock_jumps import ClockJumpDetector
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.messages import ns_to_time

pytestmark = pytest.mark.ros


def told(detector):
    return [condition[:2] for condition in detector.conditions()]


def test_simulated_time_that_never_came_is_stale_and_then_well_until_it_goes_back(ros):
    node = ros.add(Node('sim', parameter_overrides=[Parameter('use_sim_time', value=True)]))
    detector, clock = ClockJumpDetector(node), ros.voice(Clock, '/clock')
    never = (Level.STALE, 'no message received on /clock yet (use_sim_time = true)')
    back = (Level.WARN, 'simulated time went back by 3.0 s')
    assert told(detector) == [never]
    for seconds, expected in ((5, []), (5, []), (2, [back]), (2, [])):
        clock.publish(Clock(clock=ns_to_time(seconds * 10**9)))
        now = node.get_clock().now
        ros.until(lambda now=now, s=seconds: now().nanoseconds == s * 10**9, 'the time')
        assert told(detector) == expected


@pytest.mark.parametrize(('jump', 'reason'), [
    (60.0, 'the clock jumped by +60.0 s'), (-3.0, 'the clock jumped by -3.0 s'), (0.1, None),
])  # fmt: skip
def test_a_jump_of_the_systems_clock_is_told_once(ros, monkeypatch, jump, reason):
    detector = ClockJumpDetector(ros.tester)
    read, shift = detector._read_clocks, [0.0]
    now = read()
    monkeypatch.setattr(detector, '_read_clocks', lambda: (now[0] + shift[0], now[1]))
    assert detector.conditions() == []
    shift[0] = jump
    assert told(detector) == ([(Level.WARN, reason)] if reason else [])
    assert detector.conditions() == []
