"""Faults of a topic by the ROS graph and this computer, with the remedy.

Nothing arrives on it, several nodes publish on it, or an end has another type.

Discovery goes by UDP, messages on one computer by shared memory: a process in a container with a
``/dev/shm`` of its own, or of another user, is found and stays mute. What is found of it is its
endpoints alone; the names of its nodes are messages, too.

A node is known by its topics up to two seconds before its name is. Nothing is reported before.
"""

import os
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSCompatibility, QoSProfile, qos_check_compatible

from velocity_mobility_ros.core.environment.fast_dds import SERVERS, dead_servers
from velocity_mobility_ros.core.environment.network import (
    OTHER_MEMORY, first_port, interfaces, links, memory_gap, participants
)
from velocity_mobility_ros.core.environment.ros_environment import (
    DISCOVERY, OFF, SUBNET, TRANSPORTS, UDP_ONLY, is_alone
)
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.node_names import KILLED, cached_node_names, cached_query

try:
    from rclpy.endpoint_info import TopicEndpointInfo
except ImportError:  # before Lyrical
    from rclpy.topic_endpoint_info import TopicEndpointInfo

NAMES_TIME = 2.0
"""Time [s] from the first endpoint of a process that is found to its nodes' names, at most."""

UNKNOWN_NODE = '_NODE_NAME_UNKNOWN_'
"""What ROS calls a node of which only a topic is known yet."""

HOST = 4
"""Bytes of an identifier of Fast DDS that are the same for all processes of a computer."""

MOST_NAMES = 3
"""Names that are listed at most."""

LAST_PORT = 250
"""From the first port of a domain to its last."""

COMPARE = 'compare ROS_DOMAIN_ID and the settings of discovery'

_first_seen: WeakKeyDictionary[Context, dict[bytes, float]] = WeakKeyDictionary()
"""When each endpoint of a node without a name was first asked about [s]."""

OWN_TRANSPORTS = f'{DISCOVERY}={SUBNET} and {TRANSPORTS}={UDP_ONLY[0]}'
"""Settings that do without shared memory; on one of the two sides they are enough."""


def why_silent(node: Node, topic: str, patience: float = 0.0) -> str:
    """Return why a node has not received something on a topic, in words.

    Args:
        node: The node.
        topic: Full name of a topic to which it subscribes.
        patience: Time [s] after which a publisher whose node is not known by name counts as mute:
            while it is being discovered, that comes later than its topics.
    """
    offers = node.get_publishers_info_by_topic(topic)
    wants = own_subscriptions(node, topic)
    if not offers:
        return _why_nobody(node, topic, wants)
    names = ', '.join(sorted(map(end_name, offers))[:MOST_NAMES])
    troubles = [_misfit(offer, want) for want in wants for offer in offers]
    domain = node.context.get_domain_id()
    mute = [end for end in mute_ends(offers) if _known_for(node, end) >= patience]
    troubles += [why_mute(mute, want, domain) for want in wants]
    return next(filter(None, troubles), f'it is published by {names}')


def _known_for(node: Node, endpoint: TopicEndpointInfo) -> float:
    """Return the time since an endpoint was first looked at [s]."""
    first_seen, now = _first_seen.setdefault(node.context, {}), time.monotonic()
    return now - first_seen.setdefault(bytes(endpoint.endpoint_gid), now)


def found_hosts(node: Node) -> set[bytes]:
    """Return the identifiers of all computers of which a publisher or subscription is found."""
    return {bytes(_host(end)) for end in all_ends(node)}


def all_ends(node: Node) -> list[TopicEndpointInfo]:
    """Return all publishers and subscriptions that are found; it takes some time."""
    topics = [name for name, _ in node.get_topic_names_and_types()]
    looks = node.get_publishers_info_by_topic, node.get_subscriptions_info_by_topic
    return [end for topic in topics for look in looks for end in look(topic)]


def own_subscriptions(node: Node, topic: str) -> list[TopicEndpointInfo]:
    """Return the subscriptions of a node on a topic."""
    return [
        own
        for own in node.get_subscriptions_info_by_topic(topic)
        if (own.node_name, own.node_namespace) == (node.get_name(), node.get_namespace())
    ]


