"""Finds nodes and publishers that are there twice, at the start and in flight.

Two nodes of one name answer for each other; two that publish one vehicle's odometry or commands
fight for it. Threading: one thread.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.node import Node

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim, already_there
from velocity_mobility_ros.ros_io.process.teardown import destroy

LOOKS = 30
"""How often a starting process looks for a node of its own name."""

NAP = 0.02
"""Wall time [s] between two looks."""

LEAVING = 5.0
"""Wall time [s] in which another node of the name may leave: it was refused on this machine."""

SHARED_FOR = 0.9
"""Wall time [s] for which the nodes of one process share what one of them has seen."""

PLAIN = {'enable_rosout': False, 'start_parameter_services': False}

KILLED = 'one that was killed is still counted for up to 20 s'


@contextmanager
def alone(name: str, stop: Callable[[], bool] = lambda: False) -> Iterator[NameClaim]:
    """Claim a name and look for a node that has it; the block then creates the node.

    On this machine two of one name cannot both start. Elsewhere the look finds most; the rest show
    in flight. Who was killed before this process began does not count.

    Another node, of a name of its own, stays until the block is left: the process keeps its DDS
    participant and what that has discovered. To destroy one while others appear may crash the
    middleware. The node that looks goes before: who destroys one of two nodes of one name takes
    the name of the other's publishers and subscriptions away.

    Args:
        name: Name of the node, as yet without namespace and remapping.
        stop: Ends the look.

    Yields:
        The claim, to be held as long as the node lives.

    Raises:
        StartupError: There is such a node.
    """
    keeper = Node(f'_{name}_start', use_global_arguments=False, **PLAIN)
    try:
        yield _claim(name, stop)
    finally:
        destroy([keeper])


def _claim(name: str, stop: Callable[[], bool]) -> NameClaim:
    probe = Node(name, **PLAIN)
    try:
        claim = NameClaim(probe.get_fully_qualified_name(), probe.context.get_domain_id())
        try:
            _look(probe, stop)
        except StartupError:
            claim.close()
            raise
        return claim
    finally:
        destroy([probe])


def _look(probe: Node, stop: Callable[[], bool]) -> None:
    own = probe.get_fully_qualified_name()
    for _ in range(LOOKS):
        if stop():
            return
        if _is_twice(own, probe) and not _leaves(own, probe, stop):
            raise already_there(own)
        time.sleep(NAP)


def _is_twice(name: str, probe: Node) -> bool:
    return node_names(probe)[name] > 1


def _leaves(name: str, probe: Node, stop: Callable[[], bool]) -> bool:
    """Wait for another node of a name to leave; say whether it did, or nobody waits any more.

    Who holds the claim meets those who do not get it: they know only once they have a node.
    """
    deadline = time.monotonic() + LEAVING
    while _is_twice(name, probe) and not stop():
        if time.monotonic() > deadline:
            return False
        time.sleep(NAP)
    return True


def claim_names(nodes: Iterable[Node]) -> list[NameClaim]:
    """Claim the names of nodes that are there already, without a look.

    Raises:
        StartupError: Another process on this machine holds one.
    """
    return [
        NameClaim(node.get_fully_qualified_name(), node.context.get_domain_id()) for node in nodes
    ]


def node_names(node: Node) -> Counter[str]:
    """Return how many nodes there are of each full name."""
    return Counter(
        f'{namespace.rstrip("/")}/{name}'
        for name, namespace in node.get_node_names_and_namespaces()
    )


_seen: WeakKeyDictionary[Context, tuple[float, Counter[str]]] = WeakKeyDictionary()


def _node_names_lately(node: Node) -> Counter[str]:
    """Return the same, at most a second old: many nodes in one process ask once."""
    now = time.monotonic()
    at, names = _seen.get(node.context, (-SHARED_FOR, Counter()))
    if now - at >= SHARED_FOR:
        names = node_names(node)
        _seen[node.context] = (now, names)
    return names


def same_name(node: Node) -> list[Condition]:
    """Return what is wrong if other nodes have a node's full name."""
    own = node.get_fully_qualified_name()
    count = _node_names_lately(node)[own]
    if count <= 1:
        return []
    reason = f'{count} nodes are called {own}: stop all but one ({KILLED})'
    return [Condition(Level.ERROR, reason, 'node name')]


def several_publishers(node: Node, topic: str, level: Level) -> list[Condition]:
    """Return what is wrong if more than one publisher is there for a topic of one vehicle.

    Args:
        node: Whose namespace and remapping count.
        topic: The topic.
        level: How bad that is.
    """
    resolved = node.resolve_topic_name(topic)
    if node.count_publishers(resolved) <= 1:
        return []
    names = sorted(publishers(node, resolved))
    reason = (
        f'{len(names)} publishers on {resolved}: {", ".join(names)}; stop all but one ({KILLED})'
    )
    return [Condition(level, reason, f'publishers on {resolved}')]


def publishers(node: Node, topic: str) -> list[str]:
    """Return the full names of the nodes that publish on a topic, as remapped."""
    return [
        f'{info.node_namespace.rstrip("/")}/{info.node_name}'
        for info in node.get_publishers_info_by_topic(topic)
    ]
