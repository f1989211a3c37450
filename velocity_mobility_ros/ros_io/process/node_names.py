"""Names of nodes, of which each may be there once: claims on this computer, duplicates in flight.

Services of two nodes with the same name are ambiguous. Duplicates on other computers are named in
flight.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.node import Node

from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim

CACHE_TIME = 0.9
"""Wall time [s] for which the nodes of one process share what they see."""

Found = TypeVar('Found')

KILLED = 'a killed node is still listed for up to 20 s'


_of_nodes: dict[tuple[str, int], NameClaim] = {}
"""Claims of the nodes of this process, which is not asked about itself."""


def claim_name(node: Node) -> NameClaim:
    """Claim the full name of a new node; the node is destroyed if it is refused.

    Raises:
        StartupError: Another process on this computer holds it.
    """
    key = node.get_fully_qualified_name(), node.context.get_domain_id()
    if key not in _of_nodes or _of_nodes[key].is_closed:
        try:
            _of_nodes[key] = NameClaim(*key)
        except StartupError:
            Node.destroy_node(node)
            raise
        node.context.on_shutdown(_of_nodes[key].close)  # also of a node that failed to start
    return _of_nodes[key]


def claim_role(node: Node, role: str, who: str) -> NameClaim:
    """Claim what only one node may be, whatever its name is.

    Args:
        node: The node.
        role: What it is, such as ``agent``.
        who: For whom, as a full name: ``/uav_1``.

    Raises:
        StartupError: Another node on this computer is it.
    """
    refusal = (
        f'{node.get_fully_qualified_name()}: {who} has another node as its {role} on this '
        'computer already; stop it, or start this one with another number, namespace or '
        'ROS_DOMAIN_ID'
    )
    claim = NameClaim(f'{who} as {role}', node.context.get_domain_id(), refusal)
    node.context.on_shutdown(claim.close)
    return claim


_seen: WeakKeyDictionary[Context, dict[str, tuple[float, Any]]] = WeakKeyDictionary()


def cached_query(node: Node, what: str, look: Callable[[], Found]) -> Found:
    """Return what a look at the graph finds, at most a second old, for all nodes of a process.

    A hundred agents may wait for the same target.
    """
    cached, now = _seen.setdefault(node.context, {}), time.monotonic()
    if what not in cached or now - cached[what][0] >= CACHE_TIME:
        cached[what] = now, look()
    return cached[what][1]


def cached_node_names(node: Node) -> Counter[str]:
    """Return the number of nodes by full name, at most a second old."""
    return cached_query(node, 'nodes', lambda: Counter(
        f'{namespace.rstrip("/")}/{name}'
        for name, namespace in node.get_node_names_and_namespaces()
    ))  # fmt: skip


def duplicate_name(node: Node) -> list[Condition]:
    """Return the fault if other nodes have the full name of a node."""
    own = node.get_fully_qualified_name()
    count = cached_node_names(node)[own]
    if count <= 1:
        return []
    reason = f'{count} nodes are named {own}: stop all but one ({KILLED})'
    return [Condition(Level.ERROR, reason, 'node name')]


def warn_without_namespace(node: Node, usual: str, names: Sequence[str]) -> None:
    """Log a warning if a node of a vehicle is at the root, where all such nodes share names.

    Args:
        node: The node.
        usual: Namespace that it usually has, such as ``/uav_1``.
        names: Its topics, as ``odom``.
    """
    if node.get_namespace() == '/':
        shared = ' and '.join(map(node.resolve_topic_name, names))
        node.get_logger().warning(
            f'without a namespace its topics are {shared}, as those of every other vehicle '
            f'without one: start it with -r __ns:={usual}'
        )
