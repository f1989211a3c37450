"""One flight of each kind of node over real DDS: what it hears, says and reports comes through.

What the nodes do in detail is tested in simulated time, without a middleware.
"""

import gc
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from geometry_msgs.msg import Twist, Vector3Stamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.bodies import agent, odometry, said, target, values
from support.ros.cockpit import PLACE, Cockpit
from support.ros.graph import Ros, set_parameters
from support.ros.sent_messages import command_to_twist
from support.ros.stopping import Operator, call_stop, is_zero
from support.ros.told import ERROR, OK, STALE, WARN, Told
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.node_time import ns_to_time

pytestmark = pytest.mark.ros

AGENT = 'uav_1/agent: control'
SEQ = itertools.count(1)


def test_an_agent_hears_flies_speaks_and_reports(ros: Ros) -> None:
    told = Told(ros)
    cockpit = Cockpit(ros)
    near = ((20.0, 0.0, 5.0),)
    cockpit.until(lambda: told.shows(AGENT, OK, 'ok'), 'the status', neighbours=near)
    cockpit.until(
        lambda: cockpit.own_states() and cockpit.telemetry
        and any(not is_zero(one) for one in cockpit.commands),
        'state, telemetry and command', neighbours=near,
    )  # fmt: skip
    cockpit.until(
        lambda: told.logged('uav_1.agent', 'odometry received on'), 'the log', neighbours=near
    )
    assert set_parameters(ros, '/uav_1/agent', k_z=0.5) == ['']
    assert cockpit.node.get_parameter('k_z').value == 0.5
    cockpit.until(lambda: told.shows(AGENT, ERROR, 'odometry lost'), 'the loss', place=None)


def test_other_publishers_and_a_second_node_of_the_name_are_named(ros: Ros) -> None:
    told = Told(ros)
    cockpit = Cockpit(ros)
    ros.add(Node('estimator')).create_publisher(Odometry, '/uav_1/odom', STATE)
    ros.add(Node('teleop')).create_publisher(Twist, '/uav_1/cmd_vel', COMMAND)
    ros.add(Node('agent', namespace='/uav_1', enable_rosout=False))
    cockpit.until(
        lambda: told.shows(
            AGENT, ERROR,
            '2 publishers on /uav_1/odom: /estimator, /tester; stop all but one',
            '2 publishers on /uav_1/cmd_vel: /teleop, /uav_1/agent; stop all but one',
            '2 nodes are named /uav_1/agent: stop all but one',
        ), 'the status',
    )  # fmt: skip


def test_an_order_on_the_topic_stops_also_who_starts_after_the_operator_has_gone(
    ros: Ros,
) -> None:
    """The one who gave the order is gone: uav_1 keeps it, and releases nobody by itself."""
    cockpit = Cockpit(ros)
    cockpit.until(lambda: any(not is_zero(one) for one in cockpit.commands), 'a command')
    operator = Operator(ros)
    operator.order(True)
    cockpit.until(lambda: cockpit.commands and is_zero(cockpit.commands.last), 'the stop')
    cockpit.until(lambda: ros.tester.count_publishers('/swarm/stop') >= 2, 'a keeper')
    operator.leave()
    cockpit.until(lambda: ros.tester.count_publishers('/swarm/stop') == 1, 'the keeper alone')
    commands = ros.listen(Twist, '/uav_2/cmd_vel', COMMAND)
    ros.make(AgentNode, '/uav_2')
    voice = ros.voice(Odometry, '/uav_2/odom', STATE)

    def both() -> bool:
        voice.publish(odometry(ros.now_ns(), (0.0, 30.0, 5.0)))
        return len(commands) > 20

    cockpit.until(both, 'commands of uav_2')
    assert all(map(is_zero, commands))
    assert call_stop(ros, '/uav_1/emergency_stop', True).success


def test_two_answer_one_service_beside_a_limiter_and_both_obey(ros: Ros) -> None:
    """A twist limiter of the vehicle has a service of the same name."""
    cockpit, limiter = Cockpit(ros), ros.make(TwistLimiterNode, '/uav_1')
    ros.until(lambda: ros.tester.count_services('/uav_1/emergency_stop') == 2, 'both')

    def both() -> bool:
        """The client may not know both yet."""
        assert call_stop(ros, '/uav_1/emergency_stop', True).success
        return limiter._state.is_stopped and cockpit.node._stop.reason

    ros.until(both, 'both to stop')


def test_target_and_adversary_speak_and_move(ros: Ros) -> None:
    ros.make(TargetNode, '/target', target_motion_period=0.1)
    ros.make(AdversaryNode, '/adversary')
    states = {name: ros.listen(JointState, f'/swarm/{name}_state', STATE)
              for name in ('target', 'adversary')}  # fmt: skip
    commands = {name: ros.listen(Twist, f'/{name}/cmd_vel', COMMAND) for name in states}
    odom = {name: ros.voice(Odometry, f'/{name}/odom', STATE) for name in states}
    voice = ros.voice(JointState, '/swarm/agent_states', STATE)

    def speak() -> bool:
        now = ros.now_ns()
        voice.publish(said(now, agent(1, next(SEQ), (20.0, 0.0, 0.0))))
        for name, place in (('target', (1.0, 0.0, 0.0)), ('adversary', (40.0, 0.0, 0.0))):
            odom[name].publish(odometry(now, place))
        move = all(any(not is_zero(one) for one in heard) for heard in commands.values())
        weighs = states['target'] and 'uav_1/lambda' in states['target'].last.name
        ros.meanwhile(0.02)
        return bool(move and weighs and states['adversary'])

    ros.until(speak, 'states and commands')
    assert values(states['adversary'].last)['adversary/x'] == 40.0


