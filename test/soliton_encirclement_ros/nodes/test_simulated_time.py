"""The time of ``/clock`` jumps or stands: the swarm flies on, and one line says what happened."""

import math
from functools import partial
from typing import Any

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock

from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from support.ros.graph import Ros
from support.ros.sent_messages import command_to_twist
from support.ros.told import WARN, Told
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.node_time import ns_to_time

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

NAME = 'uav_1/agent: control'
PERIOD_NS = 10_000_000
STEADY = {'target_motion_period': 1000.0}
"""A target that keeps the direction of its first second."""


class Simulator:
    """Publishes ``/clock`` a hundred times a second, and hears who flies by it."""

    def __init__(self, ros: Ros) -> None:
        """Begin at 5000 s."""
        self.ros, self.told = ros, Told(ros)
        self.voice = ros.tester.create_publisher(Clock, '/clock', COMMAND)
        self._due_ns, self._ahead_ns = ros.now_ns(), 5000 * 10**9 - ros.now_ns()
        self.commands: dict[str, Any] = {}
        self.odometry: dict[str, Any] = {}

    def body(self, name: str, x: float) -> None:
        """Start a vehicle."""
        self.make(MobilityNode, name, initial_x=x, initial_z=5.0)
        self.commands[name] = self.ros.listen(Twist, f'/{name}/cmd_vel', STATE)
        self.odometry[name] = self.ros.listen(Odometry, f'/{name}/odom', STATE)

    def make(self, kind: type, name: str, **parameters: Any) -> Any:
        """Start a node in simulated time."""
        return self.ros.make(kind, f'/{name}', use_sim_time=True, **parameters)

    def run(self, seconds: float, each: Any = lambda: None) -> None:
        """Let time pass."""

        def go_on() -> None:
            if self.ros.now_ns() >= self._due_ns:
                self._due_ns = self.ros.now_ns() + PERIOD_NS
                self.publish()
            each()

        self.ros.meanwhile(seconds, go_on)

    def publish(self) -> None:
        """Say what time it is."""
        self.voice.publish(Clock(clock=ns_to_time(self.ros.now_ns() + self._ahead_ns)))

    def jump(self, seconds: float) -> None:
        """Begin elsewhere."""
        self._ahead_ns += round(seconds * 1e9)

    def stand(self, seconds: float) -> None:
        """Let no simulated time pass."""
        self._ahead_ns -= round(seconds * 1e9)
        self.ros.meanwhile(seconds)

    def lose(self, node: Any, topic: str) -> None:
        """Let a node not hear what waits for it on a topic."""
        for line in self.ros.graph.lines_of(topic):
            if line.node is node:
                line.waiting.clear()

    def clear(self) -> None:
        """Forget what was heard."""
        for heard in (*self.commands.values(), *self.odometry.values()):
            heard.clear()

    def place(self, name: str) -> tuple[float, float]:
        """Return where a body is [m]."""
        position = self.odometry[name].last.pose.pose.position
        return position.x, position.y

    def speeds(self, name: str) -> list[float]:
        """Return the commanded speeds [m/s]."""
        return [math.hypot(m.linear.x, m.linear.y) for m in self.commands[name]]


def swarm(ros: Ros, controller: str, group: AgentGroup | None = None) -> tuple[Simulator, list]:
    """Start two agents and a target that flies away at 1 m/s."""
    simulator = Simulator(ros)
    simulator.body('target', 0.0)
    simulator.make(TargetNode, 'target', target_motion_speed_xy=1.0, **STEADY)
    agents = []
    for k, x in ((1, 20.0), (2, -20.0)):
        simulator.body(f'uav_{k}', x)
        agents.append(simulator.make(partial(AgentNode, group), f'uav_{k}', controller=controller))
    simulator.run(12.0)
    return simulator, agents


@pytest.mark.parametrize(('controller', 'grouped', 'jump'), [
    ('predictive', False, -216.0), ('predictive', False, -3600.0), ('predictive', False, 3600.0),
    ('predictive', True, -216.0), ('predictive', True, 3600.0), ('soliton', False, -216.0),
])  # fmt: skip
def test_after_a_jump_of_simulated_time_the_swarm_flies_on(
    ros, controller, grouped, jump
):
    simulator, agents = swarm(ros, controller, AgentGroup() if grouped else None)
    before = {name: min(simulator.speeds(name)[-20:]) for name in ('uav_1', 'uav_2')}
    simulator.run(0.2, lambda: simulator.lose(agents[0], '/swarm/target_state'))  # it is relayed
    simulator.jump(jump)
    simulator.run(1.0)
    simulator.clear()
    simulator.run(4.0)
    for name, agent in zip(before, agents, strict=True):
        speeds = simulator.speeds(name)
        assert len(speeds) >= 75
        assert min(speeds) > 0.5 * before[name] > 0.1
        assert max(speeds) < 2.5
        assert agent.actor.timeouts == 0
        assert agent.conditions() == []
        lines = simulator.told.lines(f'{name}.agent')
        assert lines.count(f'simulated time jumped by {jump:+.1f} s') == 1
        assert not [line for line in lines if 'too slow' in line or 'lost' in line]
    target = simulator.place('target')
    for name in before:
        assert math.dist(simulator.place(name), target) == pytest.approx(20.0, abs=1.5)


def test_simulated_time_that_stands_is_told_as_that_and_makes_no_machine_slow(ros):
    simulator, agents = swarm(ros, 'soliton')
    simulator.stand(5.0)
    for name in (NAME, 'uav_1/mobility_node: motion'):
        assert simulator.told.shows(name, WARN, 'simulated time has stood still for ')
    simulator.run(2.0)
    assert agents[0].conditions() == [] and agents[0].node_time.conditions() == []
    lines = simulator.told.lines('uav_1.agent')[-2:]
    assert lines[0].startswith('simulated time has stood still for ')
    assert lines[1] == 'simulated time: ok again'
    assert not any('too slow' in one.message for one in simulator.told.statuses(NAME))


def test_a_node_that_stood_while_the_simulation_went_on_saw_no_jump(ros):
    """Its states are old then, and it hears new ones."""
    simulator, agents = swarm(ros, 'predictive')
    ros.stall(6.0)
    simulator.run(3.0)
    lines = simulator.told.lines('uav_1.agent')
    assert len([line for line in lines if line.startswith('this node stood still for 6.0')]) == 1
    assert not any('jumped' in line for line in lines)
    assert agents[0].node_time.set_on_ns == 0
    assert min(simulator.speeds('uav_1')[-20:]) > 0.1


def test_a_filter_keeps_its_command_when_simulated_time_jumps(ros):
    simulator = Simulator(ros)
    simulator.body('uav_1', 0.0)
    node = simulator.make(SafetyNode, 'uav_1', cmd_vel_timeout=0.3)
    voice = ros.voice(Twist, '/uav_1/cmd_vel_raw', COMMAND)

    def say() -> None:
        voice.publish(command_to_twist((1.0, 0.0, 0.0), 0.0))

    simulator.run(3.0, say)
    for jump in (-216.0, 3600.0):
        simulator.clear()
        simulator.jump(jump)
        simulator.run(1.0)  # nobody says anything
        speeds = simulator.speeds('uav_1')
        assert speeds[:5] == pytest.approx([1.0] * 5, abs=0.01) and speeds[-1] == 0.0
        simulator.run(1.0, say)
        assert simulator.speeds('uav_1')[-1] == pytest.approx(1.0, abs=0.01)
    assert not node.health.refused
