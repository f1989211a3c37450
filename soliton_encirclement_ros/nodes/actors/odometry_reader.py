"""Accepted odometry: of the own body, in a known frame, up to date, in order."""

from typing import NamedTuple

from nav_msgs.msg import Odometry
from rclpy.node import Node
from velocity_mobility_ros.core.frames import Transform
from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.messages import (
    MalformedMessageError,
    odometry_to_body,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.stamp_age import StampError, check_stamp
from velocity_mobility_ros.ros_io.vehicle_topics import ODOM

from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.actors.actor_parameters import OdometryParameters
from soliton_encirclement_ros.nodes.actors.odometry_frames import OdometryFrames


class MeasuredState(NamedTuple):
    """An odometry: when it was valid, when it was received [ns], and the pose in map."""

    stamp_ns: int
    received_ns: int
    pose: Pose


def measured(
    message: Odometry, received_ns: int, transform: Transform | None = None
) -> MeasuredState:
    """Return an odometry that was received at a time [ns].

    Args:
        message: The odometry.
        received_ns: Time of its arrival [ns].
        transform: Pose of its frame in map; None: it is map.

    Raises:
        MalformedMessageError: A number is not finite or the attitude is not a rotation.
    """
    position, velocity, _ = odometry_to_body(message, transform)
    return MeasuredState(time_to_ns(message.header.stamp), received_ns, Pose(position, velocity))


class OdometryReader:
    """Reads the odometry of a real-time member and reports what it refuses."""

    def __init__(
        self, node: Node, settings: OdometryParameters, timeout: float, health: NodeDiagnostics
    ) -> None:
        """Expect the odometry of a node's own body.

        Args:
            node: The member's node.
            settings: Frames and origin.
            timeout: Age [s] from which an odometry is not accepted.
            health: Receives the refusals.
        """
        self._frames = OdometryFrames(node, settings, timeout)
        self._timeout = timeout
        self._health = health
        self._last: MeasuredState | None = None

    def take(self, message: Odometry, now_ns: int) -> None:
        """Store an odometry received at a time [ns], or report why it is refused."""
        stamp_ns = time_to_ns(message.header.stamp)
        if self._last is not None and stamp_ns == self._last.stamp_ns:
            return  # a driver repeats what it has measured: nothing new, nothing wrong
        try:
            check_stamp(stamp_ns, now_ns, self._timeout, 'odom_timeout')
            self._check_order(stamp_ns, now_ns)
            self._frames.check_body(message.child_frame_id)
            transform = self._frames.transform(message.header.frame_id, stamp_ns)
            self._last = measured(message, now_ns, transform)
        except MalformedMessageError as error:
            self._health.refuse(ODOM, str(error), type(error).__name__)

    def current(self, now_ns: int) -> MeasuredState | None:
        """Return the last odometry, None if it is older than the timeout by stamp or arrival."""
        last, limit_ns = self._last, to_ns(self._timeout)
        if last is None or now_ns - last.received_ns > limit_ns:
            return None
        return last if abs(now_ns - last.stamp_ns) <= limit_ns else None

    def _check_order(self, stamp_ns: int, now_ns: int) -> None:
        """Refuse what is older than the last accepted one."""
        last = self.current(now_ns)
        if last is not None and stamp_ns < last.stamp_ns:
            raise StampError(
                f'stamp is {(last.stamp_ns - stamp_ns) / 1e9:.3f} s before that of the message '
                'before it: two publishers on the topic, or messages out of order'
            )
