"""Policies of a fleet: an enclave for each computer, with a profile for each node on it.

A vehicle's computer runs its agent and its bridge or simulated body; the computer on the ground
the target, its body, monitor and recorder. Operators who may give orders, and viewers who may not,
have an enclave each. The DDS agent of a PX4 or an ArduPilot has one too: it speaks with its bridge
alone.

The files are policies of SROS2 (version 0.2.0), one for each computer. Nothing is allowed that no
node does; names are complete but for the version that PX4 adds to its topics.
"""

import functools
import operator
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from soliton_encirclement_ros.cli.security.node_endpoints import (
    EVERY_NODE, Endpoints, autopilot_side, endpoints, node_endpoints
)
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import writing
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    BRIDGES, MAVROS, NONE, instance_parameter
)
from soliton_encirclement_ros.core.scenario.part_plan import (
    Kinds, mixed_plan, monitor_part, recorder_part
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, AGENT, GOAL_POSE, MONITOR, PARAMETER_EVENTS, PAUSE, RECORDER, STEP, STOP, TARGET,
    TELEMETRY, UAV, WORLD, Fleet, uav
)
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import BRIDGE_STATES, FLY_ORDERS
from velocity_mobility_ros.ros_io.messages.vehicle_input import PATH
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, GROUND_TRUTH, ODOM, TF, TF_STATIC

GROUND, OPERATOR, VIEWER = 'ground', 'operator', 'viewer'
"""Enclaves that are no vehicle's."""

LOG = frozenset({'/rosout'})

COMMAND_LINE = endpoints(
    (PARAMETER_EVENTS, *LOG),
    serve=('/_ros2cli*/get_type_description', '/swarm_record/get_type_description'),
)
"""Of ``swarm`` and ``ros2``, which serve nothing else."""

OF_WORLD = (PAUSE, STEP, 'set_parameters')
"""Services of a world that the page of operators asks for, also where there is no world."""


class NodeProfile(NamedTuple):
    """What one node may do.

    Attributes:
        namespace: Its full namespace.
        node: Its name.
        allowed: What it may do, with full names.
    """

    namespace: str
    node: str
    allowed: Endpoints


Policies = Mapping[str, Sequence[NodeProfile]]
"""Profiles of the nodes by the name of their enclave, such as ``uav_1``."""


def flight_plan(
    scenario: Scenario, kinds: Kinds, first_instance: int, further: Sequence[NodeSpec] = ()
) -> list[NodeSpec]:
    """Return all nodes of a flight in real time, on whichever computer.

    Args:
        scenario: The scenario.
        kinds: The vehicle of each agent.
        first_instance: Instance of the PX4 of agent 1.
        further: Nodes that are started beside them.
    """
    bridges = {k: instance_parameter(kind, k, first_instance) for k, kind in kinds.items()}
    plan = mixed_plan(scenario, kinds, bridges, target=True)
    return [*plan, *further, monitor_part(scenario, ''), recorder_part('bag', '.*')]


def further_node(text: str, scenario: Scenario) -> NodeSpec:
    """Return a node that is started beside an agent, from a text such as ``uav_3/safety_node``.

    Raises:
        ScenarioError: It is not of that form, or there is no such member.
    """
    member, _, executable = text.partition('/')
    if member not in scenario.members:
        raise ScenarioError(
            f'--add {text}: must be MEMBER/EXECUTABLE, such as uav_3/trajectory_node; members are '
            f'{", ".join(scenario.members)}'
        )
    return NodeSpec(executable, member, {})


def fleet_policies(plan: Sequence[NodeSpec], kinds: Kinds, fleet: Fleet) -> Policies:
    """Return the policies of a plan.

    Args:
        plan: All nodes of the fleet.
        kinds: The vehicle of each agent.
        fleet: The fleet.

    Raises:
        ScenarioError: The plan has a node that is not part of a flight.
    """
    found: dict[str, list[NodeProfile]] = defaultdict(list)
    for spec in plan:
        computer = spec.namespace if UAV.fullmatch(spec.namespace) else GROUND
        node, allowed = node_endpoints(spec, fleet)
        found[computer].append(NodeProfile(fleet.namespace_of(spec.namespace), node, allowed))
    for agent_id, kind in kinds.items():
        if kind == NONE:
            _add_own_vehicle(found[uav(agent_id)], uav(agent_id), fleet)
    sides = {spec.namespace: _autopilot(spec, fleet) for spec in plan if _kind_of(spec)}
    _complete_observers(found, [side.allowed for side in sides.values()], fleet)
    own = {f'{name}_autopilot': [side] for name, side in sides.items() if side.node != MAVROS}
    return {**found, **own}


def _add_own_vehicle(profiles: list[NodeProfile], member: str, fleet: Fleet) -> None:
    """Add a vehicle that publishes odometry by itself, perhaps in a frame of its own."""
    space = fleet.namespace_of(member)
    own = endpoints((ODOM, TF, TF_STATIC), (CMD_VEL,)) | EVERY_NODE
    frames = endpoints(subscribe=(TF, TF_STATIC))
    profiles[:] = [
        profile._replace(allowed=profile.allowed | frames) if profile.node == AGENT else profile
        for profile in profiles
    ]
    profiles.append(NodeProfile(space, 'vehicle', own.resolve(space, 'vehicle', fleet)))


def _kind_of(spec: NodeSpec) -> str:
    """Return the autopilot of a bridge, empty for another node."""
    return next((kind for kind, name in BRIDGES.items() if name == spec.executable), '')


