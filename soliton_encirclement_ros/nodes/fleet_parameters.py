"""Fleet of a node: from its namespace, unless a parameter sets it."""

from dataclasses import dataclass

from rclpy.node import Node
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.ros_parameters import declare

from soliton_encirclement_ros.core.states.swarm_topics import (
    Fleet,
    fleet_above,
    fleet_in,
    named_fleet,
)


@dataclass(frozen=True)
class FleetParameters(Parameters):
    """Namespace of the swarm's topics."""

    swarm_namespace: str = parameter(
        '',
        'namespace of the fleet, / for the root; empty: parent namespace of a member, '
        'own namespace of world, monitor and recorder',
    )

    def __post_init__(self) -> None:
        """Refuse an invalid namespace."""
        super().__post_init__()
        named_fleet(self.swarm_namespace, 'swarm_namespace')


def fleet_of_member(node: Node) -> Fleet:
    """Declare the parameter and return the fleet of an agent, target or adversary."""
    return _fleet(node, fleet_above(node.get_namespace()))


def fleet_of_observer(node: Node, lockstep: bool) -> Fleet:
    """Declare the parameter and return the fleet of a world, monitor or recorder.

    Args:
        node: The node.
        lockstep: Whether the other nodes wait for it, and find it by its namespace.

    Raises:
        ParameterError: The namespace is invalid, or in lockstep not the node's own.
    """
    own = fleet_in(node.get_namespace())
    fleet = _fleet(node, own)
    if lockstep and fleet != own:
        raise ParameterError(
            f'{node.get_fully_qualified_name()}: swarm_namespace = {fleet.namespace or "/"!r} '
            'must be the own namespace in lockstep, where the others look for the node there; '
            f'start it in that one (-r __ns:={fleet.namespace or "/"})'
        )
    return fleet


def _fleet(node: Node, by_namespace: Fleet) -> Fleet:
    text = declare(node, FleetParameters).swarm_namespace
    return named_fleet(text, 'swarm_namespace') if text else by_namespace
