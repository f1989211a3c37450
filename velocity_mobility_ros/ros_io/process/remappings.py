"""Names that a command line changes by ``-r FROM:=TO``, and rules that change nothing."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

from rclpy.expand_topic_name import expand_topic_name
from rclpy.node import Node

from velocity_mobility_ros.core.shown import closest

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