def _autopilot(spec: NodeSpec, fleet: Fleet) -> NodeProfile:
    """Return the other side of a bridge: what it hears is said, what it says is heard."""
    kind = _kind_of(spec)
    side = autopilot_side(kind, spec.parameters)
    space = fleet.namespace_of(spec.namespace)
    other = Endpoints(side.subscribe, side.publish, side.call, side.serve)
    return NodeProfile(space, kind, other.resolve(space, kind, fleet))


def _complete_observers(
    found: dict[str, list[NodeProfile]], sides: Sequence[Endpoints], fleet: Fleet
) -> None:
    """Add what observers hear of everybody, and the enclaves of operators and viewers.

    Nobody but its bridge hears an autopilot, or speaks to it.
    """
    nodes = [profile for profiles in found.values() for profile in profiles]
    all_of = functools.reduce(operator.or_, (profile.allowed for profile in nodes))
    goals = {fleet.member_topic(TARGET, GOAL_POSE), *(f'{one.namespace}/{PATH}' for one in nodes)}
    orders = endpoints((STOP, FLY_ORDERS), (STOP, BRIDGE_STATES)).resolve('', '', fleet)
    orders |= endpoints(goals & all_of.subscribe)
    said = (all_of | orders).publish.difference(*(side.subscribe for side in sides))
    said = said.difference(*(side.publish for side in sides))
    every = endpoints(subscribe=said)
    added = {MONITOR: _heard_by_monitor(found, fleet), RECORDER: endpoints(subscribe=said - LOG)}
    found[GROUND] = [
        profile._replace(allowed=profile.allowed | added.get(profile.node, endpoints()))
        for profile in found[GROUND]
    ]
    asked = [name for name in all_of.serve if name.endswith(f'/{AGENT}/get_parameters')]
    space = fleet.namespace_of('')
    may = {
        OPERATOR: orders | every | endpoints(call={
            *all_of.serve, *(fleet.member_topic(WORLD, name) for name in OF_WORLD)
        }),
        VIEWER: every | endpoints(subscribe=orders.subscribe, call=asked),
    }
    for name, allowed in may.items():
        found[name] = [NodeProfile(space, name, COMMAND_LINE | allowed)]


def _heard_by_monitor(found: Mapping[str, Sequence[NodeProfile]], fleet: Fleet) -> Endpoints:
    """Return the telemetry of all agents, and the true motion of who may be simulated."""
    agents = [name for name in found if UAV.fullmatch(name)]
    topics = [fleet.member_topic(name, TELEMETRY) for name in agents]
    topics += [fleet.member_topic(name, GROUND_TRUTH) for name in (*agents, TARGET, ADVERSARY)]
    return endpoints(subscribe=topics)


ELEMENTS = (
    ('topics', 'publish', 'topic'), ('topics', 'subscribe', 'topic'),
    ('services', 'reply', 'service'), ('services', 'request', 'service'),
)  # fmt: skip
"""Element, its attribute and that of each name, in the order of ``Endpoints``."""


def policy_text(enclave: str, profiles: Sequence[NodeProfile]) -> str:
    """Return the policy of one enclave as SROS2 reads it.

    Args:
        enclave: Its full path, such as ``/uav_1``.
        profiles: Of its nodes.
    """
    root = ElementTree.Element('policy', version='0.2.0')
    enclaves = ElementTree.SubElement(root, 'enclaves')
    inner = ElementTree.SubElement(enclaves, 'enclave', path=enclave)
    group = ElementTree.SubElement(inner, 'profiles')
    for profile in profiles:
        own = ElementTree.SubElement(group, 'profile', ns=profile.namespace, node=profile.node)
        for names, (element, attribute, each) in zip(profile.allowed, ELEMENTS, strict=True):
            if names:
                part = ElementTree.SubElement(own, element, {attribute: 'ALLOW'})
                for name in sorted(names):
                    ElementTree.SubElement(part, each).text = name
    ElementTree.indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{head}\n{ElementTree.tostring(root, encoding="unicode")}\n'


SUFFIX = '.policy.xml'


def write_policies(folder: Path, policies: Policies, fleet: Fleet) -> list[Path]:
    """Write the policy of each enclave, and ``endpoints.md``, a table of what each node may do.

    Returns:
        The files of the policies, in the order of their enclaves.

    Raises:
        RunError: A file cannot be written.
    """
    paths = []
    with writing(folder, 'create'):
        folder.mkdir(parents=True, exist_ok=True)
    for enclave, profiles in policies.items():
        path = folder / f'{enclave}{SUFFIX}'
        with writing(path):
            path.write_text(policy_text(fleet.full_name(enclave), profiles), encoding='utf-8')
        paths.append(path)
    with writing(folder / 'endpoints.md'):
        (folder / 'endpoints.md').write_text(endpoints_table(policies), encoding='utf-8')
    return paths


def endpoints_table(policies: Policies) -> str:
    """Return what each node may do, without the services of parameters, as Markdown."""
    lines = [
        '| enclave | node | publishes | subscribes to | serves | calls |',
        '| --- | --- | --- | --- | --- | --- |',
    ]
    for enclave, profiles in policies.items():
        for profile in profiles:
            usual = EVERY_NODE.resolve(profile.namespace, profile.node, Fleet())
            cells = [
                ' '.join(f'`{name}`' for name in sorted(names - known))
                for names, known in zip(profile.allowed, usual, strict=True)
            ]
            node = f'{profile.namespace.rstrip("/")}/{profile.node}'
            lines.append(f'| {enclave} | {node} | {" | ".join(cells)} |')
    return '\n'.join(lines) + '\n'
