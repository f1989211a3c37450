"""Publishers and subscriptions whose quality of service the parameters ``qos_overrides`` change.

``qos_overrides./uav_1/odom.publisher.reliability: best_effort`` is one; history, depth and
reliability can be told. In lockstep, which stands still if a message is lost, nothing can.
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
"""What the parameters may say."""

DEEPEST = 100_000
"""Messages that a queue may hold."""

UNKNOWN_POLICY = re.compile(r'QoS override for policy `(\w+)`: `(.*)`')
"""How rclpy says that a policy is none."""


def make_publisher(node: Node, kind: type, topic: str, profile: QoSProfile) -> Publisher:
    """Create a publisher.

    Raises:
        InvalidQosOverridesError: What the parameters tell is refused.
        ParameterError: They name no policy of ROS.
    """
    with _naming(node, topic, 'publisher'):
        return node.create_publisher(kind, topic, **_quality(profile))


def make_subscription(
    node: Node, kind: type, topic: str, take: Callable[[Any], None], profile: QoSProfile
) -> Subscription:
    """Create a subscription.

    Raises:
        InvalidQosOverridesError: What the parameters tell is refused.
        ParameterError: They name no policy of ROS.
    """
    with _naming(node, topic, 'subscription'):
        return node.create_subscription(kind, topic, take, **_quality(profile))


@contextmanager
def _naming(node: Node, topic: str, end: str) -> Iterator[None]:
    """Name the parameter in the error for a policy that there is not: rclpy does not."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings('ignore', 'A zero depth', UserWarning)  # it is refused
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


def _quality(profile: QoSProfile) -> dict[str, Any]:
    """Return the arguments for a profile of its own: rclpy writes what is told into it."""
    leave = QoSOverridingOptions.with_default_policies(callback=_check)
    return {
        'qos_profile': copy.copy(profile),
        'qos_overriding_options': None if profile is LOCKSTEP else leave,
    }


def _check(profile: QoSProfile) -> SetParametersResult:
    """Refuse what makes a node wait for a slow reader, or hear nothing."""
    reason = ''
    if profile.history != HistoryPolicy.KEEP_LAST:
        reason = 'history must be keep_last: a publisher that keeps all waits for slow readers'
    elif not 1 <= profile.depth <= DEEPEST:
        reason = f'depth = {profile.depth} must be at least 1 and at most {DEEPEST}'
    elif profile.reliability not in RELIABILITIES:
        reason = 'reliability must be reliable or best_effort'
    return SetParametersResult(successful=not reason, reason=reason)
