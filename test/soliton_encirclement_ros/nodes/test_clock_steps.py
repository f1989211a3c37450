"""The clock of the computer is set on or back in flight: nobody stands still, and no age jumps."""

import math
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from support.ros.graph import Ros
from support.ros.sent_messages import command_to_twist, path_message
from support.ros.simulated_vehicle import SimulatedVehicle
from support.ros.stopping import call_stop, is_zero
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.core.trajectory.pursuit import Waypoint
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

STEPS = pytest.mark.parametrize('steps', [(-6.0,), (6.0,), (-6.0, -6.0), (3600.0,), (-0.1,)])
PERIOD = 0.05


class Arrivals:
    """When messages came, by a clock that nobody sets [s], and their stamps."""

    def __init__(self, ros: Ros) -> None:
        """Begin to hear nothing."""
        self.ros, self.by_topic = ros, defaultdict(list)

    def of(self, kind: type, topic: str) -> None:
        """Hear a topic."""
        wall = self.ros.graph.wall

        def arrived(message: Any) -> None:
            self.by_topic[topic].append((wall.monotonic(), wall.time_ns(), message))

        self.ros.tester.create_subscription(kind, topic, arrived, STATE)

    def longest_gap(self, topic: str) -> float:
        """Return the longest time without a message until now [s]."""
        times = [at for at, *_ in self.by_topic[topic]] + [self.ros.graph.wall.monotonic()]
        return max(b - a for a, b in pairwise(times))

    def oldest_stamp(self, topic: str) -> float:
        """Return the largest distance of a stamp from the clock of its time [s]."""
        return max(
            abs(now_ns - 10**9 * message.header.stamp.sec - message.header.stamp.nanosec)
            for _, now_ns, message in self.by_topic[topic]
        ) / 1e9  # fmt: skip


def real_time_swarm(ros: Ros, **radio: Any) -> Swarm:
    """Start four agents in one process, and all that belongs to them; nobody fails."""
    flight = scenario(
        run={'sim_duration': 7200.0}, failure={'failure_enable': False}, radio=radio,
        control={'controller': 'soliton'},
    )  # fmt: skip
    return Swarm(ros, flight, PlanOptions(lockstep=False), group=AgentGroup())


def commands_forward(ros: Ros) -> Callable[[], None]:
    """Return what commands 1 m/s ten times a second while it is called, by a clock nobody sets."""
    steady, voice = ros.graph.wall.monotonic, ros.voice(Twist, '/uav_1/cmd_vel_raw', COMMAND)
    due = [steady()]

    def say() -> None:
        if steady() >= due[0]:
            due[0] += 0.1
            voice.publish(command_to_twist((1.0, 0.0, 0.0), 0.0))

    return say


@STEPS
@pytest.mark.parametrize('radio', [{}, {'communication_delay': 0.1}])
def test_a_swarm_flies_on(ros, steps, radio):
    swarm = real_time_swarm(ros, **radio)
    heard = Arrivals(ros)
    names = ['uav_1', 'uav_4', 'target', 'adversary']
    topics = [f'/{name}/{topic}' for name in names for topic in ('odom', 'cmd_vel')]
    for topic in topics:
        heard.of(Odometry if topic.endswith('odom') else Twist, topic)
    for topic in ('/swarm/agent_states', '/swarm/metrics', '/uav_2/telemetry'):
        heard.of(JointState, topic)
    ros.until(lambda: heard.by_topic['/swarm/metrics'], 'metrics')
    ros.meanwhile(2.0)
    heard.by_topic.clear()
    before = swarm['monitor_node'].observer.last
    for step in steps:
        ros.meanwhile(1.0)
        ros.set_clock(step)
        ros.meanwhile(2.0)
    for topic in heard.by_topic:
        assert heard.longest_gap(topic) <= 2.2 * PERIOD, topic
    assert len(heard.by_topic) == len(topics) + 3
    for topic in ('/uav_1/odom', '/swarm/agent_states', '/uav_2/telemetry'):
        assert heard.oldest_stamp(topic) < 2 * PERIOD
    after = swarm['monitor_node'].observer.last
    assert after.alive == before.alive == 4
    for name in ('uav_1', 'uav_2', 'uav_3', 'uav_4'):
        agent = swarm[name]
        assert agent.actor.timeouts == 0
        assert not [one.reason for one in agent.conditions() if 'target' in one.reason]
        assert not agent.health.refused