def test_a_camera_shows_an_agent_the_target(ros: Ros) -> None:
    node = ros.make(AgentNode, '/uav_1', target_broadcasts=False, range_noise=0.5)
    odom = ros.voice(Odometry, '/uav_1/odom', STATE)
    camera = ros.voice(Vector3Stamped, '/uav_1/target_bearing', STATE)

    def show() -> bool:
        now = ros.now_ns()
        odom.publish(odometry(now, PLACE))
        message = Vector3Stamped()
        message.header.stamp, message.header.frame_id = ns_to_time(now), 'map'
        message.vector.x = -10.0
        camera.publish(message)
        ros.meanwhile(0.02)
        return node.actor.hears_target(node.actor.now)

    ros.until(show, 'an estimate')


def test_a_filter_hears_the_others_and_changes_a_command(ros: Ros) -> None:
    told = Told(ros)
    ros.make(SafetyNode, '/uav_1')
    commands = ros.listen(Twist, '/uav_1/cmd_vel', COMMAND)
    odom = ros.voice(Odometry, '/uav_1/odom', STATE)
    wish = ros.voice(Twist, '/uav_1/cmd_vel_raw')
    others = ros.voice(JointState, '/swarm/agent_states', STATE)

    def live() -> None:
        now = ros.now_ns()
        odom.publish(odometry(now, (0.0, 0.0, 5.0)))
        others.publish(said(now, agent(2, next(SEQ), (2.2, 0.0, 5.0))))
        wish.publish(command_to_twist((3.0, 0.0, 0.0), 0.0))

    _live_until(ros, live, lambda: commands and 0.0 < commands.last.linear.x < 1.0, 'a change')
    control = 'uav_1/safety: control'
    _live_until(ros, live, lambda: told.shows(control, OK, 'ok'), 'the status')
    ros.until(lambda: told.shows(control, ERROR, 'odometry lost'), 'the loss')


def test_a_monitor_watches_and_serves_the_stop(ros: Ros) -> None:
    told = Told(ros)
    monitor = ros.make(MonitorNode, None, num_agents=1)
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    agents = ros.voice(JointState, '/swarm/agent_states', STATE)
    goal = ros.voice(JointState, '/swarm/target_state', STATE)
    ros.until(lambda: told.shows('monitor: metrics', STALE, 'no metrics yet'), 'the begin')

    def speak() -> None:
        now = ros.now_ns()
        agents.publish(said(now, agent(1, next(SEQ), (20.0, 0.0, 0.0))))
        goal.publish(said(now, target(next(SEQ))))

    _live_until(ros, speak, lambda: metrics and told.shows('monitor: health', OK, 'ok'), 'health')
    assert call_stop(ros, '/swarm/emergency_stop', True).success
    assert monitor.stopped == ['all']
    _live_until(ros, speak, lambda: told.shows('monitor: health', ERROR, 'all stopped'), 'stop')


def test_a_world_by_the_clock_moves_its_bodies_and_reports(ros: Ros) -> None:
    told = Told(ros)
    heard = {name: ros.listen(Odometry, f'/{name}/odom', STATE) for name in ('uav_1', 'target')}
    ros.make(WorldNode, None, lockstep=False, num_agents=1, adversary_enable=False,
             sim_duration=600.0)  # fmt: skip
    simulation = 'world: simulation'
    ros.until(lambda: told.shows(simulation, WARN, 'waiting for target, uav_1'), 'the begin')
    voices = {name: ros.voice(Twist, f'/{name}/cmd_vel') for name in heard}

    def command() -> None:
        for voice in voices.values():
            voice.publish(command_to_twist((3.0, 0.0, 0.0), 0.0))

    _live_until(ros, command, lambda: all(
        one and one.last.twist.twist.linear.x > 1.0 for one in heard.values()
    ), 'motion')  # fmt: skip
    _live_until(ros, command, lambda: told.shows(simulation, OK, 'ok'), 'the status')


def _live_until(
    ros: Ros, live: Callable[[], None], condition: Callable[[], Any], what: str
) -> None:
    ros.until(lambda: (live(), ros.meanwhile(0.02), condition())[2], what)


@pytest.fixture
def no_collection():
    """Suspend garbage collections by themselves: when they come is chance."""
    gc.disable()
    yield
    gc.enable()


def test_a_node_that_refused_to_start_is_gone_in_the_next_test(domain, no_collection):
    ros = Ros(domain)
    with pytest.raises(StartupError, match='/proc/no'):
        ros.make(RecorderNode, run_folder='/proc/no')
    ros.close()
    assert not [one for one in gc.get_objects() if type(one) is RecorderNode]
