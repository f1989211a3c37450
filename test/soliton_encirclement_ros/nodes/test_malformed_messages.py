"""Ten thousand messages that nobody should send, against a swarm that flies by the clock."""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from std_msgs.msg import String
from support.recorded.run_folder import read_bag_with_rosbags, read_json, read_table
from support.ros import malformed
from support.ros.damaged_bytes import damaged
from support.ros.graph import Heard, Ros
from support.ros.swarm import Swarm, scenario
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = pytest.mark.ros

MESSAGES = 10_000

BURST = 100
"""Messages at once, which come between two ticks of a swarm."""

UAVS = ('uav_1', 'uav_2', 'uav_3')
MEMBERS = (*UAVS, 'target', 'adversary')

Source = Callable[[random.Random, int], Iterator[Any]]


def state_like(draw: random.Random, now_ns: int) -> Iterator[Any]:
    return malformed.states(draw, now_ns)


def command_like(draw: random.Random, now_ns: int) -> Iterator[Any]:
    del now_ns
    return malformed.commands(draw)


TARGETS: list[tuple[type, str, QoSProfile, Source]] = [
    (JointState, '/swarm/agent_states', STATE, state_like),
    (JointState, '/swarm/agent_states', STATE, state_like),
    (JointState, '/swarm/target_state', STATE, state_like),
    (JointState, '/swarm/adversary_state', STATE, state_like),
    (JointState, '/uav_1/telemetry', STATE, state_like),
    (DiagnosticArray, '/diagnostics', COMMAND, malformed.diagnostics),
    *((Odometry, f'/{name}/odom', STATE, malformed.odometries) for name in MEMBERS),
    *((Twist, f'/{name}/cmd_vel', COMMAND, command_like) for name in MEMBERS),
]


