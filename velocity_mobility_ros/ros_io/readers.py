"""Subscribers of a topic, by node name."""

from rclpy.node import Node
from rclpy.publisher import Publisher


def is_read_by(node: Node, publisher: Publisher, reader: str, count: int) -> bool:
    """Return whether at least ``count`` nodes of full name ``reader`` subscribe to a publisher.

    The number of all subscribers is not enough: it includes other nodes, such as a second
    recorder, a command line tool or RViz.
    """
    if publisher.get_subscription_count() < count:
        return False
    found = node.get_subscriptions_info_by_topic(publisher.topic_name) if count > 0 else []
    names = [f'{info.node_namespace.rstrip("/")}/{info.node_name}' for info in found]
    return names.count(reader) >= count
