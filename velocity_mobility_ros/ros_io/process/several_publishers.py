"""Detects several publishers of a vehicle's odometry or commands, which contradict each other."""

import time
import zlib
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.node import Node

from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.duplicate_nodes import KILLED

COUNT_TIME = 2.0
"""Wall time [s] for which a topic with one publisher is not counted again; twice that at most."""

_counted: WeakKeyDictionary[Context, dict[str, tuple[float, int]]] = WeakKeyDictionary()


def _count_publishers(node: Node, topic: str) -> int:
    """Return the number of publishers on a topic, as of a few seconds ago at most.

    With a hundred nodes the middleware needs half a millisecond to count them. The nodes of a
    process share the result, and not all topics are counted in the same second.
    """
    counts = _counted.setdefault(node.context, {})
    now = time.monotonic()
    valid_until, count = counts.get(topic, (now, 0))
    if now >= valid_until:
        count = node.count_publishers(topic)
        lasts = COUNT_TIME * (1.0 + zlib.crc32(topic.encode()) / 2**32) if count == 1 else 0.0
        counts[topic] = (now + lasts, count)
    return count


def several_publishers(node: Node, topic: str, level: Level) -> list[Condition]:
    """Return the fault if a topic of one vehicle has more than one publisher.

    Args:
        node: Node whose namespace and remappings apply.
        topic: The topic.
        level: Severity of the fault.
    """
    resolved = node.resolve_topic_name(topic)
    if _count_publishers(node, resolved) <= 1:
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
