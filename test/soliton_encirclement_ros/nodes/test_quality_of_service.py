"""States on the wire: reliable for whoever wants the defaults, taken from whoever offers less."""

from pathlib import Path

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.recorded.run_folder import read_bag_with_mcap
from support.ros.bodies import odometry, said, target
from support.ros.graph import Heard, Ros
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = pytest.mark.ros

DEFAULT = 10
"""What a stranger writes: a depth, and else the defaults of ROS."""

LESS = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
STATES = {
    '/uav_1/odom': Odometry, '/target/odom': Odometry, '/uav_2/telemetry': JointState,
    '/swarm/agent_states': JointState, '/swarm/target_state': JointState,
    '/swarm/adversary_state': JointState, '/swarm/metrics': JointState,
}  # fmt: skip


def stamps(heard: Heard) -> list[int]:
    """Return the stamps [ns] of messages."""
    return [time_to_ns(message.header.stamp) for message in heard]


def test_default_subscribers_hear_all_of_a_run_in_real_time(ros: Ros, tmp_path: Path) -> None:
    """Every odometry, state and metric that the bag has, in the order of the bag."""
    heard = {topic: ros.listen(kind, topic, DEFAULT) for topic, kind in STATES.items()}
    run = {'num_agents': 2, 'sim_duration': 60.0}
    calm = scenario(run=run, failure={'failure_enable': False})
    swarm = Swarm(ros, calm, PlanOptions(False, str(tmp_path)))
    ros.until(lambda: all(len(messages) > 60 for messages in heard.values()), 'sixty of each')
    swarm['recorder_node'].close()
    bag = read_bag_with_mcap(tmp_path / 'bag')
    last = {topic: bag[topic][-1].stamp_ns for topic in heard}
    ros.until(  # the recorder may have taken a message before this subscriber
        lambda: all(last[topic] in stamps(messages) for topic, messages in heard.items()),
        'the last messages of the bag',
    )
    for topic, messages in heard.items():
        recorded = [message.stamp_ns for message in bag[topic]]
        mine = stamps(messages)
        begin = mine.index(recorded[0])
        assert recorded and mine[begin : begin + len(recorded)] == recorded, topic


def test_an_agent_takes_what_a_driver_offers(ros: Ros) -> None:
    """Odometry and states of publishers that are best effort, as sensor data is by convention."""
    node = ros.make(AgentNode, '/uav_1')
    commands = ros.listen(Twist, '/uav_1/cmd_vel', COMMAND)
    odom = ros.voice(Odometry, '/uav_1/odom', LESS)
    voice = ros.voice(JointState, '/swarm/target_state', LESS)

    def speak() -> None:
        now_ns = ros.now_ns()
        odom.publish(odometry(now_ns, (20.0, 0.0, 0.0)))
        voice.publish(said(now_ns, target(1, (0.0, 0.0, 0.0))))

    ros.until(lambda: speak() or commands, 'a command')
    assert sum(node.health.refused.values()) == 0


def test_a_monitor_takes_what_a_foreign_member_offers(ros: Ros) -> None:
    """The same for states."""
    monitor = ros.make(MonitorNode, num_agents=1)
    metrics = ros.listen(JointState, '/swarm/metrics', DEFAULT)
    voice = ros.voice(JointState, '/swarm/target_state', LESS)
    speak = lambda: voice.publish(said(ros.now_ns(), target(1, (0.0, 0.0, 0.0))))  # noqa: E731
    ros.until(lambda: speak() or metrics, 'metrics')
    assert monitor.samples >= len(metrics)


@pytest.mark.parametrize('lockstep', [True, False], ids=['lockstep', 'real time'])
def test_quality_of_service_can_be_told_in_real_time_alone(ros: Ros, lockstep: bool) -> None:
    """Lockstep stands still if a message is lost."""
    options = PlanOptions(lockstep, record=False)
    swarm = Swarm(ros, scenario(run={'num_agents': 1, 'sim_duration': 60.0}), options)
    states = ('odom', 'telemetry', 'agent_states', 'target_state', 'metrics', 'cmd_vel')
    told = {
        name.split('.')[1]
        for node in swarm.nodes.values()
        for name in node.get_parameters_by_prefix('')
        if name.startswith('qos_overrides.') and name.split('.')[1].endswith(states)
    }
    everything = {f'/{name}/{part}' for name in ('uav_1', 'target', 'adversary')
                  for part in ('odom', 'cmd_vel')}  # fmt: skip
    everything |= {'/uav_1/telemetry', '/swarm/agent_states', '/swarm/target_state',
                   '/swarm/metrics'}  # fmt: skip
    assert told == (set() if lockstep else everything)


def test_the_odometry_of_a_world_can_be_told(ros: Ros) -> None:
    """One publisher among many."""
    told = {'qos_overrides./uav_1/odom.publisher.reliability': 'best_effort'}
    ros.make(WorldNode, lockstep=False, num_agents=2, **told)
    offered = {
        k: ros.tester.get_publishers_info_by_topic(f'/uav_{k}/odom')[0].qos_profile.reliability
        for k in (1, 2)
        if ros.until(lambda k=k: ros.tester.count_publishers(f'/uav_{k}/odom'), 'odometry')
    }
    assert offered == {1: ReliabilityPolicy.BEST_EFFORT, 2: ReliabilityPolicy.RELIABLE}
