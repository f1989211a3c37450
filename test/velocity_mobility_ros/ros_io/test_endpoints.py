"""Quality of service as it is on the wire: offered, changed by parameters, refused, reported."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.qos import (
    DurabilityPolicy, HistoryPolicy, QoSCompatibility, QoSProfile, ReliabilityPolicy,
    qos_check_compatible
)
from rclpy.qos_overriding_options import InvalidQosOverridesError

from support.cli import environment
from support.ros.graph import Ros
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED, LOCKSTEP, STATE, STATE_INPUT
from velocity_mobility_ros.ros_io.ros_parameters import warn_of_unused_qos

pytestmark = pytest.mark.ros

def test_what_is_published_is_reliable_and_lockstep_drops_nothing():
    assert {one.reliability for one in (STATE, COMMAND, LATCHED, LOCKSTEP)} == {
        ReliabilityPolicy.RELIABLE
    }
    assert LOCKSTEP.history == HistoryPolicy.KEEP_ALL
    assert STATE_INPUT.history == STATE.history == HistoryPolicy.KEEP_LAST
    assert LATCHED.durability == DurabilityPolicy.TRANSIENT_LOCAL


@pytest.mark.parametrize(('offered', 'wanted'), [
    (STATE, QoSProfile(depth=10)), (STATE_INPUT, STATE_INPUT),
])  # fmt: skip
def test_a_default_subscriber_hears_states_and_those_of_a_thin_driver_are_heard(offered, wanted):
    assert qos_check_compatible(offered, wanted)[0] != QoSCompatibility.ERROR


ODOM = '/uav_1/odom'
DEFAULT = 10
"""What a stranger writes: a depth, and else the defaults of ROS."""


def override(policy: str, topic: str = ODOM, entity: str = 'publisher') -> str:
    """Return the name of the parameter for a policy."""
    return f'qos_overrides.{topic}.{entity}.{policy}'


def vehicle(ros: Ros, **parameters: Any) -> Any:
    """Start a vehicle that publishes at 20 Hz."""
    return ros.make(MobilityNode, '/uav_1', telemetry_decimation=5, **parameters)


def publisher_of(ros: Ros, topic: str) -> QoSProfile:
    """Return what the one publisher of a topic offers."""
    found = lambda: ros.tester.get_publishers_info_by_topic(topic)  # noqa: E731
    (info,) = ros.until(found, f'the publisher of {topic}')
    return info.qos_profile


def test_a_parameter_changes_what_one_publisher_offers(ros: Ros) -> None:
    """And nothing else in the process: the profiles are shared."""
    told = {override('reliability'): 'best_effort', override('depth'): 3}
    vehicle(ros, **told)
    assert publisher_of(ros, ODOM).reliability == ReliabilityPolicy.BEST_EFFORT
    assert (STATE.depth, STATE.reliability) == (10, ReliabilityPolicy.RELIABLE)
    ros.make(MobilityNode, '/uav_2')
    assert publisher_of(ros, '/uav_2/odom').reliability == ReliabilityPolicy.RELIABLE


def test_a_parameter_changes_what_one_subscription_wants(ros: Ros) -> None:
    """Commands of a joystick that offers less, say."""
    wanted = override('reliability', '/uav_1/cmd_vel', 'subscription')
    node = vehicle(ros, **{wanted: 'best_effort'})
    thin = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    voice = ros.voice(Twist, '/uav_1/cmd_vel', thin)
    command = Twist()
    command.linear.x = 1.0
    ros.until(
        lambda: voice.publish(command) or node._body.motion.velocity[0] > 0.1,
        'the vehicle to move',
    )


@pytest.mark.parametrize(
    ('policy', 'value', 'kind', 'reason'),
    [
        ('history', 'keep_all', InvalidQosOverridesError, 'history must be keep_last'),
        ('depth', 0, InvalidQosOverridesError, 'depth = 0 must be at least 1'),
        ('depth', 10**11, InvalidQosOverridesError, 'at least 1 and at most 100000'),
        ('reliability', 'high', ParameterError, 'reliability = .high. must be reliable'),
        ('depth', 'ten', InvalidParameterTypeException, 'depth'),
    ],
)
def test_what_is_no_quality_of_service_is_refused(
    ros: Ros, policy: str, value: Any, kind: type[Exception], reason: str
) -> None:
    """A publisher that keeps all would wait for its slowest reader."""
    with pytest.raises(kind, match=reason):
        vehicle(ros, **{override(policy): value})


@pytest.mark.parametrize(
    ('name', 'count'),
    [
        (override('depth'), 0),
        (override('durability'), 1),
        ('qos_overrides./nowhere.publisher.depth', 1),
        ('qos_overrides.cmd_vel.subscription.depth', 1),
    ],
)
def test_what_no_topic_takes_is_named(
    ros: Ros, capfd: pytest.CaptureFixture[str], name: str, count: int
) -> None:
    """A slip in the name of a topic would go unnoticed."""
    warn_of_unused_qos(vehicle(ros, **{name: 5 if 'depth' in name else 'volatile'}))
    assert capfd.readouterr().err.count(f"'{name}' has no effect") == count


def test_a_publisher_that_offers_too_little_is_named(
    ros: Ros, capfd: pytest.CaptureFixture[str]
) -> None:
    """Topic and policy, in the node's log: else a command would vanish without a word."""
    vehicle(ros)
    thin = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    ros.tester.create_publisher(Twist, '/uav_1/cmd_vel', thin)

    def is_named() -> bool:
        lines = [line for line in capfd.readouterr().err.splitlines() if 'mobility_node]' in line]
        return any("topic 'cmd_vel'" in line and 'RELIABILITY' in line for line in lines)

    ros.until(is_named, 'the line that names it')


READER = f"""
import rclpy
from nav_msgs.msg import Odometry
rclpy.init()
node = rclpy.create_node('reader')
node.create_subscription(Odometry, {ODOM!r}, lambda message: None, 10)
rclpy.spin(node)
"""


def test_a_reader_that_stands_still_holds_nobody_up(ros: Ros) -> None:
    """A viewer that hangs is no reason for a vehicle to hang: the last few are kept, no more.

    A publisher that waited for the reader would wait far longer than a test may take.
    """
    voice = ros.tester.create_publisher(Odometry, ODOM, STATE)
    assert STATE.history == HistoryPolicy.KEEP_LAST
    heard = ros.listen(Odometry, ODOM, DEFAULT)
    reader = subprocess.Popen([sys.executable, '-c', READER], env=environment(ros.domain))
    try:
        ros.until(lambda: voice.get_subscription_count() == 2, 'both readers', 30.0)
        os.kill(reader.pid, signal.SIGSTOP)
        ros.until(
            lambda: voice.publish(Odometry()) or len(heard) > 1400, 'the reader that goes on'
        )
    finally:
        reader.kill()
        reader.wait()
