"""What the policies allow is what the nodes have in the ROS graph, no more and no less."""

import fnmatch
import importlib.util
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from nav_msgs.msg import Path as PathMessage

from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.live.page_operator import SimulationControl
from soliton_encirclement_ros.cli.live.view_node import ViewNode
from soliton_encirclement_ros.cli.security.node_endpoints import Endpoints
from soliton_encirclement_ros.cli.security.policies import (
    OPERATOR, VIEWER, NodeProfile, fleet_policies, flight_plan
)
from soliton_encirclement_ros.core.scenario.launch_arguments import BRIDGES, PARAMETERS, SIMULATED
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from soliton_encirclement_ros.nodes.actors.adversary_node import AdversaryNode
from soliton_encirclement_ros.nodes.actors.agent_node import AgentNode
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.actors.target_node import TargetNode
from soliton_encirclement_ros.nodes.observers.monitor_node import MonitorNode
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode
from support.autopilot.bridge_process import BridgeProcess
from support.ros.graph import Ros
from support.ros.stopping import call_stop
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode

pytestmark = pytest.mark.ros

CLASSES = {
    'agent_node': AgentNode, 'safety_node': SafetyNode, 'target_node': TargetNode,
    'adversary_node': AdversaryNode, 'monitor_node': MonitorNode, 'recorder_node': RecorderNode,
    'mobility_node': MobilityNode, 'trajectory_node': TrajectoryNode,
    'twist_limiter_node': TwistLimiterNode,
}  # fmt: skip

PATIENCE = 20.0
"""Wall time in which discovery tells about all endpoints [s]."""

UNPUBLISHED = () if importlib.util.find_spec('tf2_msgs') else ('/tf', '/tf_static')
"""Without tf2_msgs nobody publishes transforms."""

FURTHER = (
    NodeSpec('safety_node', 'uav_1', {}), NodeSpec('trajectory_node', 'uav_1', {}),
    NodeSpec('twist_limiter_node', 'uav_2', {'feedback': 'odometry'}),
)  # fmt: skip


def in_graph(ros: Ros, name: str, namespace: str) -> Endpoints:
    """Return what a node has in the ROS graph."""
    node = ros.tester
    looks = (
        node.get_publisher_names_and_types_by_node,
        node.get_subscriber_names_and_types_by_node,
        node.get_service_names_and_types_by_node,
        node.get_client_names_and_types_by_node,
    )
    return Endpoints(*(frozenset(full for full, _ in look(name, namespace)) for look in looks))


def differences(allowed: Endpoints, found: Endpoints) -> list[str]:
    """Return what a policy lacks, and what it allows that no node does."""
    lines = []
    for end, names, real in zip(Endpoints._fields, allowed, found, strict=True):
        names = names.difference(UNPUBLISHED)
        lines += [f'{end} {one}: not allowed' for one in sorted(real) if not _any(one, names)]
        # One topic of PX4 has a name without and one with a version, of which one is right.
        bases = {name.removesuffix('_v[0-9]') for name in names}
        lines += [
            f'{end} {base}: nobody does' for base in sorted(bases)
            if not any(fnmatch.fnmatchcase(one, pattern)
                       for one in real for pattern in (base, f'{base}_v[0-9]'))
        ]  # fmt: skip
    return lines


def _any(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


Expected = Mapping[tuple[str, str], Endpoints]


def expected_of(profiles: Iterable[NodeProfile]) -> Expected:
    """Return what nodes are allowed, by name and namespace."""
    return {(profile.node, profile.namespace): profile.allowed for profile in profiles}


def settled(ros: Ros, expected: Expected) -> dict[str, list[str]]:
    """Return the differences of all nodes once there are none, or when patience is at its end."""

    def look() -> dict[str, list[str]]:
        present = ros.tester.get_node_names_and_namespaces()
        found = {
            f'{space.rstrip("/")}/{name}': (
                differences(allowed, in_graph(ros, name, space))
                if (name, space) in present else ['absent']
            )
            for (name, space), allowed in expected.items()
        }  # fmt: skip
        return {name: lines for name, lines in found.items() if lines}

    end = time.monotonic() + PATIENCE
    ros.until(lambda: not look() or time.monotonic() > end, 'the graph', 2 * PATIENCE)
    return look()


def test_nodes_have_exactly_what_their_policies_allow(
    ros: Ros, calm: Callable[[Mapping[str, Mapping[str, Any]]], Scenario], tmp_path: Path
) -> None:
    fleet = Fleet('/alpha')
    scenario = calm({
        'run': {'num_agents': 2}, 'adversary': {'adversary_enable': True},
        'mobility': {'position_noise_z': 0.1}, 'safety': {'adversary_distance': 5.0},
    })  # fmt: skip
    kinds = dict.fromkeys(scenario.agent_ids, SIMULATED)
    plan = flight_plan(scenario, kinds, 1, FURTHER)
    policies = fleet_policies(plan, kinds, fleet)
    for spec in plan:
        given = dict(spec.parameters)
        if spec.executable == 'recorder_node':
            given['bag'] = str(tmp_path / 'bag')
        ros.make(CLASSES[spec.executable], fleet.namespace_of(spec.namespace), **given)
    for member in ('uav_1', 'uav_2', 'target', 'adversary'):
        assert call_stop(ros, f'/alpha/{member}/emergency_stop', True).success
    assert call_stop(ros, '/alpha/swarm/emergency_stop', True).success
    operator, viewer = ros.add(FlyNode(fleet)), ros.add(ViewNode(fleet))
    SimulationControl(operator, fleet, print, print)
    ros.tester.create_publisher(PathMessage, '/alpha/uav_1/path', 1)  # for the recorder
    profiles = [
        profile for name, profiles in policies.items() if name not in (OPERATOR, VIEWER)
        for profile in profiles
    ]  # fmt: skip
    assert len(profiles) == len(plan)
    assert settled(ros, expected_of(profiles)) == {}
    for name, node in ((OPERATOR, operator), (VIEWER, viewer)):
        found = in_graph(ros, node.get_name(), node.get_namespace())
        lines = differences(policies[name][0].allowed, found)
        assert [line for line in lines if line.endswith('not allowed')] == []


@pytest.mark.parametrize('kind', BRIDGES)
def test_a_bridge_has_exactly_what_its_policy_allows(
    ros: Ros, kind: str, tmp_path: Path
) -> None:
    plan = flight_plan(load_scenario(find_scenario('first_flight')), {1: kind}, 1)
    (spec,) = (spec for spec in plan if spec.executable == BRIDGES[kind])
    policies = fleet_policies(plan, {1: kind}, Fleet())
    own = [profile for profile in policies['uav_1'] if profile.node == spec.executable]
    given = {key: spec.parameters[key] for key in (PARAMETERS[kind],) if key in spec.parameters}
    with BridgeProcess(ros.domain, tmp_path, 1, kind=kind, **given):
        assert settled(ros, expected_of(own)) == {}