def fit(offered: QoSProfile, wanted: QoSProfile) -> bool:
    """Return whether a subscription gets the messages of a publisher."""
    verdict, _ = qos_check_compatible(offered, wanted)
    return verdict != QoSCompatibility.ERROR


def mute_ends(offers: Iterable[TopicEndpointInfo]) -> list[TopicEndpointInfo]:
    """Return the publishers whose node has not said its name, so that nothing arrives of it."""
    return [publisher for publisher in offers if publisher.node_name == UNKNOWN_NODE]


def why_mute(mute: Sequence[TopicEndpointInfo], own: TopicEndpointInfo, domain: int) -> str:
    """Return why nothing arrives of publishers that are found, in words; empty without any.

    Args:
        mute: The publishers.
        own: Any endpoint of this process.
        domain: The ROS domain.
    """
    if not mute:
        return ''
    if not any(_host(publisher) == _host(own) for publisher in mute):
        port = first_port(domain)
        return (
            'a process on another computer is found, but nothing arrives of it: let UDP from port '
            f'{port} to {port + LAST_PORT} through the firewalls of both'
        )
    return (
        'a process on this computer is found, but nothing arrives of it: '
        f'{memory_gap(domain) or OTHER_MEMORY}, or set {OWN_TRANSPORTS} for it'
    )


def published_as(node: Node, kind: str) -> list[str]:
    """Return the topics of a type, such as ``nav_msgs/msg/Odometry``, that are published."""
    return [
        name
        for name, kinds in node.get_topic_names_and_types()
        if kind in kinds and node.count_publishers(name)
    ]


class LinkWatch:
    """Names network interfaces that have come up, or changed their address, since the start.

    Fast DDS looks at them only once, before the first node of a process.
    """

    def __init__(self) -> None:
        """Store the interfaces that are up."""
        self._used = set(links(interfaces()).items())

    def _unused(self) -> list[tuple[str, str]]:
        """Return those that are not used, where other computers are looked for."""
        now = {} if is_alone() else links(interfaces())
        return sorted(set(now.items()) - self._used)

    def find_first_link(self) -> tuple[str, str] | None:
        """Return one that has come to a process that had none; None: none has, or it had one."""
        return next(iter(self._unused()), None) if not self._used else None

    def conditions(self) -> list[Condition]:
        """Return the fault of each that is not used, where other computers are looked for."""
        return [
            Condition(
                Level.WARN,
                f'network interface {name} ({address}) came up after the start of this process, '
                'which does not use it: start it again',
                f'network interface {name}',
            )
            for name, address in self._unused()
        ]


def is_nameless(node: Node, ends: Iterable[TopicEndpointInfo]) -> bool:
    """Return whether the name of a node has still time to come, of one that has these ends."""
    return any([_known_for(node, publisher) < NAMES_TIME for publisher in mute_ends(ends)])


def end_name(endpoint: TopicEndpointInfo) -> str:
    """Return the full name of the node of a publisher or subscription, as remapped."""
    if endpoint.node_name == UNKNOWN_NODE:
        return 'a node whose name is not known yet'
    return f'{endpoint.node_namespace.rstrip("/")}/{endpoint.node_name}'


def _host(endpoint: TopicEndpointInfo) -> tuple[int, ...]:
    return tuple(endpoint.endpoint_gid[:HOST])


def _misfit(offer: TopicEndpointInfo, wanted: TopicEndpointInfo) -> str:
    """Return why a publisher cannot be heard, empty if it can."""
    if offer.topic_type != wanted.topic_type:
        return f'{end_name(offer)} publishes it as {offer.topic_type}, must be {wanted.topic_type}'
    if fit(offer.qos_profile, wanted.qos_profile):
        return ''
    _, reason = qos_check_compatible(offer.qos_profile, wanted.qos_profile)
    reason = reason.removeprefix('ERROR: ').strip(' ;').lower()
    return f'{end_name(offer)} does not fit, {reason}: change one of them (qos_overrides)'


