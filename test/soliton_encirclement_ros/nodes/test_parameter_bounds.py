"""Every number of every node at its very ends: refused in one line, or the node lives with it."""

import importlib
import itertools
import pkgutil

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState

import soliton_encirclement_ros.core
import soliton_encirclement_ros.nodes
import velocity_mobility_ros.core
import velocity_mobility_ros.nodes
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.bodies import agent, odometry, said, target
from support.ros.graph import Ros
from support.ros.sent_messages import command_to_twist
from velocity_mobility_ros.core.parameter_declaration import (
    LARGEST_DURATION, Parameters, declarations
)
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import SensingParameters
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

ROOMS = (
    soliton_encirclement_ros.core,
    soliton_encirclement_ros.nodes,
    velocity_mobility_ros.core,
    velocity_mobility_ros.nodes,
)


def records() -> list[type]:
    """Return every parameter record of the nodes, as far as the packages hold one."""
    for room in ROOMS:
        for module in pkgutil.iter_modules(room.__path__, f'{room.__name__}.'):
            importlib.import_module(module.name)
    ours = ('soliton_encirclement_ros.', 'velocity_mobility_ros.')
    return [one for one in Parameters.__subclasses__() if one.__module__.startswith(ours)]


NUMBERS = [
    pytest.param(record, one, id=f'{record.__name__}.{one.name}')
    for record in records()
    for one in declarations(record).values()
    if one.kind is float
]

WHOLE = [one for record in records() for one in declarations(record).values() if one.kind is int]

BY_NAME = {one.values[1].name: one.values[1] for one in NUMBERS}

NODES = [
    (AgentNode, '/uav_1', {}),
    (AgentNode, '/uav_1', {'controller': 'two_channel', 'propagation_method': 'wave'}),
    (TargetNode, '/target', {}),
    (AdversaryNode, '/adversary', {}),
    (MobilityNode, '/uav_1', {}),
    (TwistLimiterNode, '/uav_1', {'feedback': 'odometry'}),
    (SafetyNode, '/uav_1', {}),
    (WorldNode, '', {'lockstep': False, 'num_agents': 2}),
    (MonitorNode, '', {'num_agents': 2}),
]

BEATS = ('control_period', 'publish_period', 'update_rate')
"""Of a node that ticks every ten seconds nothing is seen here."""

REFUSED = {WorldNode: {*declarations(SensingParameters)}}
"""What a node declares, but takes only at its default."""


@pytest.mark.parametrize(('record', 'one'), NUMBERS)
def test_a_number_that_nobody_means_is_refused_with_name_and_bound(record, one):
    for value in (1e300, 1.7e308, -1e300, *([5e-324, 1e-200] if one.above == 0.0 else [])):
        with pytest.raises(ParameterError) as caught:
            record(**{one.name: value})
        assert str(caught.value).startswith(f'{one.name} = {value!r} must be ')
        assert '\n' not in str(caught.value)


def test_every_whole_number_has_its_bounds():
    assert len(WHOLE) > 10
    assert [one.name for one in WHOLE if None in (one.minimum, one.maximum)] == []


@pytest.mark.parametrize(('kind', 'namespace', 'given'), NODES)
def test_a_node_lives_with_the_longest_waits(ros, kind, namespace, given):
    """Where something reckons with one, too: states, an odometry and a command come in."""
    waits = longest_waits(ros, kind, namespace, given)
    assert waits
    ros.make(kind, namespace or None, **given, **waits)
    live(ros, namespace)


def longest_waits(ros: Ros, kind: type[Node], namespace: str, given: dict) -> dict[str, float]:
    """Return the largest value of every duration that a node of a kind declares."""
    node = ros.make(kind, namespace or None, **given)
    declared = [BY_NAME[name] for name in node.get_parameters_by_prefix('') if name in BY_NAME]
    ros.remove(node)
    return {
        one.name: LARGEST_DURATION if one.maximum is None else one.maximum
        for one in declared
        if one.unit == 's' and one.name not in {*BEATS, *REFUSED.get(kind, ())}
    }


def live(ros: Ros, namespace: str) -> None:
    """Let the world go on around a node for a moment."""
    agents = ros.tester.create_publisher(JointState, '/swarm/agent_states', STATE)
    goal = ros.tester.create_publisher(JointState, '/swarm/target_state', STATE)
    where = ros.tester.create_publisher(Odometry, f'{namespace}/odom', STATE)
    command = ros.tester.create_publisher(Twist, f'{namespace}/cmd_vel', COMMAND)
    seq = itertools.count(1)

    def tell() -> None:
        now, k = ros.now_ns(), next(seq)
        agents.publish(said(now, agent(2, k, (20.0, 0.0, 0.0))))
        goal.publish(said(now, target(k)))
        where.publish(odometry(now, (0.0, 20.0, 0.0)))
        command.publish(command_to_twist((1.0, 0.0, 0.0), 0.0))

    ros.meanwhile(0.4, tell)
