"""Thousands of messages that nobody should send, against a swarm that flies by the clock."""

import itertools
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from rosbags.rosbag2 import Reader
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from support.recorded.run_folder import read_json, read_table
from support.ros import malformed
from support.ros.damaged_bytes import damaged
from support.ros.graph import Heard, Ros
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = pytest.mark.ros

MESSAGES = 4000
UAVS = ('uav_1', 'uav_2', 'uav_3')
MEMBERS = (*UAVS, 'target', 'adversary')

Source = Callable[[random.Random, int], Iterator[Any]]


def command_like(draw: random.Random, now_ns: int) -> Iterator[Any]:
    del now_ns
    return malformed.commands(draw)


TARGETS: list[tuple[type, str, QoSProfile, Source]] = [
    *((JointState, f'/swarm/{name}', STATE, malformed.states)
      for name in ('agent_states', 'target_state', 'adversary_state')),
    (JointState, '/uav_1/telemetry', STATE, malformed.states),
    (DiagnosticArray, '/diagnostics', COMMAND, malformed.diagnostics),
    *((Odometry, f'/{name}/odom', STATE, malformed.odometries) for name in MEMBERS),
    *((Twist, f'/{name}/cmd_vel', COMMAND, command_like) for name in MEMBERS),
]  # fmt: skip


def attack(ros: Ros, is_damaged: bool) -> None:
    """Publish malformed messages, or damaged bytes of such, on every topic of the swarm."""
    draw = random.Random(2024)
    publishers = [ros.voice(kind, topic, qos) for kind, topic, qos, _ in TARGETS]
    for turn, which in zip(range(MESSAGES), itertools.cycle(range(len(TARGETS)))):
        if turn // len(TARGETS) % 20 == 0 and which == 0:  # their stamps are of now
            sources = [source(draw, ros.now_ns()) for *_, source in TARGETS]
            ros.meanwhile(0.06)
        message = next(sources[which])
        if is_damaged and TARGETS[which][0] is not DiagnosticArray:  # which ROS itself reads
            message = damaged(draw, serialize_message(message))
        publishers[which].publish(message)
    ros.meanwhile(0.2)
    for publisher in publishers:
        ros.tester.destroy_publisher(publisher)


@pytest.mark.usefixtures('simulated')
@pytest.mark.parametrize('is_damaged', [False, True])
def test_a_swarm_survives_malformed_messages_and_damaged_bytes(
    ros: Ros, tmp_path: Path, is_damaged: bool
) -> None:
    flown = scenario(run={'num_agents': 3, 'sim_duration': 600.0},
                     failure={'failure_enable': False})  # fmt: skip
    swarm = Swarm(ros, flown, PlanOptions(lockstep=False, run_folder=str(tmp_path)))
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    ros.until(lambda: swarm.samples > 10, 'the swarm to fly')
    commands = watched_commands(ros)
    attack(ros, is_damaged)
    refused = sum(sum(swarm[name].health.refused.values()) for name in (*MEMBERS, 'monitor_node'))
    assert refused > MESSAGES / 4
    assert swarm['world'].drive.health.refused['/uav_3/cmd_vel'] > MESSAGES / 100
    before = len(commands)
    ros.until(lambda: len(commands) > before + 50, 'commands')
    assert not [said for said in commands if not is_sound(said)]
    assert_all_alive(ros, swarm, metrics)
    swarm['monitor_node'].close()
    swarm['recorder_node'].close()
    assert_tables_finite(tmp_path)
    with Reader(tmp_path / 'bag') as reader:
        assert reader.topics['/swarm/metrics'].msgcount > 10


def watched_commands(ros: Ros) -> list[Twist]:
    """Collect the commands of the members themselves from now on, without those of the attack."""
    found: list[Twist] = []
    for publisher in ros.graph.publishers:
        if publisher.topic_name.endswith('/cmd_vel') and publisher.node is not ros.tester:
            publisher.heard_by(found)
    return found


def is_sound(message: Twist) -> bool:
    """Say whether a command is finite and within the limits."""
    linear, angular = message.linear, message.angular
    values = (linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
    slow = linear.x**2 + linear.y**2 <= 10.0**2 * (1 + 1e-12) and abs(linear.z) <= 5.0
    return all(map(math.isfinite, values)) and slow


def assert_all_alive(ros: Ros, swarm: Swarm, metrics: Heard) -> None:
    """Check that everybody still speaks sense once the attack is over."""
    said = ros.listen(JointState, '/swarm/agent_states', STATE)
    odometry = [ros.listen(Odometry, f'/{name}/odom', STATE) for name in MEMBERS]
    ros.until(lambda: metrics.last.position[6] == len(UAVS), 'all agents to count as alive')
    ros.meanwhile(1.0)
    assert {message.name[0] for message in said} == {f'{name}/x' for name in UAVS}
    for message in (*said, metrics.last):
        assert all(map(math.isfinite, (*message.position, *message.velocity)))
    for message in itertools.chain(*odometry):
        position, linear = message.pose.pose.position, message.twist.twist.linear
        assert all(map(math.isfinite, (position.x, position.y, position.z)))
        assert linear.x**2 + linear.y**2 <= 10.0**2 * (1 + 1e-9)
        assert abs(linear.z) <= 5.0


def assert_tables_finite(folder: Path) -> None:
    """Check that nothing of the attack has reached the tables."""
    for name in ('agent_telemetry.csv', 'target_telemetry.csv'):
        _, rows = read_table(folder / name)
        # Metrics are missing while no agent is heard, as before the first word of one.
        heard = [row for row in rows if not all(map(math.isnan, row[1:]))]
        assert heard
        assert all(map(math.isfinite, itertools.chain.from_iterable(heard)))
        times = [row[1 if name.startswith('agent') else 0] for row in rows]
        assert 0.0 <= min(times) <= max(times) < 100.0
    assert read_json(folder / 'summary.json')['ticks'] > 10


@pytest.mark.parametrize('topic', ['/swarm/agent_states', '/uav_1/cmd_vel', '/diagnostics'])
def test_a_publisher_of_another_type_disturbs_nobody(
    ros: Ros, tmp_path: Path, topic: str
) -> None:
    flown = scenario(run={'num_agents': 3, 'sim_duration': 600.0})
    swarm = Swarm(ros, flown, PlanOptions(lockstep=False, run_folder=str(tmp_path)))
    ros.until(lambda: swarm.samples > 5, 'the swarm to fly')
    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=ros.domain)
    stranger = rclpy.create_node('stranger', context=context)
    try:
        voice = stranger.create_publisher(String, topic, COMMAND)
        kinds = lambda: dict(ros.tester.get_topic_names_and_types())[topic]  # noqa: E731
        ros.until(lambda: len(kinds()) == 2, 'the stranger on the graph')
        before = swarm.samples

        def speak() -> bool:
            voice.publish(String(data='hello'))
            ros.meanwhile(0.02)
            return swarm.samples > before + 20

        ros.until(speak, 'further samples')
    finally:
        stranger.destroy_node()
        context.shutdown()
