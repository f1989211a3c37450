"""Accepted odometry: of the own body, in a known frame, up to date, in order."""

from typing import NamedTuple

from rclpy.node import Node
from velocity_mobility_ros.core.coordinate_frames import Transform
from velocity_mobility_ros.core.odometry_consistency import OdometryMotion
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    MalformedMessageError,
    OdometryValues,
    StampError,
    body_of,
    check_stamp,
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import SerializedOdometry
from velocity_mobility_ros.ros_io.messages.vehicle_input import TwistCheck
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.vehicle_topics import BASE_FRAME, ODOM

from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.actors.actor_parameters import OdometryParameters
from soliton_encirclement_ros.nodes.actors.odometry_frames import OdometryFrames


class MeasuredState(NamedTuple):
    """An odometry: when it was valid, when it was received [ns]; pose and heading [rad] in map."""

    stamp_ns: int
    received_ns: int
    pose: Pose
    yaw: float

    def moved(self, step_ns: int) -> 'MeasuredState':
        """Return it as after a step of the clock [ns]: as old as before."""
        return self._replace(
            stamp_ns=self.stamp_ns + step_ns, received_ns=self.received_ns + step_ns
        )


def measured(
    odometry: OdometryValues, received_ns: int, transform: Transform | None = None,
    is_body_twist: bool = True,
) -> MeasuredState:  # fmt: skip
    """Return an odometry that was received at a time [ns].

    Args:
        odometry: The odometry.
        received_ns: Time of its arrival [ns].
        transform: Pose of its frame in map; None: it is map.
        is_body_twist: Whether its twist is in the frame of the body; else in that of the pose.

    Raises:
        MalformedMessageError: A number is not finite or the attitude is not a rotation.
    """
    position, velocity, yaw = body_of(odometry, transform, is_body_twist)
    return MeasuredState(odometry.stamp_ns, received_ns, Pose(position, velocity), yaw)


class OdometryReader:
    """Reads the odometry of a real-time member and reports what it refuses.

    Attributes:
        twist: Compares its twist with its displacements.
    """

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
        self._bytes = SerializedOdometry()
        frame = settings.odom_twist_frame
        self._is_body_twist = frame == BASE_FRAME
        self.twist = TwistCheck(node.resolve_topic_name(ODOM), frame, 'odom_twist_frame')
        self._motion = OdometryMotion(to_ns(timeout))
        self._last: MeasuredState | None = None

    def take(self, data: bytes, now_ns: int) -> None:
        """Store a serialized odometry received at a time [ns], or report why it is refused."""
        try:
            odometry = self._bytes.read(data)
            if self._last is not None and odometry.stamp_ns == self._last.stamp_ns:
                return  # a driver repeats what it has measured: nothing new, nothing wrong
            check_stamp(odometry.stamp_ns, now_ns, self._timeout, 'odom_timeout')
            self._check_order(odometry.stamp_ns, now_ns)
            self._frames.check_body(odometry.body, odometry.frame)
            flaw = self._motion.flaw(odometry.stamp_ns, odometry.position, odometry.linear)
            if flaw == '':
                return
            if flaw is not None:
                raise MalformedMessageError(flaw)
            transform = self._frames.transform(odometry.frame, odometry.stamp_ns)
            self._last = measured(odometry, now_ns, transform, self._is_body_twist)
        except MalformedMessageError as error:
            self._health.refuse(ODOM, str(error), type(error).__name__)
            return
        if self.twist.take(odometry):
            self._health.publish()

    def current(self, now_ns: int) -> MeasuredState | None:
        """Return the last odometry, None if it is older than the timeout by stamp or arrival."""
        last, limit_ns = self._last, to_ns(self._timeout)
        if last is None or now_ns - last.received_ns > limit_ns:
            return None
        return last if abs(now_ns - last.stamp_ns) <= limit_ns else None

    def move(self, step_ns: int) -> None:
        """Keep the age of the last odometry after a step of the clock [ns]."""
        if self._last is not None:
            self._last = self._last.moved(step_ns)

    def _check_order(self, stamp_ns: int, now_ns: int) -> None:
        """Refuse what is older than the last accepted one."""
        last = self.current(now_ns)
        if last is not None and stamp_ns < last.stamp_ns:
            raise StampError(
                f'stamp is {(last.stamp_ns - stamp_ns) / 1e9:.3f} s before that of the message '
                'before it: two publishers on the topic, or messages out of order'
            )
