"""Names of nodes: duplicates, at the start and in flight, and names that ``-r FROM:=TO`` changes.

Services of two nodes with the same name are ambiguous. Threading: one thread.

A rule of a command line that changes nothing is warned of.
"""

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.expand_topic_name import expand_topic_name
from rclpy.node import Node

from velocity_mobility_ros.core.user_errors import StartupError, closest
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


REMAP = ('-r', '--remap')


def remapping_warnings(arguments: Sequence[str], nodes: Sequence[Node]) -> list[str]:
    """Return a line for each rule that changes no name of the nodes of a process.

    rcl takes a rule without a word, also if its name is misspelt or counts from another namespace.

    Args:
        arguments: A command line that rcl has accepted.
        nodes: All nodes, with their topics and services.
    """
    lines = []
    for rule in _rules(arguments):
        old, _, new = rule.partition(':=')
        whose, _, name = old.rpartition(':')
        if name.startswith(('__', '//')):
            continue
        meant = [node for node in nodes if whose in ('', node.get_name())]
        names = set().union(*map(_names, meant))
        if any(_full_name(node, new) in names for node in meant):
            continue
        full = [_full_name(node, name) for node in meant]
        near = next(filter(None, (closest(one, names) for one in full)), None)
        hint = f'; did you mean {near}?' if near else ''
        lines.append(
            f'-r {rule} changes no name here: nothing is called {" or ".join(full) or old}{hint}'
        )
    return lines


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


def clash(node: Node, name: str, kinds: Mapping[str, type]) -> str:
    """Return why two topics of a node cannot have one name, and which rules give it to them.

    Args:
        node: The node.
        name: The name.
        kinds: The types of the two, by their names before any rule.
    """
    remapped = [old for old in kinds if _full_name(node, old) != name]
    types = [f'{one.__module__.partition(".")[0]}/msg/{one.__name__}' for one in kinds.values()]
    rules = ' and '.join(f'-r {old}:=...' for old in remapped)
    return (
        f'{" and ".join(kinds)} would both be {name}, with types {" and ".join(types)}: '
        f'give another name by {rules or "-r"}'
    )


def _rules(arguments: Sequence[str]) -> Iterator[str]:
    is_of_ros = False
    for flag, rule in itertools.pairwise([*arguments, '']):
        if flag in ('--ros-args', '--'):
            is_of_ros = flag == '--ros-args'
        elif is_of_ros and flag in REMAP:
            yield rule


def _names(node: Node) -> set[str]:
    """Return the full names of all topics and services of a node, as they are now."""
    name, space = node.get_name(), node.get_namespace()
    found = [
        *node.get_publisher_names_and_types_by_node(name, space),
        *node.get_subscriber_names_and_types_by_node(name, space),
        *node.get_service_names_and_types_by_node(name, space),
        *node.get_client_names_and_types_by_node(name, space),
    ]
    return {one for one, _ in found}


def _full_name(node: Node, name: str) -> str:
    return expand_topic_name(name, node.get_name(), node.get_namespace())
