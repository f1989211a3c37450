"""What each node publishes, subscribes to, serves and calls: the one table of all nodes.

Names are written as nodes write them: ``odom`` in the namespace of the node, ``swarm/metrics`` in
that of the fleet, ``~/list_parameters`` below the node, ``/diagnostics`` global. A test starts the
nodes and holds this table to their graph, both ways.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    ARDUPILOT, BRIDGES, MAVROS, PARAMETERS, PX4
)
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, ADVERSARY_STATE, AGENT, AGENT_STATES, DIAGNOSTICS, GOAL_POSE, MARKERS, METRICS,
    MONITOR, PARAMETER_EVENTS, RECORDER, RESUME, SAFETY, STOP, SWARM, SWARM_EMERGENCY_STOP, TARGET,
    TARGET_BEARING, TARGET_STATE, TELEMETRY, Fleet
)
from velocity_mobility_ros.autopilot.protocols import ap_dds, mavros
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    MESSAGES_IN, REQUEST, RESPONSE, topic_name
)
from velocity_mobility_ros.nodes.autopilot.bridge_node import REQUESTS
from velocity_mobility_ros.nodes.twist_limiter_node import ODOMETRY
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import BRIDGE_STATES, FLY_ORDERS
from velocity_mobility_ros.ros_io.autopilot.px4_link import ACK, FLAGS, READ
from velocity_mobility_ros.ros_io.messages.vehicle_input import PATH
from velocity_mobility_ros.ros_io.vehicle_topics import (
    BRIDGE_STATE, CMD_VEL, CMD_VEL_RAW, EMERGENCY_STOP, GROUND_TRUTH, ODOM, TF, TF_STATIC
)


class Endpoints(NamedTuple):
    """Names of topics that are published and subscribed to, of services served and called."""

    publish: frozenset[str] = frozenset()
    subscribe: frozenset[str] = frozenset()
    serve: frozenset[str] = frozenset()
    call: frozenset[str] = frozenset()

    def __or__(self, other: 'Endpoints') -> 'Endpoints':
        """Return the endpoints of both."""
        return Endpoints(*(mine | its for mine, its in zip(self, other, strict=True)))

    def resolve(self, namespace: str, node: str, fleet: Fleet) -> 'Endpoints':
        """Return them with full names.

        Args:
            namespace: Full namespace of the node.
            node: Its name.
            fleet: Its fleet.
        """
        own = namespace.rstrip('/')

        def full(name: str) -> str:
            if name.startswith('~'):
                return f'{own}/{node}{name[1:]}'
            if name.startswith(SWARM):
                return fleet.full_name(name)
            return name if name.startswith('/') else f'{own}/{name}'

        return Endpoints(*(frozenset(map(full, names)) for names in self))


def endpoints(
    publish: Iterable[str] = (), subscribe: Iterable[str] = (), serve: Iterable[str] = (),
    call: Iterable[str] = (),
) -> Endpoints:  # fmt: skip
    """Return the endpoints with these names."""
    return Endpoints(*map(frozenset, (publish, subscribe, serve, call)))


PARAMETER_SERVICES = (
    '~/describe_parameters', '~/get_parameter_types', '~/get_parameters', '~/list_parameters',
    '~/set_parameters', '~/set_parameters_atomically', '~/get_type_description',
)  # fmt: skip
"""What ROS serves in every node."""

EVERY_NODE = endpoints(
    (DIAGNOSTICS, PARAMETER_EVENTS, '/rosout'), serve=PARAMETER_SERVICES
)
TRANSFORMS = endpoints((TF, TF_STATIC))
"""Of a vehicle, with ``publish_tf`` and tf2_msgs."""

MEMBER = endpoints((CMD_VEL, STOP), (ODOM, STOP), (EMERGENCY_STOP,))
"""Of who obeys the emergency stop, keeps it for others, and commands a vehicle."""

Parameters = Mapping[str, Any]


def _agent(given: Parameters) -> Endpoints:
    is_broadcast = given.get('target_broadcasts', True)
    own = endpoints((AGENT_STATES, TELEMETRY), (AGENT_STATES,), ('fail', 'recover'))
    seen = endpoints(subscribe=[TARGET_STATE if is_broadcast else TARGET_BEARING])
    return MEMBER | own | seen | _adversary_seen(given)


def _safety(given: Parameters) -> Endpoints:
    own = endpoints((AGENT_STATES, TELEMETRY), (AGENT_STATES, TARGET_STATE, CMD_VEL_RAW))
    return MEMBER | own | _adversary_seen(given)


def _adversary_seen(given: Parameters) -> Endpoints:
    """Return the state of the adversary, where the separation filter keeps away from it."""
    is_filtered = given.get('separation_filter', True) and given.get('adversary_distance', 1.0) > 0
    return endpoints(subscribe=[ADVERSARY_STATE] if is_filtered else ())


def _mobility(given: Parameters) -> Endpoints:
    is_sensed = 'sensor_seed' in given  # as a plan has it for odometry that is not perfect
    return TRANSFORMS | endpoints((ODOM, GROUND_TRUTH) if is_sensed else (ODOM,), (CMD_VEL,))


def _limiter(given: Parameters) -> Endpoints:
    measured = (ODOM,) if given.get('feedback') == ODOMETRY else ()
    return endpoints((CMD_VEL,), (CMD_VEL_RAW, *measured), (EMERGENCY_STOP,))


def _bridge(kind: str, given: Parameters) -> Endpoints:
    own = endpoints(
        (ODOM, BRIDGE_STATE, BRIDGE_STATES), (CMD_VEL, FLY_ORDERS, BRIDGE_STATES),
        [request.value for request in REQUESTS],
    )  # fmt: skip
    return TRANSFORMS | own | autopilot_side(kind, given)


def autopilot_side(kind: str, given: Parameters) -> Endpoints:
    """Return what a bridge says to its autopilot and hears of it.

    A topic of PX4 has a suffix for the version of its message, which the installed px4_msgs tells;
    so a policy names both, ``vehicle_status`` and ``vehicle_status_v[0-9]``.

    Args:
        kind: The autopilot, one of ``BRIDGES``.
        given: Parameters of the bridge.
    """
    prefix = str(given.get(PARAMETERS[kind], 'mavros' if kind == MAVROS else '/ap'))
    if kind == PX4:
        return endpoints(
            [name for topic in (*MESSAGES_IN, REQUEST) for name in _px4(prefix, 'in', topic)],
            [name for topic in (*READ, FLAGS, ACK, RESPONSE)
             for name in _px4(prefix, 'out', topic)],
        )  # fmt: skip
    protocol, setpoint = {
        ARDUPILOT: (ap_dds, ap_dds.COMMAND), MAVROS: (mavros, mavros.SETPOINT),
    }[kind]  # fmt: skip
    prefix = prefix.rstrip('/')
    return endpoints(
        [f'{prefix}/{setpoint}'], [f'{prefix}/{topic}' for topic in protocol.MESSAGES_OUT],
        call=[f'{prefix}/{service}' for service in protocol.SERVICES],
    )  # fmt: skip


def _px4(namespace: str, direction: str, topic: str) -> tuple[str, str]:
    name = topic_name(namespace, direction, topic, 0)
    return name, f'{name}_v[0-9]'


class NodeKind(NamedTuple):
    """One executable.

    Attributes:
        name: Name of its node.
        endpoints: Returns what it has beside ``EVERY_NODE`` with its parameters.
    """

    name: str
    endpoints: Callable[[Parameters], Endpoints]


def _always(*names: Iterable[str]) -> Callable[[Parameters], Endpoints]:
    return lambda given: endpoints(*names)


NODE_KINDS: Mapping[str, NodeKind] = {
    'agent_node': NodeKind(AGENT, _agent),
    'safety_node': NodeKind(SAFETY, _safety),
    'target_node': NodeKind(
        TARGET,
        lambda given: MEMBER | endpoints(
            (TARGET_STATE,), (AGENT_STATES, ADVERSARY_STATE, GOAL_POSE), (RESUME,)
        ),
    ),
    'adversary_node': NodeKind(
        ADVERSARY, lambda given: MEMBER | endpoints((ADVERSARY_STATE,), (TARGET_STATE,))
    ),
    'mobility_node': NodeKind('mobility_node', _mobility),
    'trajectory_node': NodeKind('trajectory_node', _always((CMD_VEL,), (PATH, ODOM))),
    'twist_limiter_node': NodeKind('twist_limiter', _limiter),
    'monitor_node': NodeKind(
        MONITOR,
        _always(
            (METRICS, MARKERS, STOP),
            (STOP, DIAGNOSTICS, AGENT_STATES, TARGET_STATE, ADVERSARY_STATE),
            (SWARM_EMERGENCY_STOP,),
        ),
    ),
    'recorder_node': NodeKind(RECORDER, _always()),
    **{
        executable: NodeKind(executable, lambda given, kind=kind: _bridge(kind, given))
        for kind, executable in BRIDGES.items()
    },
}  # fmt: skip
"""All executables of a flight, in real time. What monitor and recorder hear of each member depends
on who takes part: ``policies``. A world moves simulated vehicles on one computer, and needs no
policy."""


def node_endpoints(spec: NodeSpec, fleet: Fleet) -> tuple[str, Endpoints]:
    """Return the name of a planned node, and what it has by itself, with full names.

    Args:
        spec: The node, in a namespace relative to that of its fleet.
        fleet: The fleet.

    Raises:
        ScenarioError: Such a node is not part of a flight.
    """
    kind = NODE_KINDS.get(spec.executable)
    if kind is None:
        raise ScenarioError(
            f'{spec.executable} has no policy: it must be one of {", ".join(NODE_KINDS)}'
        )
    names = EVERY_NODE | kind.endpoints(spec.parameters)
    return kind.name, names.resolve(fleet.namespace_of(spec.namespace), kind.name, fleet)
