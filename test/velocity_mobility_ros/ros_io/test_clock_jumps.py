"""Jumps of a node's clock, and simulated time that does not come."""

import pytest
from rclpy.node import Node
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from support.ros.told import OK, STALE, WARN, Told
from velocity_mobility_ros.ros_io.clock_jumps import ClockJumpDetector
from velocity_mobility_ros.ros_io.messages import ns_to_time
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics

pytestmark = pytest.mark.ros


@pytest.fixture
def simulated(ros):
    """Return a node on simulated time."""
    return ros.add(Node('sim', parameter_overrides=[Parameter('use_sim_time', value=True)]))


def test_simulated_time_that_never_came_is_stale_and_then_well(ros, simulated):
    told = Told(ros)
    NodeDiagnostics(simulated, 'task')
    ros.until(
        lambda: told.shows('sim: task', STALE, 'no message received on /clock yet'), 'the status'
    )
    clock = ros.voice(Clock, '/clock')
    clock.publish(Clock(clock=ns_to_time(5_000_000_000)))
    ros.until(lambda: told.shows('sim: task', OK, 'ok'), 'the status ok')
    clock.publish(Clock(clock=ns_to_time(2_000_000_000)))
    text = 'simulated time went back by 3.0 s'
    ros.until(lambda: told.shows('sim: task', WARN, text), 'the status')
    ros.until(lambda: told.logged('sim', text), 'the line')


@pytest.mark.parametrize(('jump', 'reason'), [
    (60.0, 'the clock jumped by +60.0 s'), (-3.0, 'the clock jumped by -3.0 s'), (0.1, None),
])  # fmt: skip
def test_a_jump_of_the_systems_clock_is_told(ros, monkeypatch, jump, reason):
    detector = ClockJumpDetector(ros.tester)
    assert detector.conditions() == []
    before = detector._last
    detector._last = (before[0] - jump, before[1])
    assert [condition.reason for condition in detector.conditions()] == (
        [reason] if reason else []
    )
    assert detector.conditions() == []
