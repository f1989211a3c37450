"""Why nothing arrives: what the graph tells of a topic, and of a process that shares no memory."""

import sys
from collections.abc import Iterator

import pytest
import rclpy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy

from support.cli import Process
from support.ros.computers import without_network
from support.ros.graph import Ros
from velocity_mobility_ros.core.environment.network import Interface, Participant
from velocity_mobility_ros.ros_io import graph_faults
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import STATE, STATE_INPUT
from velocity_mobility_ros.ros_io.graph_faults import LinkWatch, why_silent
from velocity_mobility_ros.ros_io.node_diagnostics import SEARCHED, NodeDiagnostics

pytestmark = pytest.mark.ros

TOPIC = '/uav_1/odom'
LESS = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


@pytest.fixture
def driver(ros: Ros) -> Iterator[Node]:
    """Return a node as of another process."""
    context = Context()
    rclpy.init(args=[], context=context, domain_id=ros.domain)
    node = Node('driver', context=context)
    yield node
    node.destroy_node()
    context.try_shutdown()


@pytest.mark.parametrize(
    ('kind', 'topic', 'wanted', 'why'),
    [
        (Odometry, TOPIC, STATE_INPUT, 'it is published by /driver'),
        (PoseStamped, TOPIC, STATE_INPUT, '/driver publishes it as geometry_msgs/msg/PoseStamped, '
         'must be nav_msgs/msg/Odometry'),
        (Odometry, TOPIC, STATE, '/driver does not fit, best effort publisher and reliable '
         'subscription: change one of them (qos_overrides)'),
        *((Odometry, other, STATE_INPUT, f'nobody publishes it, but {other} has its type: remap '
           'one of them')
          for other in ('/uav_1/odometry', '/odom', '/fleet/UAV1/odom', '/uav_1/odom/filtered')),
        *((kind, other, STATE_INPUT, 'nobody publishes it: start who does, or compare ROS_')
          for kind, other in ((PoseStamped, '/odom'), (Odometry, '/uav_11/odom'),
                              (Odometry, '/uav_1/truth'))),
    ],
)  # fmt: skip
def test_the_graph_says_why_nothing_arrives(ros, driver, kind, topic, wanted, why):
    ros.listen(Odometry, TOPIC, wanted)
    driver.create_publisher(kind, topic, LESS)
    found = ros.tester.get_publishers_info_by_topic
    ros.until(lambda: [one.node_name for one in found(topic)] == ['driver'], 'the publisher')
    assert why_silent(ros.tester, TOPIC).startswith(why)


@pytest.mark.parametrize(
    ('other', 'hint'),
    [(0, '; here run processes in ROS domain 0'),
     (None, '; a process of this domain runs here: is its ROS_AUTOMATIC_DISCOVERY_RANGE OFF?')],
)  # fmt: skip
def test_processes_on_this_computer_that_are_not_found_are_named(ros, monkeypatch, other, hint):
    one = Participant(ros.domain if other is None else other, 0, 7411)
    monkeypatch.setattr(graph_faults, 'participants', lambda: [one])
    ros.listen(Odometry, TOPIC, STATE_INPUT)
    assert hint in why_silent(ros.tester, TOPIC)


@pytest.mark.parametrize(
    ('dead', 'fault'),
    [([], 'discovery goes by server 10.99.0.9: see that it runs; or compare ROS_DOMAIN_ID'),
     (['10.99.0.9:11811'], 'nobody listens on 10.99.0.9:11811, a discovery server: start it; or')],
)  # fmt: skip
def test_a_discovery_server_is_named_before_the_settings(ros, monkeypatch, dead, fault):
    monkeypatch.setenv('ROS_DISCOVERY_SERVER', '10.99.0.9')
    monkeypatch.setattr(graph_faults, 'participants', list)
    monkeypatch.setattr(graph_faults, 'dead_servers', lambda: dead)
    ros.listen(Odometry, TOPIC, STATE_INPUT)
    assert why_silent(ros.tester, TOPIC).startswith(f'no other node is found: {fault}')


