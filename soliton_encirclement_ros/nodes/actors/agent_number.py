"""The number of an agent: a parameter, or the k of its namespace ``uav_k``."""

from rclpy.node import Node
from velocity_mobility_ros.core.user_errors import ParameterError

from soliton_encirclement_ros.core.states.swarm_topics import uav_id


def agent_number(node: Node, given: int) -> int:
    """Return an agent's number, as given or from its namespace, which must not differ.

    Args:
        node: The agent's node.
        given: The number; 0: from the namespace.

    Raises:
        ParameterError: There is none, or two that differ.
    """
    namespace = node.get_namespace()
    named = uav_id(namespace.rpartition('/')[2])
    if named == 0:
        raise ParameterError(
            f'namespace {namespace!r} names agent 0, but agents are numbered from 1; start the '
            'node in a namespace such as /uav_1 (-r __ns:=/uav_1)'
        )
    if named is None and not given:
        raise ParameterError(
            f'agent_id = 0 and namespace {namespace!r} names no agent; start the node '
            'in a namespace such as /uav_1 (-r __ns:=/uav_1) or set agent_id'
        )
    if named and given and named != given:
        raise ParameterError(
            f'agent_id = {given} and namespace {namespace!r} differ; leave agent_id out '
            f'or start the node in a namespace such as /uav_{given} (-r __ns:=/uav_{given})'
        )
    return given or named
