"""Publishers and subscriptions, with quality of service from ``qos_overrides`` parameters.

An example is ``qos_overrides./uav_1/odom.publisher.reliability: best_effort``. History, depth and
reliability can be set, but not in lockstep, which stops if a message is lost.

There is one profile per class of topic.

States are published reliably: a subscriber with the defaults of ROS (RViz, nav2,
robot_localization) receives nothing from a best-effort publisher. States are subscribed best
effort: a reliable subscriber receives nothing from a best-effort driver. With keep_last a
publisher never waits for subscribers.
"""

import copy
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription

from velocity_mobility_ros.core.user_errors import ParameterError

STATE = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""Published streams of measured or broadcast states."""

STATE_INPUT = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Subscribed streams of states: compatible with every publisher."""

POLLED_INPUT = QoSProfile(
    depth=500, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Streams of states that are taken once per tick: 50 agents at 50 Hz fill the queue in 0.2 s."""

COMMAND = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""Commands, events, diagnostics and other messages that must arrive."""

LATCHED = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
    history=HistoryPolicy.KEEP_LAST,
)
"""Messages published once, also for late subscribers."""

LOCKSTEP = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_ALL
)
"""Lockstep: no message is dropped; a full queue blocks the publisher."""

COMMAND_INPUT = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Subscribed commands of which only the newest counts."""

AUTOPILOT_STREAM = COMMAND_INPUT
"""Streams from and to an autopilot, of which only the newest message counts. PX4 offers best
effort alone: a reliable subscription gets nothing."""

AUTOPILOT_ANSWERS = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""An autopilot's answers to requests, which are all read."""

AUTOPILOT_COMMAND = COMMAND
"""Requests to an autopilot."""


RELIABILITIES = (ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT)

CHOICES = {'history': ('keep_last',), 'reliability': ('reliable', 'best_effort')}
"""Allowed values of the parameters."""

MAX_DEPTH = 100_000
"""Largest depth of a queue [messages]."""

UNKNOWN_POLICY = re.compile(r'QoS override for policy `(\w+)`: `(.*)`')
"""Error text of rclpy for an unknown policy."""


def make_publisher(node: Node, kind: type, topic: str, profile: QoSProfile) -> Publisher:
    """Create a publisher.

    Raises:
        InvalidQosOverridesError: A parameter is refused.
        ParameterError: A parameter names an unknown policy.
    """
    with _policy_errors(node, topic, 'publisher'):
        return node.create_publisher(kind, topic, **_qos_arguments(profile))


def raw_publishing(publisher: Publisher) -> Callable[[bytes], None]:
    """Return what publishes serialized messages, without a look at their type at each of them."""
    return publisher.handle.publish_raw


def make_subscription(
    node: Node,
    kind: type,
    topic: str,
    take: Callable[[Any], None],
    profile: QoSProfile,
    raw: bool = False,
) -> Subscription:
    """Create a subscription.

    Args:
        node: The node to subscribe with.
        kind: Class of the messages.
        topic: Name of the topic.
        take: Called with every message.
        profile: Quality of service, before ``qos_overrides``.
        raw: Whether the messages stay serialized.

    Raises:
        InvalidQosOverridesError: A parameter is refused.
        ParameterError: A parameter names an unknown policy.
    """
    with _policy_errors(node, topic, 'subscription'):
        return node.create_subscription(kind, topic, take, raw=raw, **_qos_arguments(profile))


@contextmanager
def _policy_errors(node: Node, topic: str, end: str) -> Iterator[None]:
    """Name the parameter in the error for an unknown policy, which rclpy does not."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings('ignore', 'A zero depth', UserWarning)  # depth 0 is refused
            yield
    except RuntimeError as error:
        match = UNKNOWN_POLICY.search(str(error))
        if match is None:
            raise
        policy, value = match.groups()
        raise ParameterError(
            f'qos_overrides.{node.resolve_topic_name(topic)}.{end}.{policy} = {value!r} must be '
            f'{" or ".join(CHOICES[policy])}'
        ) from None


def _qos_arguments(profile: QoSProfile) -> dict[str, Any]:
    """Return the arguments with a copy of the profile, into which rclpy writes the overrides."""
    overridable = QoSOverridingOptions.with_default_policies(callback=_check)
    return {
        'qos_profile': copy.copy(profile),
        'qos_overriding_options': None if profile is LOCKSTEP else overridable,
    }


def _check(profile: QoSProfile) -> SetParametersResult:
    """Refuse settings with which a publisher blocks or a subscription receives nothing."""
    reason = ''
    if profile.history != HistoryPolicy.KEEP_LAST:
        reason = 'history must be keep_last: with keep_all a publisher waits for slow subscribers'
    elif not 1 <= profile.depth <= MAX_DEPTH:
        reason = f'depth = {profile.depth} must be at least 1 and at most {MAX_DEPTH}'
    elif profile.reliability not in RELIABILITIES:
        reason = 'reliability must be reliable or best_effort'
    return SetParametersResult(successful=not reason, reason=reason)


def is_read_by(node: Node, publisher: Publisher, reader: str, count: int) -> bool:
    """Return whether at least ``count`` nodes of full name ``reader`` subscribe to a publisher.

    The number of all subscribers is not enough: it includes other nodes, such as a second
    recorder, a command line tool or RViz.
    """
    if publisher.get_subscription_count() < count:
        return False
    subscriptions = node.get_subscriptions_info_by_topic(publisher.topic_name) if count > 0 else []
    names = [f'{info.node_namespace.rstrip("/")}/{info.node_name}' for info in subscriptions]
    return names.count(reader) >= count
