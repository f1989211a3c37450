"""Publishers and subscriptions whose quality of service the parameters ``qos_overrides`` change.

``qos_overrides./uav_1/odom.publisher.reliability: best_effort`` is one; history, depth and
reliability can be told. In lockstep, which stands still if a message is lost, nothing can.
"""

import copy
from collections.abc import Callable
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription

from velocity_mobility_ros.ros_io.qos import LOCKSTEP

RELIABILITIES = (ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT)


def make_publisher(node: Node, kind: type, topic: str, profile: QoSProfile) -> Publisher:
    """Create a publisher.

    Raises:
        InvalidQosOverridesError: What the parameters tell is refused.
        RuntimeError: They name no policy of ROS.
    """
    return node.create_publisher(kind, topic, **_quality(profile))


def make_subscription(
    node: Node, kind: type, topic: str, take: Callable[[Any], None], profile: QoSProfile
) -> Subscription:
    """Create a subscription.

    Raises:
        InvalidQosOverridesError: What the parameters tell is refused.
        RuntimeError: They name no policy of ROS.
    """
    return node.create_subscription(kind, topic, take, **_quality(profile))


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
    elif profile.depth < 1:
        reason = f'depth = {profile.depth} must be at least 1'
    elif profile.reliability not in RELIABILITIES:
        reason = 'reliability must be reliable or best_effort'
    return SetParametersResult(successful=not reason, reason=reason)
