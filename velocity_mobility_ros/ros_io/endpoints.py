"""Publishers and subscriptions with quality of service from ``qos_overrides`` parameters.

An example is ``qos_overrides./uav_1/odom.publisher.reliability: best_effort``. History, depth and
reliability can be set, but not in lockstep, which stops if a message is lost.
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
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.ros_io.qos import LOCKSTEP

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
        found = UNKNOWN_POLICY.search(str(error))
        if found is None:
            raise
        policy, value = found.groups()
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
