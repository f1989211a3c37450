"""Transforms from ``/tf`` and ``/tf_static``, if tf2_ros is installed (it is not on PyPI)."""

import importlib
from typing import Any, Protocol

from geometry_msgs.msg import TransformStamped
from rclpy.time import Time

from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.frames import Transform, unit
from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.messages import time_to_ns


class TransformError(MobilityError):
    """There is no transform between two frames at a time."""


class Transforms(Protocol):
    """A source of transforms."""

    def lookup(self, parent: str, child: str, stamp_ns: int) -> Transform:
        """Return the pose of a child frame in its parent at a time [ns].

        Raises:
            TransformError: It is unknown.
        """


def listen(node: TunableNode, longest_age: float) -> Transforms | None:
    """Subscribe to transforms; return None if tf2_ros is not installed.

    Args:
        node: The node that subscribes.
        longest_age: Largest age [s] of the newest transform at the requested time.
    """
    try:
        tf2_ros = importlib.import_module('tf2_ros')
    except ImportError:
        return None
    return TransformListener(node, tf2_ros, longest_age)


class TransformListener:
    """A tf2 buffer of ``/tf`` and ``/tf_static``."""

    def __init__(self, node: TunableNode, tf2_ros: Any, longest_age: float) -> None:
        """Subscribe."""
        self._tf2 = tf2_ros
        self._buffer = tf2_ros.Buffer()
        self._listener = tf2_ros.TransformListener(self._buffer, node)
        self._longest_age = longest_age
        node.node_time.on_step(self._on_step)

    def _on_step(self, step_ns: int) -> None:
        """Forget what moves: tf2 takes nothing that is much older than its newest transform."""
        self._buffer.clear()

    def lookup(self, parent: str, child: str, stamp_ns: int) -> Transform:
        """Return the pose of a child frame in its parent at a time [ns].

        If the transform for this time has not arrived yet, the newest one is used, unless it is
        too old.

        Raises:
            TransformError: The transform is unknown or too old; the message says why.
        """
        try:
            return transform_of(self._find(parent, child, stamp_ns))
        except self._tf2.ExtrapolationException:
            return self._newest(parent, child, stamp_ns)
        except self._tf2.TransformException as error:
            raise TransformError(str(error)) from None

    def _newest(self, parent: str, child: str, stamp_ns: int) -> Transform:
        try:
            newest = self._find(parent, child, 0)
        except self._tf2.TransformException as error:
            raise TransformError(str(error)) from None
        age_ns = stamp_ns - time_to_ns(newest.header.stamp)
        if not 0 <= age_ns <= to_ns(self._longest_age):
            raise TransformError(
                f'the newest transform is {age_ns / 1e9:.3f} s old, limit {self._longest_age:g} s'
            )
        return transform_of(newest)

    def _find(self, parent: str, child: str, stamp_ns: int) -> TransformStamped:
        return self._buffer.lookup_transform(parent, child, Time(nanoseconds=stamp_ns))


def transform_of(message: TransformStamped) -> Transform:
    """Return the transform of a message, with a unit quaternion."""
    shift, turn = message.transform.translation, message.transform.rotation
    return Transform((shift.x, shift.y, shift.z), unit((turn.x, turn.y, turn.z, turn.w)))
