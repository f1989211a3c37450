"""Detects who contradicts: several publishers of one topic, or ends of another type.

A node is known by its topics up to two seconds before its name is. Nothing is told before.
"""

import time
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.topic_endpoint_info import TopicEndpointInfo

from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.duplicate_nodes import KILLED
from velocity_mobility_ros.ros_io.silence import end_name, is_nameless, own_subscriptions

STAMPED = 'geometry_msgs/msg/TwistStamped'

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
    found = node.get_publishers_info_by_topic(resolved)
    if is_nameless(node, found):
        return []
    names = sorted(map(end_name, found))
    reason = (
        f'{len(names)} publishers on {resolved}: {", ".join(names)}; stop all but one ({KILLED})'
    )
    return [Condition(level, reason, f'publishers on {resolved}')]


def takers_of_other_type(node: Node, publisher: Publisher) -> list[Condition]:
    """Return the fault if somebody subscribes to our commands with another type.

    Args:
        node: Who publishes.
        publisher: Its publisher of Twist or TwistStamped.
    """
    topic, kind = publisher.topic_name, type_name(publisher.msg_type)

    def strangers() -> int:
        return node.count_subscribers(topic) - publisher.get_subscription_count()

    if _counted_of(node.context, f'subscribers {topic}', strangers, 0) <= 0:
        return []
    ends = node.get_subscriptions_info_by_topic(topic)
    others = _of_other_type(node, ends, kind, 'takes')
    reason = f'{others} on {topic} and hears nothing of our {kind}: {_other_type(kind)}'
    return [Condition(Level.ERROR, reason, f'types on {topic}')] if others else []


def senders_of_other_type(node: Node, topic: str) -> list[Condition]:
    """Return the fault if somebody publishes our commands with another type; else nothing.

    Args:
        node: Who subscribes, to Twist or TwistStamped.
        topic: The topic.
    """
    topic = node.resolve_topic_name(topic)
    kinds = [one.topic_type for one in own_subscriptions(node, topic)]
    if not kinds:
        return []
    ends = node.get_publishers_info_by_topic(topic)
    others = _of_other_type(node, ends, kinds[0], 'sends')
    reason = f'{others} on {topic}, we take {kinds[0]}: {_other_type(kinds[0])}'
    return [Condition(Level.ERROR, reason, f'types on {topic}')] if others else []


def _of_other_type(
    node: Node, ends: Iterable[TopicEndpointInfo], kind: str, does: str
) -> str:
    """Return who does something with another type; empty while a name is not known yet."""
    found = [end for end in ends if end.topic_type != kind]
    if is_nameless(node, found):
        return ''
    return ', '.join(sorted(f'{end_name(end)} {does} {end.topic_type}' for end in found))


def _other_type(kind: str) -> str:
    """Return what to do about ends of commands with two types, of which ours is ``kind``."""
    other = str(kind != STAMPED).lower()
    return f'set enable_stamped_cmd_vel to {other} here, or the other type there'


def type_name(message: type) -> str:
    """Return the name of a type of messages, such as ``geometry_msgs/msg/Twist``."""
    return f'{message.__module__.split(".")[0]}/msg/{message.__name__}'


def publishers(node: Node, topic: str) -> list[str]:
    """Return the full names of the nodes that publish on a topic, as remapped."""
    return [*map(end_name, node.get_publishers_info_by_topic(topic))]