@STEPS
def test_a_stop_right_after_a_step_is_obeyed(ros, steps):
    """Also by those who have obeyed a release that is stamped later."""
    swarm, commands = real_time_swarm(ros), ros.listen(Twist, '/uav_2/cmd_vel', STATE)
    monitor = swarm['monitor_node']
    ros.until(lambda: monitor.observer.last is not None and commands, 'the flight')
    for stop in (True, False):
        assert call_stop(ros, '/swarm/emergency_stop', stop).success
        ros.until(lambda stop=stop: is_zero(commands.last) == stop, 'obedience')
    for step in steps:
        ros.set_clock(step)
    assert call_stop(ros, '/swarm/emergency_stop', True).success
    ros.meanwhile(3 * PERIOD)
    assert is_zero(commands.last)
    assert all(swarm[f'uav_{k}']._stop.reason for k in range(1, 5))


@STEPS
def test_a_filter_keeps_its_command_and_its_vehicle_moves_on(ros, steps):
    """The command is repeated; nothing stands still, and what was said before is not older."""
    vehicle = SimulatedVehicle(ros, cmd_vel_timeout=0.3)
    node = ros.make(SafetyNode, '/uav_1', cmd_vel_timeout=0.3)
    heard = Arrivals(ros)
    heard.of(Odometry, '/uav_1/odom')
    heard.of(Twist, '/uav_1/cmd_vel')
    say = commands_forward(ros)
    ros.meanwhile(2.0, say)
    heard.by_topic.clear()
    for step in steps:
        ros.meanwhile(0.5, say)
        ros.set_clock(step)
        ros.meanwhile(1.0, say)
    assert heard.longest_gap('/uav_1/cmd_vel') <= 2.2 * PERIOD
    assert heard.longest_gap('/uav_1/odom') <= 2.2 * PERIOD
    assert heard.oldest_stamp('/uav_1/odom') < PERIOD
    assert node._wanted.timeouts == 0
    assert all(m.linear.x > 0.9 for *_, m in heard.by_topic['/uav_1/cmd_vel'])
    assert vehicle.odometry.last.twist.twist.linear.x == pytest.approx(1.0, abs=0.05)


@STEPS
@pytest.mark.parametrize('feedback', ['odometry', 'open_loop'])
def test_a_limiter_keeps_its_command(ros, steps, feedback):
    SimulatedVehicle(ros, tau_xy=0.1)
    node = ros.make(TwistLimiterNode, '/uav_1', cmd_vel_timeout=0.3, feedback=feedback)
    heard = Arrivals(ros)
    heard.of(Twist, '/uav_1/cmd_vel')
    say = commands_forward(ros)
    ros.meanwhile(3.0, say)
    heard.by_topic.clear()
    for step in steps:
        ros.meanwhile(0.5, say)
        ros.set_clock(step)
        ros.meanwhile(1.0, say)
    assert heard.longest_gap('/uav_1/cmd_vel') <= 2.2 * node._settings.publish_period
    assert all(m.linear.x > 0.95 for *_, m in heard.by_topic['/uav_1/cmd_vel'])
    assert not node._health.refused
    ros.meanwhile(3.0)
    assert heard.by_topic['/uav_1/cmd_vel'][-1][-1] == Twist()


@pytest.mark.parametrize('mode', ['relative', 'absolute'])
@pytest.mark.parametrize('step', [-6.0, 6.0])
def test_a_path_is_flown_on_and_absolute_times_are_by_the_new_clock(ros, mode, step):
    vehicle = SimulatedVehicle(ros)
    node = ros.make(TrajectoryNode, '/uav_1', time_mode=mode)
    heard = Arrivals(ros)
    heard.of(Twist, '/uav_1/cmd_vel')
    points = [Waypoint((40.0, 0.0, 0.0), math.nan)]
    ros.voice(Path, '/uav_1/path', COMMAND).publish(path_message(points, ros.now_ns()))
    ros.until(lambda: node._pursuit.leader.is_following, 'the path')
    ros.meanwhile(2.0)
    heard.by_topic.clear()
    leader, before = node._pursuit.leader, vehicle.odometry.last.pose.pose.position.x
    begun = leader.state.time + leader.held
    ros.set_clock(step)
    ros.meanwhile(2.0)
    assert heard.longest_gap('/uav_1/cmd_vel') <= 2.2 * PERIOD
    assert vehicle.odometry.last.pose.pose.position.x > before + 4.0
    passed = leader.state.time + leader.held - begun
    assert passed == pytest.approx(2.0 + (step if mode == 'absolute' else 0.0), abs=2 * PERIOD)
