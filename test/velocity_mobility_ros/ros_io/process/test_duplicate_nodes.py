"""Nodes and publishers that are there twice: refused at the start, named in flight."""

import sys
from collections import Counter

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node

from support.cli import Process
from support.ros.graph import Ros
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.graph_faults import several_publishers
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim
from velocity_mobility_ros.ros_io.process.node_names import duplicate_name

pytestmark = pytest.mark.ros

NODES = {
    'agent_node': '/uav_1',
    'target_node': '/target',
    'adversary_node': '/adversary',
    'mobility_node': '/uav_1',
    'twist_limiter_node': '/uav_1',
    'safety_node': '/uav_1',
    'world_node': '',
    'monitor_node': '',
    'recorder_node': '',
}


def command(executable: str, namespace: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that starts an executable in a namespace."""
    code = (
        f'import sys; from soliton_encirclement_ros.cli.executables import {executable}; '
        f'sys.exit({executable}())'
    )
    place = ('-r', f'__ns:={namespace}') if namespace else ()
    return (sys.executable, '-c', code, '--ros-args', *place, *arguments)


def full_name(executable: str) -> str:
    """Return the full name of an executable's node."""
    name = executable if executable == 'mobility_node' else executable.removesuffix('_node')
    return f'{NODES[executable]}/{name}'


def node_names(node: Node) -> Counter[str]:
    """Return the number of nodes by full name."""
    found = node.get_node_names_and_namespaces()
    return Counter(f'{namespace.rstrip("/")}/{name}' for name, namespace in found)


def own_arguments(executable: str, folder: str) -> tuple[str, ...]:
    """Return what a node needs to start."""
    return ('-p', f'bag:={folder}') if executable == 'recorder_node' else ()


@pytest.mark.one_in(3)
@pytest.mark.parametrize('executable', NODES)
def test_a_second_process_of_one_name_is_refused_in_one_line(ros, tmp_path, executable):
    own = full_name(executable)
    first, second = (
        command(executable, NODES[executable], *own_arguments(executable, name))
        for name in ('one', 'two')
    )
    with Process(first, ros.domain, tmp_path, 'first', is_killed=True) as running:
        ros.until(lambda: node_names(ros.tester)[own] == 1, f'{own} to be up')
        with Process(second, ros.domain, tmp_path, 'second') as process:
            assert process.end() == 2
            assert process.out == ''
            assert process.err.startswith(
                f'error: {own} is already running; stop it, or start this one in another namespace'
            )
            assert process.err.count('\n') == 1
        assert running.popen.poll() is None
    assert not (tmp_path / 'two').exists()


@pytest.mark.nightly
def test_after_kill_9_a_restart_works_at_once(ros, tmp_path):
    own, start = '/uav_1/mobility_node', command('mobility_node', '/uav_1')
    with Process(start, ros.domain, tmp_path, 'first', is_killed=True) as process:
        ros.until(lambda: node_names(ros.tester)[own] == 1, 'the first to be up')
        process.popen.kill()
        process.end()
    heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    with Process(start, ros.domain, tmp_path, 'second', is_killed=True) as process:
        ros.until(lambda: heard, 'the second, at work')
        assert process.popen.poll() is None
        assert 'error' not in process.err


@pytest.mark.nightly
def test_of_two_that_start_at_one_instant_one_is_refused(ros, tmp_path):
    start = command('mobility_node', '/uav_1')
    with (
        Process(start, ros.domain, tmp_path, 'first', is_killed=True) as first,
        Process(start, ros.domain, tmp_path, 'second', is_killed=True) as second,
    ):
        both = (first.popen, second.popen)
        ros.until(lambda: [each.poll() for each in both].count(2) == 1, 'one to be refused')
        heard = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
        ros.until(lambda: heard, 'the other, at work')
        assert sorted(str(each.poll()) for each in both) == ['2', 'None']


def test_a_name_that_is_given_on_the_command_line_counts(ros, tmp_path):
    start = command('mobility_node', '/uav_1', '-r', '__node:=other')
    with Process(start, ros.domain, tmp_path, 'first'):
        ros.until(lambda: node_names(ros.tester)['/uav_1/other'] == 1, 'the first to be up')
        with Process(start, ros.domain, tmp_path, 'second', is_killed=True) as process:
            assert process.end() == 2
            assert 'error: /uav_1/other is already running' in process.err


@pytest.mark.nightly
def test_what_a_process_publishes_has_the_name_of_its_node(ros, tmp_path):
    """Lockstep and doubles go by the names of nodes: who looked before must take none away."""
    place = command('mobility_node', '/uav_1')
    with Process(place, ros.domain, tmp_path):
        ros.until(lambda: node_names(ros.tester)['/uav_1/mobility_node'] == 1, 'the node')
        odometry = ros.listen(Odometry, '/uav_1/odom', STATE)
        ros.until(lambda: odometry, 'its odometry')
        (info,) = ros.tester.get_publishers_info_by_topic('/uav_1/odom')
        assert (info.node_namespace, info.node_name) == ('/uav_1', 'mobility_node')
        assert node_names(ros.tester) == {'/tester': 1, '/uav_1/mobility_node': 1}


def test_two_nodes_of_one_name_are_an_error(ros):
    node = ros.add(Node('one'))
    assert duplicate_name(node) == []
    ros.add(Node('one'))
    (condition,) = ros.until(lambda: duplicate_name(node), 'the condition')
    assert condition.level is Level.ERROR
    assert condition.reason.startswith('2 nodes are named /one: stop all but one')


def test_publishers_of_one_topic_are_named_where_it_is_remapped_to(ros):
    node = ros.add(
        Node('vehicle', namespace='/uav_1', cli_args=['--ros-args', '-r', 'odom:=/estimate'])
    )
    node.create_publisher(Twist, 'odom', 10)
    assert several_publishers(node, 'odom', Level.WARN) == []
    ros.add(Node('teleop')).create_publisher(Twist, '/estimate', 10)
    (condition,) = ros.until(lambda: several_publishers(node, 'odom', Level.WARN), 'the condition')
    assert condition.level is Level.WARN
    assert condition.reason.startswith(
        '2 publishers on /estimate: /teleop, /uav_1/vehicle; stop all but one'
    )


def test_a_node_that_fails_to_start_keeps_its_name_no_longer_than_its_context(
    ros: Ros, domain: int
) -> None:
    """Whoever still holds the node: a traceback, for one."""
    with pytest.raises(ParameterError) as refused:
        ros.make(MobilityNode, '/uav_1', update_rate=-1.0)
    rclpy.try_shutdown()
    NameClaim('/uav_1/mobility_node', domain).close()
    assert refused.value
