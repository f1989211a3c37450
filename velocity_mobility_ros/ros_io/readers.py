"""Who reads a topic, by the names of nodes."""

from rclpy.node import Node
from rclpy.publisher import Publisher


def is_read_by(node: Node, publisher: Publisher, reader: str, count: int) -> bool:
    """Say whether at least so many nodes of a full name read what a publisher says.

    Counting all readers is not enough where somebody else may listen as well: a second recorder, a
    command line tool, a viewer.
    """
    if publisher.get_subscription_count() < count:
        return False
    found = node.get_subscriptions_info_by_topic(publisher.topic_name) if count > 0 else []
    names = [f'{info.node_namespace.rstrip("/")}/{info.node_name}' for info in found]
    return names.count(reader) >= count