def _why_nobody(node: Node, topic: str, wants: Sequence[TopicEndpointInfo]) -> str:
    """Return hints on a topic without a publisher."""
    kinds = {subscription.topic_type for subscription in wants}
    topics = cached_query(node, 'topics', node.get_topic_names_and_types)
    alike = _alike(topic, (name for name, has in topics if kinds & set(has)))
    others = [name for name in alike if node.count_publishers(name)]
    if others:
        return (
            f'nobody publishes it, but {", ".join(others[:MOST_NAMES])} has its type: remap one '
            'of them'
        )
    if cached_node_names(node).total() > 1:
        return f'nobody publishes it: start who does, or {COMPARE}'
    domain = node.context.get_domain_id()
    domains = {process.domain for process in participants()}
    hint = ''
    if domain in domains:
        hint = f'; a process of this domain runs here: is its {DISCOVERY} {OFF}?'
    elif domains:
        hint = f'; here run processes in ROS domain {", ".join(map(str, sorted(domains)))}'
    return f'no other node is found: {_server()}{COMPARE}{hint}'


def _server() -> str:
    """Return the hint on the discovery server, to be checked before the settings."""
    if not (servers := os.environ.get(SERVERS)):
        return ''
    if dead := dead_servers():
        return f'nobody listens on {", ".join(dead)}, a discovery server: start it; or '
    return f'discovery goes by server {servers}: see that it runs; or '


def _alike(topic: str, names: Iterable[str]) -> list[str]:
    """Return the names that may be meant for a topic.

    These are names that end alike, up to letter case and underscores, such as ``/odom`` for
    ``/uav_1/odom``, and names in its namespace of which one contains the other's last part.
    """
    space, _, last = topic.rpartition('/')
    end = '/'.join(['', *topic.strip('/').split('/')[-2:]])
    return [
        name
        for name in names
        if name != topic
        and (
            _plain(topic).endswith(_plain(name))
            or _plain(name).endswith(_plain(end))
            or (name.startswith(f'{space}/') and _contain(name[len(space) + 1 :], last))
        )
    ]


def _plain(name: str) -> str:
    return name.replace('_', '').lower()


def _contain(first: str, second: str) -> bool:
    return first in second or second in first


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
    valid_until, number = counts.get(what, (now, usual))
    if now >= valid_until:
        number = count()
        lasts = COUNT_TIME * (1.0 + zlib.crc32(what.encode()) / 2**32) if number == usual else 0.0
        counts[what] = (now + lasts, number)
    return number


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
    publishers = node.get_publishers_info_by_topic(resolved)
    if is_nameless(node, publishers):
        return []
    names = sorted(map(end_name, publishers))
    reason = (
        f'{len(names)} publishers on {resolved}: {", ".join(names)}; stop all but one ({KILLED})'
    )
    return [Condition(level, reason, f'publishers on {resolved}')]


def takers_of_other_type(node: Node, publisher: Publisher) -> list[Condition]:
    """Return the fault if a node subscribes to our commands with another type.

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
    """Return the fault if a node publishes our commands with another type; else none.

    Args:
        node: Who subscribes, to Twist or TwistStamped.
        topic: The topic.
    """
    topic = node.resolve_topic_name(topic)
    kinds = [subscription.topic_type for subscription in own_subscriptions(node, topic)]
    if not kinds:
        return []
    ends = node.get_publishers_info_by_topic(topic)
    others = _of_other_type(node, ends, kinds[0], 'sends')
    reason = f'{others} on {topic}, we take {kinds[0]}: {_other_type(kinds[0])}'
    return [Condition(Level.ERROR, reason, f'types on {topic}')] if others else []


def _of_other_type(
    node: Node, ends: Iterable[TopicEndpointInfo], kind: str, does: str
) -> str:
    """Return the nodes that use another type; empty while a name is not known yet."""
    others = [end for end in ends if end.topic_type != kind]
    if is_nameless(node, others):
        return ''
    return ', '.join(sorted(f'{end_name(end)} {does} {end.topic_type}' for end in others))


def _other_type(kind: str) -> str:
    """Return the remedy for commands with two types, of which ours is ``kind``."""
    other = str(kind != STAMPED).lower()
    return f'set enable_stamped_cmd_vel to {other} here, or the other type there'


def type_name(message: type) -> str:
    """Return the name of a type of messages, such as ``geometry_msgs/msg/Twist``."""
    return f'{message.__module__.split(".")[0]}/msg/{message.__name__}'