def test_the_diagnostics_say_it_unless_what_arrives_is_refused(ros):
    missing = Condition(Level.STALE, f'no odometry received yet on {TOPIC}', unheard=TOPIC)
    health = NodeDiagnostics(ros.tester, 'task', conditions=lambda: [missing])
    assert [health.conditions() for _ in range(SEARCHED - 1)] == [[missing]] * (SEARCHED - 1)
    (condition,) = health.conditions()
    assert condition.text.startswith(f'{missing.reason}: no other node is found')
    health.refuse(TOPIC, 'no number')
    condition, _ = health.conditions()
    assert condition.text == f'{missing.reason}: what arrives is refused'


LO = Interface('lo', '127.0.0.1', True, False)
WIFI = Interface('wlan0', '10.0.0.5', True, True)


def test_an_interface_that_comes_up_later_or_changes_its_address_is_named(monkeypatch):
    up = [LO]
    monkeypatch.setattr(graph_faults, 'interfaces', lambda: up)
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'SUBNET')
    watch = LinkWatch()
    assert watch.conditions() == []
    up.append(WIFI)
    (condition,) = watch.conditions()
    assert condition.reason == (
        'network interface wlan0 (10.0.0.5) came up after the start of this process, which does '
        'not use it: start it again'
    )
    watch = LinkWatch()
    up[1:] = [WIFI._replace(address='10.0.0.6')]
    assert '(10.0.0.6)' in watch.conditions()[0].reason
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    assert watch.conditions() == []


PUBLISH = """
import time, rclpy
from nav_msgs.msg import Odometry
rclpy.init()
publisher = rclpy.create_node('driver').create_publisher(Odometry, '/uav_1/odom', 10)
for _ in range(1200):
    publisher.publish(Odometry())
    time.sleep(0.05)
"""

LISTEN = """
import os, subprocess, sys, rclpy
from nav_msgs.msg import Odometry
from velocity_mobility_ros.ros_io.endpoints import STATE_INPUT
from velocity_mobility_ros.ros_io.graph_faults import why_silent
subprocess.run(('ip', 'link', 'set', 'lo', 'up'), check=True)
own_memory = 'mount -t tmpfs tmpfs /dev/shm && exec "$@"'

def container(**changes):
    alone = ('unshare', '--mount', 'sh', '-c', own_memory, '-')
    command = (*alone, sys.executable, '-c', sys.argv[1])
    return subprocess.Popen(command, env={**os.environ, **changes})

rclpy.init()
heard, node = [], rclpy.create_node('listener')
node.create_subscription(Odometry, '/uav_1/odom', heard.append, STATE_INPUT)
first = container()
while '/dev/shm' not in (why := why_silent(node, '/uav_1/odom')):
    rclpy.spin_once(node, timeout_sec=0.1)
assert '/dev/shm' not in why_silent(node, '/uav_1/odom', patience=600.0)
print(why, len(heard), flush=True)
first.kill()
second = container(ROS_AUTOMATIC_DISCOVERY_RANGE='SUBNET', FASTDDS_BUILTIN_TRANSPORTS='UDPv4')
while not heard:
    rclpy.spin_once(node, timeout_sec=0.1)
second.kill()
"""


def test_a_container_with_its_own_shared_memory_is_told_and_its_cure_works(tmp_path):
    """In a network of their own, since the cure also looks beyond this computer."""
    command = (*without_network(), sys.executable, '-c', LISTEN, PUBLISH)
    with Process(command, 7, tmp_path) as process:
        code = process.end()
    assert (code, process.err) == (0, '')
    assert process.out == (
        'a process on this computer is found, but nothing arrives of it: a process has another '
        '/dev/shm, as in a container: start that with --ipc=host, or set '
        'ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET and FASTDDS_BUILTIN_TRANSPORTS=UDPv4 for it 0\n'
    )
