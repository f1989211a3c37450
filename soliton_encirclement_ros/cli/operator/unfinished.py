"""What discovery has not found out yet, as far as this computer tells."""

from collections.abc import Iterable

from rclpy.node import Node
from rclpy.topic_endpoint_info import TopicEndpointInfo
from velocity_mobility_ros.core.network import participants
from velocity_mobility_ros.ros_io.silence import HOST, UNKNOWN_NODE, all_ends

NEARLY_ALL = '/parameter_events'
"""A topic that nearly every node publishes."""

PROCESS = 12
"""Bytes of an identifier of Fast DDS that are the same for all endpoints of a process."""


def unfinished(node: Node, is_thorough: bool = False) -> str:
    """Return what is missing in the graph as it is found by now, in words; empty: nothing.

    Linux tells how many processes with ROS this computer has. Those of other computers are not
    counted.

    Args:
        node: Any node.
        is_thorough: Whether to look for programs with DDS alone, such as MicroXRCEAgent, too: it
            takes a hundred times as long.
    """
    domain = node.context.get_domain_id()
    there = sum(one.domain == domain for one in participants())
    ends = node.get_publishers_info_by_topic(NEARLY_ALL)
    own = own_process(node)
    if is_thorough and len(_here(ends, own)) < there:
        ends = all_ends(node)
    lost = there - len(_here(ends, own))
    unnamed = {process(one) for one in ends if one.node_name == UNKNOWN_NODE}
    texts = []
    if lost > 0:
        texts.append(f'{lost} of {there} other processes on this computer are not found')
    if unnamed:
        texts.append(f'{len(unnamed)} processes that are found have not named their nodes')
    return ', '.join(texts)


def process(end: TopicEndpointInfo) -> bytes:
    """Return the identifier of the process that an endpoint belongs to."""
    return bytes(end.endpoint_gid[:PROCESS])


def own_process(node: Node) -> bytes:
    """Return the identifier of the process of a node, empty while it is not known."""
    ends = node.get_publishers_info_by_topic(NEARLY_ALL)
    own = node.get_name(), node.get_namespace()
    return next((process(one) for one in ends if (one.node_name, one.node_namespace) == own), b'')


def _here(ends: Iterable[TopicEndpointInfo], own: bytes) -> set[bytes]:
    """Return the processes of this computer, but the own one."""
    return {found for one in ends if (found := process(one))[:HOST] == own[:HOST]} - {own}
