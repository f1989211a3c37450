"""Detects who contradicts: several publishers of one topic, subscribers of another type."""

import time
import zlib
from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.node import Node
from rclpy.publisher import Publisher

from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.duplicate_nodes import KILLED

COUNT_TIME = 2.0
"""Wall time [s] for which a topic as it should be is not counted again; twice that at most."""

_counted: WeakKeyDictionary[Context, dict[str, tuple[float, int]]] = WeakKeyDictionary()


def _counted_of(context: Context, what: str, count: Callable[[], int], usual: int) -> int:
    """Return a count of ends of a topic, as of a few seconds ago at most if it was the usual one.

    With a hundred nodes the middleware needs half a millisecond to count them. The nodes of a
    process share the result, and not all topics are counted in the same second.
    """
    counts = _counted.setdefault(context, {})
    now = time.monotonic()
    valid_until, found = counts.get(what, (now, usual))
    if now >= valid_until:
        found = count()
        lasts = COUNT_TIME * (1.0 + zlib.crc32(what.encode()) / 2**32) if found == usual else 0.0
        counts[what] = (now + lasts, found)
    return found


def several_publishers(node: Node, topic: str, level: Level) -> list[Condition]:
    """Return the fault if a topic of one vehicle has more than one publisher.

    Args:
        node: Node whose namespace and remappings apply.
        topic: The topic.
        level: Severity of the fault.
    """
    resolved = node.resolve_topic_name(topic)
    count = partial(node.count_publishers, resolved)
    if _counted_of(node.context, resolved, count, 1) <= 1:
        return []
    names = sorted(publishers(node, resolved))
    reason = (
        f'{len(names)} publishers on {resolved}: {", ".join(names)}; stop all but one ({KILLED})'
    )
    return [Condition(level, reason, f'publishers on {resolved}')]


def takers_of_other_type(
    node: Node, publisher: Publisher, kind: str, cure: str
) -> list[Condition]:
    """Return the warning if somebody subscribes to a topic of ours with another type.

    Args:
        node: Who publishes.
        publisher: Its publisher.
        kind: The name of its type: ``geometry_msgs/msg/Twist``.
        cure: What to do about it, as text.
    """
    topic = publisher.topic_name

    def strangers() -> int:
        return node.count_subscribers(topic) - publisher.get_subscription_count()

    if _counted_of(node.context, f'subscribers {topic}', strangers, 0) <= 0:
        return []
    found = sorted(
        f'{info.node_namespace.rstrip("/")}/{info.node_name} takes {info.topic_type}'
        for info in node.get_subscriptions_info_by_topic(topic) if info.topic_type != kind
    )  # fmt: skip
    reason = f'{", ".join(found)} on {topic} and hears nothing of our {kind}: {cure}'
    return [Condition(Level.WARN, reason, f'takers on {topic}')] if found else []


def publishers(node: Node, topic: str) -> list[str]:
    """Return the full names of the nodes that publish on a topic, as remapped."""
    return [
        f'{info.node_namespace.rstrip("/")}/{info.node_name}'
        for info in node.get_publishers_info_by_topic(topic)
    ]
