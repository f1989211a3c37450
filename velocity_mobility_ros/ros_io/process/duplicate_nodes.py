"""Detects duplicate node names, at the start and in flight.

Services of two nodes with the same name are ambiguous. Threading: one thread.
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
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim, name_in_use
from velocity_mobility_ros.ros_io.process.teardown import destroy

CHECKS = 30
"""Number of checks for a node of the same name at the start."""

CHECK_PERIOD = 0.02
"""Wall time [s] between two checks."""

LEAVE_TIMEOUT = 5.0
"""Wall time [s] to wait for another node of the name to leave, if it was refused itself."""

CACHE_TIME = 0.9
"""Wall time [s] for which the nodes of one process share a list of node names."""

PROBE_OPTIONS = {'enable_rosout': False, 'start_parameter_services': False}

KILLED = 'a killed node is still listed for up to 20 s'


@contextmanager
def unique_name(name: str, stop: Callable[[], bool] = lambda: False) -> Iterator[NameClaim]:
    """Claim a name and check that no other node has it; the block then creates the node.

    On this machine two nodes of the same name cannot both start. On other machines the check
    finds most duplicates; the rest are reported in flight. A node killed before this process
    started is ignored.

    A second node, with another name, lives until the block is left, so that the process keeps its
    DDS participant with all it has discovered: destroying a participant while others appear can
    crash the middleware. The probe is destroyed before the block: destroying one of two nodes of
    the same name removes the name from the endpoints of the other.

    Args:
        name: Name of the node, as yet without namespace and remapping.
        stop: Returns whether to stop checking.

    Yields:
        The claim, to be kept as long as the node lives.

    Raises:
        StartupError: Another node has the name.
    """
    keeper = Node(f'_{name}_start', use_global_arguments=False, **PROBE_OPTIONS)
    try:
        yield _claim(name, stop)
    finally:
        destroy([keeper])


def _claim(name: str, stop: Callable[[], bool]) -> NameClaim:
    probe = Node(name, **PROBE_OPTIONS)
    try:
        claim = NameClaim(probe.get_fully_qualified_name(), probe.context.get_domain_id())
        try:
            _check_name(probe, stop)
        except StartupError:
            claim.close()
            raise
        return claim
    finally:
        destroy([probe])


def _check_name(probe: Node, stop: Callable[[], bool]) -> None:
    own = probe.get_fully_qualified_name()
    for _ in range(CHECKS):
        if stop():
            return
        if _is_duplicate(own, probe) and not _has_left(own, probe, stop):
            raise name_in_use(own)
        time.sleep(CHECK_PERIOD)


def _is_duplicate(name: str, probe: Node) -> bool:
    return node_names(probe)[name] > 1


def _has_left(name: str, probe: Node, stop: Callable[[], bool]) -> bool:
    """Wait for another node of a name to leave; return whether it did, or ``stop`` is set.

    The holder of the claim meets processes without it, which end after creating their probe.
    """
    deadline = time.monotonic() + LEAVE_TIMEOUT
    while _is_duplicate(name, probe) and not stop():
        if time.monotonic() > deadline:
            return False
        time.sleep(CHECK_PERIOD)
    return True


def claim_names(nodes: Iterable[Node]) -> list[NameClaim]:
    """Claim the names of existing nodes, without a check.

    Raises:
        StartupError: Another process on this machine holds one.
    """
    return [
        NameClaim(node.get_fully_qualified_name(), node.context.get_domain_id()) for node in nodes
    ]


def claim_role(node: Node, role: str, who: str) -> NameClaim:
    """Claim what only one node may be, whatever its name is.

    Args:
        node: The node.
        role: What it is, such as ``agent``.
        who: For whom, as a full name: ``/uav_1``.

    Raises:
        StartupError: Another node on this machine is it.
    """
    refusal = StartupError(
        f'{node.get_fully_qualified_name()}: {who} has another node as its {role} on this '
        'computer already; stop it, or start this one with another number, namespace or '
        'ROS_DOMAIN_ID'
    )
    return NameClaim(f'{who} as {role}', node.context.get_domain_id(), refusal)


def node_names(node: Node) -> Counter[str]:
    """Return the number of nodes by full name."""
    return Counter(
        f'{namespace.rstrip("/")}/{name}'
        for name, namespace in node.get_node_names_and_namespaces()
    )


_seen: WeakKeyDictionary[Context, tuple[float, Counter[str]]] = WeakKeyDictionary()


def cached_node_names(node: Node) -> Counter[str]:
    """Return the same, at most a second old, for many nodes in one process."""
    now = time.monotonic()
    at, names = _seen.get(node.context, (-CACHE_TIME, Counter()))
    if now - at >= CACHE_TIME:
        names = node_names(node)
        _seen[node.context] = (now, names)
    return names


def duplicate_name(node: Node) -> list[Condition]:
    """Return the fault if other nodes have the full name of a node."""
    own = node.get_fully_qualified_name()
    count = cached_node_names(node)[own]
    if count <= 1:
        return []
    reason = f'{count} nodes are named {own}: stop all but one ({KILLED})'
    return [Condition(Level.ERROR, reason, 'node name')]