class Commands:
    """Checks every velocity command that the swarm itself publishes."""

    def __init__(self, ros: Ros, swarm: Swarm) -> None:
        """Listen to what the members say by wrapping what publishes it."""
        self.wrong: list[Twist] = []
        self.count = 0
        for name in MEMBERS:
            self._watch(swarm[name])

    def _watch(self, node: ActorNode) -> None:
        say = node._publish_command

        def publish(data: bytes) -> None:
            self.check(deserialize_message(data, Twist))
            say(data)

        node._publish_command = publish

    def check(self, message: Twist) -> None:
        """Take note of a command that is not finite or above the limits."""
        linear, angular = message.linear, message.angular
        values = (linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
        self.count += 1
        finite = all(map(math.isfinite, values))
        slow = linear.x**2 + linear.y**2 <= 10.0**2 * (1 + 1e-12) and abs(linear.z) <= 5.0
        if not (finite and slow):
            self.wrong.append(message)


def attack(ros: Ros, count: int) -> None:
    """Publish malformed messages on every topic of the swarm in turn."""
    draw = random.Random(2024)
    sources = []
    for kind, topic, qos, source in TARGETS:
        publisher = ros.tester.create_publisher(kind, topic, qos)
        sources.append((publisher, source, draw))
    for publisher, *_ in sources:
        ros.until(publisher.get_subscription_count, f'readers of {publisher.topic_name}')
    generators: dict[int, Iterator[Any]] = {}
    for i, (publisher, source, stream) in zip(range(count), itertools.cycle(sources)):
        key = i % len(sources)
        if key not in generators or i // len(sources) % 100 == 0:
            generators[key] = source(stream, ros.now_ns())
        publisher.publish(next(generators[key]))
        for _ in range(6):
            ros.spin(0.0)
    for publisher, *_ in sources:
        ros.tester.destroy_publisher(publisher)


@pytest.mark.nightly
def test_a_swarm_survives_ten_thousand_malformed_messages(ros, tmp_path):
    flown = scenario(run={'num_agents': 3, 'sim_duration': 600.0},
                     failure={'failure_enable': False})  # fmt: skip
    swarm = Swarm(ros, flown, PlanOptions(lockstep=False, run_folder=str(tmp_path)))
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    ros.until(lambda: swarm.samples > 10, 'the swarm to fly')
    commands = Commands(ros, swarm)
    attack(ros, MESSAGES)
    ros.until(lambda: commands.count > 100, 'commands')
    assert commands.wrong == []
    refused = sum(sum(swarm[name].health.refused.values()) for name in (*MEMBERS, 'monitor_node'))
    assert refused > MESSAGES / 4
    assert_all_alive(ros, swarm, metrics)
    assert commands.wrong == []
    swarm['monitor_node'].close()
    swarm['recorder_node'].close()
    assert_tables_finite(tmp_path)
    assert len(read_bag_with_rosbags(tmp_path / 'bag')['/swarm/metrics']) > 10


RAW: list[tuple[type, str, Source]] = [
    (JointState, '/swarm/agent_states', state_like),
    (JointState, '/swarm/target_state', state_like),
    (Odometry, '/uav_1/odom', malformed.odometries),
    (JointState, '/uav_2/telemetry', state_like),
    (Twist, '/uav_3/cmd_vel', command_like),
]
"""Topics whose messages the nodes read from the bytes."""


def test_damaged_bytes_are_refused_and_nobody_notices(ros, tmp_path):
    flown = scenario(run={'num_agents': 3, 'sim_duration': 600.0},
                     failure={'failure_enable': False})  # fmt: skip
    options = PlanOptions(lockstep=False, run_folder=str(tmp_path), record=False)
    swarm = Swarm(ros, flown, options)
    metrics = ros.listen(JointState, '/swarm/metrics', STATE)
    ros.until(lambda: swarm.samples > 10, 'the swarm to fly')
    commands, draw = Commands(ros, swarm), random.Random(7)
    publishers = [ros.voice(kind, topic, STATE) for kind, topic, _ in RAW]
    sources = [source(draw, ros.now_ns()) for *_, source in RAW]
    for i in range(MESSAGES):
        which = i % len(RAW)
        sound = serialize_message(next(sources[which]))
        data = damaged(draw, sound)
        # The middleware sends no Twist that is longer than a Twist can be.
        publishers[which].publish(data[: len(sound)] if RAW[which][0] is Twist else data)
        if i % BURST == 0:  # the swarm flies on, also where the machine is slow
            seen = swarm.samples
            ros.until(lambda seen=seen: swarm.samples > seen, 'the swarm to fly on')
    ros.until(lambda: commands.count > 100, 'commands')
    refused = sum(sum(swarm[name].health.refused.values()) for name in (*UAVS, 'monitor_node'))
    assert refused > MESSAGES / 4
    assert swarm['world'].drive.health.refused['/uav_3/cmd_vel'] > 100
    for publisher in publishers:
        ros.tester.destroy_publisher(publisher)
    assert_all_alive(ros, swarm, metrics)
    assert commands.wrong == []
    swarm['monitor_node'].close()
    assert_tables_finite(tmp_path, pauses=True)  # a slow machine keeps agents from being heard


def assert_all_alive(ros: Ros, swarm: Swarm, metrics: Heard) -> None:
    """Check that everybody still speaks sense once the attack is over."""
    said = ros.listen(JointState, '/swarm/agent_states', STATE)
    odometry = {name: ros.listen(Odometry, f'/{name}/odom', STATE) for name in MEMBERS}
    for name in UAVS:
        ros.until(
            lambda name=name: any(m.name[0] == f'{name}/x' for m in said[-3:]), f'a word of {name}'
        )
    before = len(metrics)
    ros.until(lambda: len(metrics) > before + 5, 'fresh metrics')
    ros.until(lambda: metrics.last.position[6] == len(UAVS), 'all agents to count as alive')
    for message in said:
        assert all(map(math.isfinite, (*message.position, *message.velocity)))
    for message in (m for heard in odometry.values() for m in heard):
        position, linear = message.pose.pose.position, message.twist.twist.linear
        assert all(map(math.isfinite, (position.x, position.y, position.z)))
        assert linear.x**2 + linear.y**2 <= 10.0**2 * (1 + 1e-9)
        assert abs(linear.z) <= 5.0
    assert all(map(math.isfinite, metrics.last.position))


def nobody_is_heard(row: Sequence[float]) -> bool:
    """Say whether a row has no metrics at all, as before the first word of an agent."""
    return all(map(math.isnan, row[1:]))


def assert_tables_finite(folder: Any, pauses: bool = False) -> None:
    """Check that nothing of the attack has reached the tables.

    Args:
        folder: The folder of the run.
        pauses: Whether there may be times at which no agent is heard, also in mid-flight.
    """
    for name in ('agent_telemetry.csv', 'target_telemetry.csv'):
        _, rows = read_table(folder / name)
        leave_out = itertools.filterfalse if pauses else itertools.dropwhile
        heard = list(leave_out(nobody_is_heard, rows))
        assert heard
        assert all(map(math.isfinite, itertools.chain.from_iterable(heard)))
        times = [row[1 if name.startswith('agent') else 0] for row in rows]
        assert 0.0 <= min(times) <= max(times) < 100.0
    assert read_json(folder / 'summary.json')['ticks'] > 10


@pytest.mark.one_in(3)
@pytest.mark.parametrize('topic', ['/swarm/agent_states', '/uav_1/cmd_vel', '/diagnostics'])
def test_a_publisher_of_another_type_disturbs_nobody(ros, tmp_path, topic):
    flown = scenario(run={'num_agents': 3, 'sim_duration': 600.0})
    swarm = Swarm(ros, flown, PlanOptions(lockstep=False, run_folder=str(tmp_path)))
    ros.until(lambda: swarm.samples > 5, 'the swarm to fly')
    stranger = Ros2Stranger(topic, ros.domain)
    try:
        before = swarm.samples
        for _ in range(50):
            stranger.say()
            ros.meanwhile(0.02)
        ros.until(lambda: swarm.samples > before + 20, 'further samples')
    finally:
        stranger.close()


class Ros2Stranger:
    """A participant of its own that publishes text where others expect something else."""

    def __init__(self, topic: str, domain: int) -> None:
        """Join the domain from a context of its own."""
        import rclpy

        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, domain_id=domain)
        self._node = rclpy.create_node('stranger', context=self._context)
        self._publisher = self._node.create_publisher(String, topic, COMMAND)

    def say(self) -> None:
        """Publish a text."""
        self._publisher.publish(String(data='hello'))

    def close(self) -> None:
        """Leave the domain."""
        self._node.destroy_node()
        self._context.shutdown()
